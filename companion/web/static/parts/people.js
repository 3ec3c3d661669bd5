// People at the table: shape first, then initial, then colour.
//
// A person's shape comes from their name (with the others' names settling ties), so all screens
// agree without asking, the shape stays when seats change, and Ida is the star again next week.

import { html } from "../core/html.js";

// ball, tent, leaf, star, kite, drop, house, hill: the path of 100 units, and where and how large
// the initial stands.
const SHAPES = [
  { path: "M50 3A47 47 0 1 1 49.9 3Z", y: 50, size: 50 },
  { path: "M50 6L97 91H3Z", y: 64, size: 42 },
  { path: "M6 95V50A44 44 0 0 1 50 6H95V50A44 44 0 0 1 50 95Z", y: 51, size: 50 },
  { path: starPath(), y: 55, size: 42 },
  { path: "M50 1L99 50L50 99L1 50Z", y: 50, size: 44 },
  { path: "M50 1C64 24 91 42 91 64A41 35 0 0 1 9 64C9 42 36 24 50 1Z", y: 62, size: 50 },
  { path: "M50 4L95 42V95H5V42Z", y: 62, size: 50 },
  { path: "M3 88V58A47 47 0 0 1 97 58V88Z", y: 56, size: 50 },
];

function starPath() {
  let d = "";
  for (let i = 0; i < 10; i += 1) {
    const r = i % 2 ? 33 : 51;
    const a = (Math.PI * (i * 36 - 90)) / 180;
    d += `${i ? "L" : "M"}${(50 + r * Math.cos(a)).toFixed(1)} ${(53 + r * Math.sin(a)).toFixed(1)}`;
  }
  return `${d}Z`;
}

function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return (value >>> 0) % 8;
}

// For each name the number of its shape, 0 to 7; no two the same among eight.
function shapesFor(names) {
  const taken = {};
  const out = new Map(); // a player may be called __proto__
  names
    .slice()
    .sort((a, b) => (a < b ? -1 : 1))
    .forEach((name) => {
      let at = hash(name);
      for (let i = 0; i < 8 && taken[at]; i += 1) at = (at + 3) % 8;
      taken[at] = true;
      out.set(name, at);
    });
  return names.map((name) => out.get(name));
}

// The first letter as people see it (an emoji or a letter with its marks is one).
function letters(name, count) {
  const clean = name.trim();
  if (typeof Intl !== "undefined" && Intl.Segmenter) {
    return Array.from(new Intl.Segmenter().segment(clean))
      .slice(0, count)
      .map((s) => s.segment)
      .join("");
  }
  return Array.from(clean).slice(0, count).join("");
}

// One letter each; two for people who share their first.
function initialsFor(names) {
  const first = names.map((name) => letters(name, 1).toUpperCase());
  return first.map((one, i) =>
    first.filter((o) => o === one).length > 1
      ? one + letters(names[i], 2).slice(letters(names[i], 1).length).toLowerCase()
      : one
  );
}

// A person as the page draws them: seat, name, cards, shape, initial.
export function peopleOf(players) {
  const names = players.map((p) => p.name);
  const shapes = shapesFor(names);
  const initials = initialsFor(names);
  return players.map((p, i) => Object.assign({}, p, { shape: shapes[i], initial: initials[i] }));
}

export function name(person) {
  return html`<bdi class="name">${person.name}</bdi>`;
}

// The token around (0, 0), `size` units across; on the sun or moon its cut-out differs.
export function token(person, size) {
  const shape = SHAPES[person.shape];
  const long = person.initial.length > 1 && /[A-Za-zÀ-ž]{2}/.test(person.initial);
  const fontSize = (shape.size * (long ? 0.72 : 1)).toFixed(1);
  return html`
    <g class="token p${person.shape}" transform="scale(${size / 100}) translate(-50 -50)">
      <path class="cut" d=${shape.path} />
      <path class="shape" d=${shape.path} />
      <text class="initial" x="50" y=${shape.y} dy=".34em" font-size=${fontSize} text-anchor="middle">
        ${person.initial}
      </text>
    </g>`;
}

// The token as a small picture beside a name.
export function badge(person) {
  return html`<svg class="badge" viewBox="-56 -56 112 112" aria-hidden="true">${token(person, 100)}</svg>`;
}
