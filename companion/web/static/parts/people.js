// People at the table: shape first, then initial, then colour.
//
// A person's sign is theirs for years: the table keeps it and tells it with the name. Only who was
// never here gets one from this page, and the table keeps that one then.

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

const SIGNS = SHAPES.length;
const LONGEST_NAME = 40;

// A name as it is kept: 40 letters at most, no spaces but single ones inside, nothing that cannot
// be seen (what joins an emoji or a Persian word stays).
export function tidyName(name) {
  const seen = name.replace(/[\u00ad\u200b\u2060\ufeff]/g, "");
  return seen.replace(/\s+/g, " ").trim().slice(0, LONGEST_NAME);
}

// True for two ways to write one name: "Ada" and "ada", as the table compares them at "Begin".
export function isSameName(a, b) {
  const plain = (name) => tidyName(name).normalize("NFC").toUpperCase().toLowerCase();
  return plain(a) === plain(b);
}

// A sign for each of `names`, in the order they came. `known` has those of people who were here:
// {name, sign}. Each keeps theirs; where two have the same, the later one has another tonight;
// newcomers get those that the fewest people have. No two the same among eight.
export function signsAt(names, known) {
  const given = [];
  const count = (list, sign) => list.filter((one) => one === sign).length;
  names.forEach((name, at) => {
    const own = known.find((person) => isSameName(person.name, name));
    given[at] = own && given.indexOf(own.sign) < 0 ? own.sign : null;
  });
  const everybodys = known.map((person) => person.sign);
  return given.map((own, at) => {
    if (own !== null) return own;
    let best = 0;
    for (let sign = 1; sign < SIGNS; sign += 1) {
      const here = count(given, sign) - count(given, best);
      if (here < 0 || (here === 0 && count(everybodys, sign) < count(everybodys, best)))
        best = sign;
    }
    given[at] = best;
    return best;
  });
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

// People as the page draws them: {name, sign} and whatever else, and their initial.
export function peopleOf(players) {
  const initials = initialsFor(players.map((player) => player.name));
  return players.map((player, i) => Object.assign({}, player, { initial: initials[i] }));
}

export function name(person) {
  return html`<bdi class="name">${person.name}</bdi>`;
}

// The token around (0, 0), `size` units across; on the sun or moon its cut-out differs.
export function token(person, size) {
  const shape = SHAPES[person.sign];
  const long = person.initial.length > 1 && /[A-Za-zÀ-ž]{2}/.test(person.initial);
  const fontSize = (shape.size * (long ? 0.72 : 1)).toFixed(1);
  return html`
    <g class="token p${person.sign}" transform="scale(${size / 100}) translate(-50 -50)">
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
