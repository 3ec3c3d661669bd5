// The hours of the sky: rounds move it, the clock does not. t = round index / (rounds - 1), mixed
// straight between rows.

import { html } from "../core/html.js";

// t, and the sky's top, middle and bottom there, and its stripe in the ribbon.
const HOURS = [
  [0, "#58A3DC", "#9CCDEB", "#E2F2F6", "#86C0E8"],
  [0.2, "#5697D6", "#AFCFE6", "#F8EDD2", "#B4D3E8"],
  [0.38, "#5F8FD4", "#BBC4E2", "#FCD6A4", "#F4D2A8"],
  [0.52, "#5B72C2", "#C9A0C0", "#FCA985", "#F2A98A"],
  [0.66, "#404C9C", "#9C72A9", "#EA979C", "#CB80A4"],
  [0.82, "#212F74", "#51529C", "#9C80B8", "#7063AC"],
  [1, "#0B1236", "#1C2A62", "#3B4D8E", "#3C5096"],
];

function channels(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

export function mix(a, b, share) {
  const x = channels(a);
  const y = channels(b);
  const two = (value) => `0${Math.round(value).toString(16)}`.slice(-2);
  return `#${x.map((v, i) => two(v + (y[i] - v) * share)).join("")}`;
}

// The sky at t: its top, middle (55 %) and bottom colour, and the ribbon's.
export function sky(t) {
  const at = Math.max(0, Math.min(1, t));
  let i = 0;
  while (i < HOURS.length - 2 && at > HOURS[i + 1][0]) i += 1;
  const share = (at - HOURS[i][0]) / (HOURS[i + 1][0] - HOURS[i][0]);
  const [top, middle, bottom, ribbon] = [1, 2, 3, 4].map((k) =>
    mix(HOURS[i][k], HOURS[i + 1][k], share)
  );
  return { top, middle, bottom, ribbon };
}

// Where in the evening a round lies, 0 to 1.
export function hour(number, of) {
  return of > 1 ? Math.max(0, Math.min(1, (number - 1) / (of - 1))) : 0;
}

// Text on the sky: ink by day, cream from t = .7.
export function inkOnSky(t) {
  return t < 0.7 ? "#152043" : "#FFF6E6";
}

export const cirrusAt = (t) => (t <= 0.6 ? 0.62 : Math.max(0.22, 0.62 - (t - 0.6) * 2));

// Stars of one fixed night: x, y in the sky's circle, size; shown from t = .62.
export const STARS = (() => {
  const list = [];
  let seed = 7;
  const next = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  while (list.length < 70) {
    const a = next() * Math.PI * 2;
    const r = Math.sqrt(next()) * 360;
    list.push([Math.cos(a) * r, Math.sin(a) * r, 0.8 + next() * 1.6]);
  }
  return list;
})();

// The sky at t as a gradient from top to bottom, to be filled with by its id.
export function skyGradient(id, t) {
  const { top, middle, bottom } = sky(t);
  return html`
    <linearGradient key=${id} id=${id} x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color=${top} />
      <stop offset="0.55" stop-color=${middle} />
      <stop offset="1" stop-color=${bottom} />
    </linearGradient>`;
}
