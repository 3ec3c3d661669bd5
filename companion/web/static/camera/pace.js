// How large and how often a phone's pictures are sent: pure arithmetic, no camera, no network.
//
// A step down (quality first, then width) as soon as the line or the table is slow; a step up only
// after it was quick for a good while, and the longer the oftener it failed: so that the size does
// not swing.

const STEPS = [
  { width: 1920, quality: 0.88 },
  { width: 1920, quality: 0.75 },
  { width: 1600, quality: 0.75 },
  { width: 1280, quality: 0.75 },
  { width: 1280, quality: 0.6 },
];
const SLOW_MS = 320; // on average: a step down
const QUICK_MS = 160; // on average: counts towards a step up
const PATIENCE = 25; // so many quick pictures before the first step up

// The pace of a line nobody knows yet.
export function firstPace() {
  return paceAt(0, { average: 200, every: 100, quick: 0, patience: PATIENCE });
}

function paceAt(step, rest) {
  return Object.assign({ step }, STEPS[step], rest);
}

// The pace after a picture that took `ms` to arrive and be answered; the table wants one every
// `every` ms.
export function paceAfter(pace, ms, every) {
  const average = pace.average + 0.25 * (ms - pace.average);
  const quick = average < QUICK_MS ? pace.quick + 1 : 0;
  const rest = { average, every: every || pace.every, quick, patience: pace.patience };
  if (average > SLOW_MS && pace.step < STEPS.length - 1) {
    const patience = Math.min(150, pace.patience * 2);
    return paceAt(pace.step + 1, Object.assign(rest, { average: 200, quick: 0, patience }));
  }
  if (quick > pace.patience && pace.step > 0)
    return paceAt(pace.step - 1, Object.assign(rest, { quick: 0 }));
  return paceAt(pace.step, rest);
}

// How long to wait before the next picture, `since` ms after the last one was begun.
export function waitFor(pace, since) {
  return Math.max(0, pace.every - since);
}
