// How large and how often a phone's pictures are sent: pure arithmetic, no camera, no network.
//
// A step down (quality first, then width) as soon as the line or the table is slow; a step up only after it was quick for
// a good while, and the longer the oftener it failed: so that the size does not swing.

const STEPS = [
  { width: 1920, quality: 0.88 },
  { width: 1920, quality: 0.75 },
  { width: 1600, quality: 0.75 },
  { width: 1280, quality: 0.75 },
  { width: 1280, quality: 0.6 }
];
const SLOW_MS = 320;
const QUICK_MS = 160;
const PATIENCE = 25;

// The pace of a line nobody knows yet.
export function begun() {
  return at(0, { average: 200, every: 100, quick: 0, patience: PATIENCE });
}

function at(step, rest) {
  return Object.assign({ step: step, width: STEPS[step].width, quality: STEPS[step].quality }, rest);
}

// The pace after a picture that took `ms` to arrive and be answered; the table wants one every `every` ms.
export function sent(pace, ms, every) {
  const average = pace.average + 0.25 * (ms - pace.average);
  const rest = { average: average, every: every || pace.every, quick: average < QUICK_MS ? pace.quick + 1 : 0, patience: pace.patience };
  if (average > SLOW_MS && pace.step < STEPS.length - 1)
    return at(pace.step + 1, Object.assign(rest, { average: 200, quick: 0, patience: Math.min(150, pace.patience * 2) }));
  if (rest.quick > pace.patience && pace.step > 0) return at(pace.step - 1, Object.assign(rest, { quick: 0 }));
  return at(pace.step, rest);
}

// How long to wait before the next picture, `since` ms after the last one was begun.
export function paced(pace, since) {
  return Math.max(0, pace.every - since);
}
