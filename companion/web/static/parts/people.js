// People at the table: shape first, then initial, then colour.
//
// A person's sign is theirs for years: the table keeps it and tells it with the name. Only who was
// never here gets one from this page, and the table keeps that one then.

import { html } from "../core/html.js";
import { t } from "../core/words.js";

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

// The letters as people see them (an emoji or a letter with its marks is one).
export function lettersOf(name) {
  const clean = name.trim();
  if (typeof Intl !== "undefined" && Intl.Segmenter)
    return Array.from(new Intl.Segmenter().segment(clean), (s) => s.segment);
  return Array.from(clean);
}

// How many letters two names begin with alike.
function sharedBeginning(one, other) {
  let n = 0;
  while (n < one.length && n < other.length && one[n].toLowerCase() === other[n].toLowerCase())
    n += 1;
  return n;
}

// For each of the names, in letters, how far it begins as another one does.
function sharedBeginnings(names) {
  return names.map((one, i) =>
    Math.max(0, ...names.map((other, k) => (k === i ? 0 : sharedBeginning(one, other))))
  );
}

const isLetter = (one) => one.toLowerCase() !== one.toUpperCase() || /[0-9]/.test(one);

// One letter each; two for people who share their first: the second one, or where that is the same too,
// the first that differs.
function initialsFor(names, shared) {
  const first = names.map((name) => (name[0] || "").toUpperCase());
  const second = (i, at) => first[i] + names[i][at].toLowerCase();
  const given = first.slice();
  const free = (i, text) => given.every((one, k) => k === i || one !== text);
  first.forEach((one, i) => {
    if (first.filter((other) => other === one).length > 1 && names[i][1]) given[i] = second(i, 1);
  });
  given.forEach((one, i) => {
    if (!names[i][1] || free(i, one)) return;
    const differs = names[i].findIndex(
      (letter, at) => at >= shared[i] && at > 0 && isLetter(letter) && free(i, second(i, at))
    );
    const any = names[i].findIndex(
      (letter, at) => at > 0 && isLetter(letter) && free(i, second(i, at))
    );
    if (differs > 0 || any > 0) given[i] = second(i, differs > 0 ? differs : any);
  });
  return given;
}

const ALIKE_FROM = 4; // two names that begin with so many letters alike may look the same when cut
const TELLING = 7; // and so many letters from the first other one on tell them apart

// People as the page draws them: {name, sign} and whatever else, their initial, and their name in up
// to three `parts`: its beginning, what tells it from a name that begins alike, and the rest.
export function peopleOf(players) {
  const names = players.map((player) => lettersOf(player.name));
  const shared = sharedBeginnings(names);
  const initials = initialsFor(names, shared);
  return players.map((player, i) => {
    const [name, at] = [names[i], shared[i]];
    const parts = [name.slice(0, at), name.slice(at, at + TELLING), name.slice(at + TELLING)];
    const alike = at >= ALIKE_FROM && at < name.length;
    return Object.assign({}, player, { initial: initials[i], parts: alike ? parts : [name] });
  });
}

// The whole name. Within `.cuts` its beginning and its rest are cut where there is no room for it, never
// what tells two people apart.
export function name(person) {
  const [head, telling, rest] = (person.parts || []).map((part) => part.join(""));
  if (telling === undefined) return html`<bdi class="name">${person.name}</bdi>`;
  return html`
    <bdi class="name alike"><span class="begins">${head}</span><span>${telling}</span>${rest && html`<span class="rest">${rest}</span>`}</bdi>`;
}

// Several names as one text: "Ada, Ben and Cleo".
export function listed(names) {
  const between = (i) => (i === 0 ? "" : i === names.length - 1 ? t("end.and") : ", ");
  return html`<span>${names.map((one, i) => [between(i), html`<bdi>${one}</bdi>`])}</span>`;
}

// These letters as a text of at most so many.
export function shortened(letters, most) {
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
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
