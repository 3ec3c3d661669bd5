// Clouds as cards: the paper rim, the picture, the mark; backs; empty places.

import { evening } from "../core/evening.js";
import { html } from "../core/html.js";
import { CLOUD, MARK } from "./signs.js";
import { softCloud } from "./soft_clouds.js";

// The round cut-out that every picture of a card uses, in the window and in the text; drawn once a
// page.
export function cardCutOut() {
  return html`
    <svg key="shapes" class="unseen" width="0" height="0" aria-hidden="true">
      <defs>
        <clipPath id="disc" clipPathUnits="objectBoundingBox"><circle cx="0.5" cy="0.5" r="0.5" /></clipPath>
      </defs>
    </svg>`;
}

// One card of 100 units across around (0, 0), to be moved by its group. `side` is "up", "down" or
// "small" (no mark). Where nobody knows the card it has a silhouette, `shape`, in the sky of its
// hour `t`. `deck` names the learnt deck whose card it is, which has no mark: null for a printed one, by
// default that of the evening at the table.
function face(card, side, { shape = 0, t = 0, deck = deckAtTable() }) {
  if (side === "down")
    return html`
      <circle class="paper" r="50" />
      <circle class="back" r="47.8" />
      <path class="back-cloud" d=${CLOUD} transform="scale(1.12) translate(0 3)" />`;
  return html`
    <circle class="paper" r="50" />
    ${softCloud(shape, t)}
    ${isKnown(card) && picture(card, deck)}
    ${isKnown(card) && side !== "small" && !deck && mark()}`;
}

// True for a card (or a seat) that is known.
export function isKnown(card) {
  return card !== null && card !== undefined;
}

// A learnt deck has its name in the address: the browser keeps the printed cards' pictures.
function picture(card, deck) {
  const address = `/art/${card}${deck ? `?deck=${encodeURIComponent(deck)}` : ""}`;
  return html`
    <image href=${address} x="-47.8" y="-47.8" width="95.6" height="95.6" clip-path="url(#disc)"
      preserveAspectRatio="xMidYMid slice"
      onerror=${(_event, node) => node.setAttribute("visibility", "hidden")}
      onload=${(_event, node) => node.removeAttribute("visibility")} />`;
}

function deckAtTable() {
  const { board } = evening.get();
  return board && board.played_deck;
}

function mark() {
  return html`
    <g class="code-mark" transform="translate(0 35) scale(.9)">
      <rect class="mark-paper" x="-11" y="-11" width="22" height="22" rx="2" />
      <path class="mark" d=${MARK.path} transform="translate(-9 -9) scale(${18 / MARK.size})" />
    </g>`;
}

// A cloud in the window at `place` {x, y}, `size` units across; `more` has its `turn` in degrees,
// the `side` that lies up, a `cls`, a `style`, what a touch does (`act`), and for a card that nobody
// knows its `shape` and hour `t`; `deck` as above.
export function cloud(key, card, place, size, more) {
  const { turn = 0, side = "up", cls = "", style = {}, act, shape, t, deck } = more || {};
  const move = `translate(${place.x.toFixed(1)}px,${place.y.toFixed(1)}px) scale(${(size / 100).toFixed(3)})`;
  return html`
    <g key=${key} class=${["cloud", cls]} ...${act ? { on: { click: act } } : {}}
      style=${Object.assign({ transform: move }, style)}>
      <circle class="shade" r="62" cx="2" cy="5" />
      <g class="face" style=${{ transform: `rotate(${Math.round(turn)}deg)` }}>${face(card, side, { shape, t, deck })}</g>
    </g>`;
}

// A printed cloud that lies still in a drawing, `size` units across around `place`.
export function cardAt(card, place, size) {
  return html`<g transform="translate(${place.x} ${place.y}) scale(${size / 100})">${face(card, "small", { deck: null })}</g>`;
}

// A cloud as a picture in the text: in a question ("up"), in the ledger ("small"); `deck` as above.
export function thumb(card, side, cls, deck) {
  return html`<svg class=${["thumb", cls]} viewBox="-54 -54 108 108" aria-hidden="true">${face(card, side, { deck })}</svg>`;
}

// The clouds of a list as small pictures with their numbers; after `most` of them only dots.
export function thumbList(cards, most, deck) {
  return [
    cards
      .slice(0, most)
      .map(
        (card) =>
          html`<span key=${card} class="pile-card">${thumb(card, "small", "", deck)}<strong>${card}</strong></span>`
      ),
    cards.length > most && " …",
  ];
}

// The dotted circle of a place that became empty.
export function emptyPlace(key, place, size) {
  const radius = (size / 2 - 4).toFixed(1);
  return html`<circle key=${key} class="empty-place" cx=${place.x.toFixed(1)} cy=${place.y.toFixed(1)} r=${radius} />`;
}
