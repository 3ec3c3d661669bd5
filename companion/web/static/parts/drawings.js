// What a page is about, drawn in a few lines with what one does beside it: for pages that have nothing to
// show yet.

import { html } from "../core/html.js";
import { cardAt, emptyPlace } from "./cards.js";
import { signAt } from "./signs.js";

const CLOUDS = [3, 17, 24, 31, 45, 52, 60, 66]; // any of ours; no game's

const DRAWN = { cameraAbove, cardsLaidOut, pileSeen, pileByHand, screensAround, tablesOfAHall };

// `drawn` is one of the names above, `sentences` what stands beside it.
export function about(drawn, ...sentences) {
  return aboutWith(drawing(drawn), ...sentences);
}

// The same beside another picture.
export function aboutWith(picture, ...sentences) {
  return html`
    <div key="about" class="about-page">
      ${picture}
      <ul class="about-words">${sentences.map((words, i) => html`<li key="w${i}">${words}</li>`)}</ul>
    </div>`;
}

export function drawing(drawn) {
  return html`
    <svg key="drawing" class="drawing" viewBox="-320 -220 640 440" aria-hidden="true">${DRAWN[drawn]()}</svg>`;
}

const line = (d) => html`<path class="strong" d=${d} />`;
const seen = (d) => html`<path class="seen-from-above" d=${d} />`;
const box = (x, y, width, height, round) =>
  html`<rect class="thing" x=${x} y=${y} width=${width} height=${height} rx=${round} />`;
const words = (x, y, said) => html`<text x=${x} y=${y}>${said}</text>`;
const tableTop = () =>
  html`<rect class="round-table" x="-296" y="-70" width="592" height="270" rx="40" />`;
const eyeAbove = () => [
  seen("M-18 -138L-262 -66H262L18 -138Z"),
  html`<g transform="translate(0 -176)">${signAt("eye", 76)}</g>`,
];

// From the side: the camera on its arm, what it sees of the table, how high it hangs.
function cameraAbove() {
  return [
    seen("M-24 -104L-236 140H236L24 -104Z"),
    line("M-290 146H290M-262 146V-150H-54"),
    box(-52, -178, 104, 54, 16),
    box(-24, -124, 48, 20, 6),
    [-150, -50, 56, 156].map((x) => html`<ellipse class="flat" cx=${x} cy="136" rx="42" ry="8" />`),
    line("M292 -128V128M278 -128H306M278 128H306"),
    words(214, -8, "60–90 cm"),
  ];
}

// From above: cards beside one another, one place bare.
function cardsLaidOut() {
  const places = CLOUDS.map((_card, i) => ({ x: 140 * (i % 4) - 210, y: i < 4 ? 0 : 130 }));
  return [
    eyeAbove(),
    tableTop(),
    CLOUDS.map((card, i) => i !== 6 && cardAt(card, places[i], 112)),
    emptyPlace("bare", places[6], 112),
  ];
}

// One pile, spread face up in rows, so that each cloud is seen.
function pile() {
  return [
    tableTop(),
    CLOUDS.map((card, i) => cardAt(card, { x: 116 * (i % 4) - 174, y: i < 4 ? 4 : 126 }, 108)),
  ];
}

function pileSeen() {
  return [eyeAbove(), pile()];
}

function pileByHand() {
  return html`<g transform="translate(0 -66)">${pile()}</g>`;
}

// A screen as it shows the table: the round window, and words beside or below it.
function screenAt(x, y, width, height) {
  const upright = height > width;
  const r = Math.min(width, height) * (upright ? 0.34 : 0.36);
  const at = upright ? { x, y: y - height * 0.18 } : { x: x - width * 0.18, y };
  const long = upright ? width * 0.5 : width * 0.24;
  const from = upright
    ? { x: x - long / 2, y: y + height * 0.2 }
    : { x: x + width * 0.16, y: y - 9 };
  return [
    box(x - width / 2, y - height / 2, width, height, 12),
    html`<circle class="round-table" cx=${at.x} cy=${at.y} r=${r} />`,
    html`<circle class="pane" cx=${at.x} cy=${at.y} r=${0.76 * r} />`,
    html`<circle class="sun-disc" cx=${at.x} cy=${at.y - 0.88 * r} r=${0.18 * r} />`,
    line(`M${from.x} ${from.y}h${long}m${-long} 18h${long * 0.6}`),
  ];
}

// The tablet in the middle of the table, phones in people's hands, a television on the wall.
function screensAround() {
  return [
    html`<circle class="round-table" cx="0" cy="92" r="122" />`,
    [-100, -28, 44, 116, 188, 260].map((turn, i) => {
      const a = (turn * Math.PI) / 180;
      return cardAt(CLOUDS[i], { x: 92 * Math.cos(a), y: 92 + 92 * Math.sin(a) }, 44);
    }),
    screenAt(0, 92, 112, 70),
    screenAt(0, -140, 230, 124),
    line("M-46 -64H46"),
    screenAt(-236, 92, 66, 116),
    screenAt(236, 92, 66, 116),
  ];
}

// Three tables, and the board that shows all of them.
function tablesOfAHall() {
  const rows = [-168, -132, -96];
  return [
    line("M-206 66L-70 -56M0 66V-56M206 66L70 -56"),
    box(-170, -204, 340, 148, 18),
    rows.map((y, i) => [
      html`<circle class="pane" cx="-136" cy=${y} r="11" />`,
      line(`M-106 ${y}H${[120, 70, 20][i]}`),
    ]),
    [-206, 0, 206].map((x, i) => [
      html`<circle class="round-table" cx=${x} cy="136" r="76" />`,
      [0, 1, 2].map((k) => {
        const a = (k / 3) * 2 * Math.PI + i;
        return cardAt(
          CLOUDS[i * 2 + k],
          { x: x + 34 * Math.cos(a), y: 136 + 34 * Math.sin(a) },
          46
        );
      }),
    ]),
  ];
}
