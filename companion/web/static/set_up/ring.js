// Who sits in the ring before the evening begins, and how it will be played.
//
// The ring is this tablet's own until "Begin"; then it becomes the evening's.

import { command } from "../core/commands.js";
import { get } from "../core/requests.js";
import { keep, recall } from "../core/storage.js";
import { createStore } from "../core/store.js";
import { currentLanguage } from "../core/words.js";
import { screen } from "../screen/this_screen.js";

export const MOST_PLAYERS = 8;
export const LEAST_PLAYERS = 3;
const LONGEST_NAME = 40;

export const ring = createStore({
  opened: false,
  anew: false, // opened again: after an evening's end, or before its first cards lie
  names: [],
  first: null, // who looked at the sky last
  edition: "en",
  handling: "auto",
  deckSize: 80,
  known: [], // people from other evenings
  dragged: null, // {seat, x, y} of a seat that follows a finger
});

// The ring as it stands; the first time as this tablet kept it.
export function openRing(board) {
  if (ring.get().opened) return ring.get();
  ring.put({
    opened: true,
    edition: recall("edition", currentLanguage()),
    handling: recall("handling", "auto"),
    deckSize: board.deck_size || 80,
  });
  if (!screen.get().watching)
    get("/api/people").then(
      (answer) => ring.set({ known: answer.people }),
      () => undefined
    );
  return ring.get();
}

// True where another set-up may take the place of what is shown: the evening is over, or none of its
// cards lie yet.
export function canSetUpAnew({ phase, round, rounds }) {
  return phase === "over" || (phase === "secret" && round.number === 1 && rounds.length === 0);
}

export function isSetUpAnew(board) {
  return ring.get().anew && canSetUpAnew(board);
}

// Open the ring as the evening has it: its people, edition and handling.
export function setUpAnew(board) {
  openRing(board);
  const begun = board.phase === "secret" && board.players[board.round.daydreamer];
  ring.set({
    anew: true,
    names: board.players.filter((person) => !person.away).map((person) => person.name),
    first: begun ? begun.name : null,
    edition: board.edition,
    handling: board.handling,
    deckSize: board.deck_size,
  });
}

export function leaveSetUp() {
  ring.set({ anew: false });
}

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

// Sit somebody down; "twice" when that name sits there already, "" when there is nothing to add,
// else "added".
export function sitDown(name) {
  const { names } = ring.get();
  const clean = tidyName(name);
  if (!clean || names.length >= MOST_PLAYERS) return "";
  if (names.some((other) => isSameName(other, clean))) return "twice";
  ring.set({ names: names.concat([clean]) });
  return "added";
}

export function standUp(name) {
  const { names, first, known } = ring.get();
  ring.set({
    names: names.filter((other) => other !== name),
    first: first === name ? null : first,
    known: known.indexOf(name) < 0 ? [name].concat(known) : known,
    dragged: null,
  });
}

export function moveSeat(name, index) {
  const names = ring.get().names.filter((other) => other !== name);
  const n = names.length + 1;
  names.splice(((index % n) + n) % n, 0, name);
  ring.set({ names, dragged: null });
}

export function beginEvening() {
  const { names, first, edition, handling, deckSize } = ring.get();
  keep("edition", edition);
  keep("handling", handling);
  command({
    do: "begin",
    players: names,
    daydreamer: names.indexOf(first),
    edition,
    deck_size: deckSize,
    handling,
  }).then((taken) => taken && ring.set({ anew: false }));
}
