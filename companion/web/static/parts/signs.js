// The few drawn signs: moon, telescope, eyelid, undo, ledger, cloud and their kin. Stroke 4 of 48,
// round ends.

import { html } from "../core/html.js";

const line = (d, width = 4) => html`
  <path d=${d} fill="none" stroke="currentColor" stroke-width=${width} stroke-linecap="round" stroke-linejoin="round" />`;
const solid = (d) => html`<path d=${d} fill="currentColor" />`;

export const CLOUD =
  "M-23 13H22A12 12 0 0 0 24 -11A15 15 0 0 0 -3 -19A12 12 0 0 0 -21 -10A11.6 11.6 0 0 0 -23 13Z";

const DRAWN = {
  moon: () => solid("M30 6A20 20 0 1 0 42 31A16.5 16.5 0 1 1 30 6Z"),
  telescope: () => [
    html`
      <g transform="rotate(-28 24 20)">
        ${solid("M2 15H14V27H2Z")}
        ${solid("M15.5 13H31V29H15.5Z")}
        ${solid("M32.5 10H46V32H32.5Z")}
      </g>`,
    line("M22 30L15 45M24 30L32 45", 3.6),
  ],
  lid: () => [
    line("M4 16Q24 36 44 16"),
    line("M10 22L6 29M18 27L16 35M30 27L32 35M38 22L42 29", 3.4),
  ],
  undo: () => [line("M17 10L8 18L17 26"), line("M9 18H29A10 10 0 0 1 29 38H16")],
  redo: () => [line("M31 10L40 18L31 26"), line("M39 18H19A10 10 0 0 0 19 38H32")],
  ledger: () => [line("M11 7H37V41H11Z"), line("M18 16H30M18 24H30M18 32H26")],
  more: () => solid("M10 20A4 4 0 1 1 9.9 20ZM24 20A4 4 0 1 1 23.9 20ZM38 20A4 4 0 1 1 37.9 20Z"),
  cloud: () => html`<g transform="translate(24 26) scale(.74)">${line(CLOUD)}</g>`,
  empty: () => html`
    <circle cx="24" cy="24" r="18" fill="none" stroke="currentColor" stroke-width="3.4" stroke-dasharray="0.1 7.95"
      stroke-linecap="round" />`,
  sun: () => html`<circle class="sun-disc" cx="24" cy="24" r="15" />`,
  eye: () => [
    line("M4 24Q24 4 44 24Q24 44 4 24Z"),
    html`<circle cx="24" cy="24" r="6" fill="currentColor" />`,
  ],
  again: () => [
    line("M36 12A17 17 0 1 0 41 25M37 4V13H28"),
    html`<circle cx="24" cy="25" r="6" fill="currentColor" />`,
  ],
  strip: () => line("M7 8H41V40H7ZM16 8V40M32 8V40M7 19H16M7 29H16M32 19H41M32 29H41", 3.4),
  touch: () => [line("M24 10A14 14 0 1 1 23.9 10Z"), solid("M24 18A6 6 0 1 1 23.9 18Z")],
  book: () =>
    line("M24 13C19 9 12 8 6 9V38C12 37 19 38 24 42C29 38 36 37 42 38V9C36 8 29 9 24 13ZM24 13V41"),
  screen: () => line("M6 9H42V33H6ZM17 41H31"),
  printer: () => line("M14 17V6H34V17M13 33H7V17H41V33H35M14 27H34V42H14Z"),
  stack: () =>
    line("M8 15A16 8 0 1 1 40 15A16 8 0 1 1 8 15ZM8 24A16 8 0 0 0 40 24M8 33A16 8 0 0 0 40 33"),
  piles: () =>
    line(
      "M4 32A9 5 0 1 1 22 32A9 5 0 1 1 4 32ZM26 32A9 5 0 1 1 44 32A9 5 0 1 1 26 32ZM15 17A9 5 0 1 1 33 17A9 5 0 1 1 15 17Z"
    ),
  seats: () => [
    line("M24 10A14 14 0 1 1 23.9 10Z"),
    solid("M24 4A6 6 0 1 1 23.9 4ZM37 26A6 6 0 1 1 36.9 26ZM11 26A6 6 0 1 1 10.9 26Z"),
  ],
  hall: () =>
    line(
      "M6 15a8 8 0 1 0 16 0a8 8 0 1 0-16 0M26 15a8 8 0 1 0 16 0a8 8 0 1 0-16 0M16 34a8 8 0 1 0 16 0a8 8 0 1 0-16 0"
    ),
  ribbon: () => line("M8 40V27M18 40V19M29 40V11M40 40V24", 6),
  back: () => line("M28 10L14 24L28 38"),
  film: () => [line("M14 9L38 24L14 39Z"), solid("M14 9L38 24L14 39Z")],
  before: () => [line("M39 11L18 24L39 37Z"), solid("M39 11L18 24L39 37Z"), line("M10 11V37")],
  after: () => [line("M9 11L30 24L9 37Z"), solid("M9 11L30 24L9 37Z"), line("M38 11V37")],
  album: () => [
    line("M7 8H41V40H7Z"),
    html`<g transform="translate(24 25) scale(.46)">${solid(CLOUD)}</g>`,
  ],
};

export function sign(name) {
  return html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true">${DRAWN[name]()}</svg>`;
}

// The same drawing inside the window's own picture, `size` units across, around (0, 0).
export function signAt(name, size) {
  return html`<g class="sign-in" transform="scale(${size / 48}) translate(-24 -24)">${DRAWN[name]()}</g>`;
}

// A pattern of bits, a row a string of "0" and "1", as one path of unit squares.
export function bitsPath(rows) {
  let d = "";
  rows.forEach((row, y) => {
    row.split("").forEach((bit, x) => {
      if (bit === "1") d += `M${x} ${y}h1v1h-1z`;
    });
  });
  return d;
}

// A code mark as one sees it from afar. It stands for a code and is none: a camera that sees this
// screen must read nothing.
const MARK_ROWS = [
  "1111100101111",
  "1000101001000",
  "1011100110101",
  "1000101101000",
  "1111100001111",
  "0000010110010",
  "1011001010110",
  "0100110101001",
  "1111100110010",
  "1000101001101",
  "1011101100010",
  "1000100110101",
  "1111101011010",
];
export const MARK = { path: bitsPath(MARK_ROWS), size: MARK_ROWS.length };
