// Who sits in the ring before the evening begins, and how it will be played.
//
// The ring is this tablet's own until "Begin"; then it becomes the evening's.

import { command } from "../core/commands.js";
import { evening, onOtherEvening, onScoreboard } from "../core/evening.js";
import { get } from "../core/requests.js";
import { forget, keep, recall } from "../core/storage.js";
import { createStore, redraw } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { currentLanguage, t } from "../core/words.js";
import { isSameName, signsAt, tidyName } from "../parts/people.js";
import { sayAloud } from "../screen/announce.js";
import { screen } from "../screen/this_screen.js";

const LONGEST_GUESTS = 9; // so many guests' names are tried
// What a page that is loaded anew finds again.
const KEPT = ["anew", "names", "came", "first", "typed", "edition", "handling", "deckSize"];

export const MOST_PLAYERS = 8;
export const LEAST_PLAYERS = 3;

export const ring = createStore({
  opened: false,
  anew: false, // opened again: after an evening's end, or before its first cards lie
  names: [], // by seat
  came: [], // the same names in the order they came: who came first keeps their sign
  first: null, // who looked at the sky last
  typed: "", // what stands in the field for a new name
  twice: null, // a name from that field that sits in the ring already
  edition: "en",
  handling: "auto",
  deckSize: 80,
  known: [], // people from other evenings: {name, sign}
  last: [], // the names of those who sat here last time
  dragged: null, // {seat, x, y} of a seat that follows a finger
});

// The ring as it stands; the first time as this tablet kept it.
export function openRing(board) {
  if (ring.get().opened) return ring.get();
  ring.put({
    opened: true,
    edition: recall("edition", currentLanguage()),
    handling: recall("handling", "auto"),
    deckSize: board.coming_deck_size,
  });
  if (!screen.get().watching) {
    ring.put(keptDraft(board));
    askForPeople();
  }
  return ring.get();
}

function askForPeople() {
  get("/api/people").then(
    ({ people, last, renamed }) => {
      ring.set({ known: people, last });
      callByNewNames(renamed);
    },
    () => undefined
  );
}

// Somebody may have got another name in the book, or be in it no more.
onScoreboard((before, board) => {
  if (!before || !ring.get().opened || screen.get().watching) return;
  if (before.book_acts !== board.book_acts) askForPeople();
});

// A deck that another screen chooses holds for a ring that is open here, too.
onScoreboard((before, board) => {
  if (!before || !ring.get().opened || screen.get().watching) return;
  if (before.learnt_deck !== board.learnt_deck) changeRing({ deckSize: board.coming_deck_size });
});

// Who sat here under another name is called by the one that the book has since; two who are one person
// there have one seat.
function callByNewNames(renamed) {
  const { names, came, first } = ring.get();
  const isNow = (name) => (renamed[name] === undefined ? name : renamed[name]);
  const once = (list) => [...new Set(list.map(isNow))];
  if (names.some((name) => isNow(name) !== name))
    changeRing({ names: once(names), came: once(came), first: first && isNow(first) });
}

// What this tablet kept of the ring, where it is still to be set.
function keptDraft(board) {
  try {
    const { at, cards, draft } = JSON.parse(recall("ring", "{}"));
    if (cards !== board.learnt_deck) delete draft.deckSize; // it was counted of other cards
    return at === board.evening && (board.phase === "setup" || canSetUpAnew(board)) ? draft : {};
  } catch (_error) {
    return {};
  }
}

// Change the ring, and keep it as it is now.
export function changeRing(changed) {
  ring.set(changed);
  const now = ring.get();
  const draft = {};
  for (const one of KEPT) draft[one] = now[one];
  const { evening: at, learnt_deck: cards } = evening.get().board;
  keep("ring", JSON.stringify({ at, cards, draft }));
}

function forgetRing() {
  forget("ring");
  ring.put({
    opened: false,
    anew: false,
    names: [],
    came: [],
    first: null,
    typed: "",
    twice: null,
  });
}

// True where another set-up may take the place of what is shown: the evening is over, or none of its
// cards lie yet. The practice table plays its game with its own people.
export function canSetUpAnew({ phase, round, rounds, practice }) {
  if (practice) return false;
  return phase === "over" || (phase === "secret" && round.number === 1 && rounds.length === 0);
}

export function isSetUpAnew(board) {
  return ring.get().anew && canSetUpAnew(board);
}

// The board as it is before any round: what the sky and the hours show while people sit down.
export function morningOf(board) {
  return Object.assign({}, board, { phase: "setup", round: null });
}

// While this screen's own "Begin" is under way.
let beginning = false;

// A ring that was being set here is no draft of the evening that another screen began: that is said, and
// who was in it and does not sit there.
onOtherEvening((board) => {
  const { names, typed } = ring.get();
  const meant = names.concat(tidyName(typed) || []);
  const sits = (name) => board.players.some((person) => isSameName(person.name, name));
  const without = meant.filter((name) => !sits(name));
  forgetRing();
  if (beginning || !meant.length) return;
  if (without.length) showToast("said.begun_without", { names: without.join(", ") });
  else showToast("said.stale");
});

// Nor does it hide one that went on. A page that is loaded anew while the table is set up anew opens the
// ring again.
onScoreboard((before, board) => {
  if (!before && !screen.get().watching && keptDraft(board).anew) openRing(board);
  if (!before || canSetUpAnew(board) || !ring.get().anew) return;
  forgetRing();
  showToast("said.stale");
});

// Open the ring as the evening has it: its people, edition and handling.
export function setUpAnew(board) {
  openRing(board);
  sayAloud(""); // what was said last was said of the evening before
  const begun = board.phase === "secret" && board.players[board.round.daydreamer];
  const names = board.players.filter((person) => !person.away).map((person) => person.name);
  changeRing({
    anew: true,
    names,
    came: names,
    first: begun ? begun.name : null,
    typed: "",
    twice: null,
    edition: board.edition,
    handling: board.handling,
    deckSize: board.coming_deck_size,
  });
}

export function leaveSetUp() {
  forgetRing();
  sayAloud("");
  redraw();
}

// The people in the ring, by seat.
export function seated() {
  const { names, came, known } = ring.get();
  const signs = signsAt(came, known);
  const signOf = (name) => signs[came.indexOf(name)];
  return names.map((name, at) => ({ name, seat: at, cards: 0, away: false, sign: signOf(name) }));
}

// Sit somebody down; "twice" when that name sits there already, "" when there is nothing to add,
// else "added".
export function sitDown(name) {
  const { names, came } = ring.get();
  const clean = tidyName(name);
  if (!clean || names.length >= MOST_PLAYERS) return "";
  if (names.some((other) => isSameName(other, clean))) return "twice";
  changeRing({ names: names.concat([clean]), came: came.concat([clean]) });
  saySeat(clean);
  return "added";
}

function saySeat(name) {
  sayAloud(t("setup.seat", { name, n: ring.get().names.indexOf(name) + 1 }));
}

// Whoever was typed and not yet added sits down too: a name that was typed counts. False where that
// name sits there already.
export function sitTypedDown() {
  const { typed } = ring.get();
  const done = sitDown(typed);
  const twice = done === "twice";
  changeRing({ typed: "", twice: twice ? tidyName(typed) : null });
  return !twice;
}

// Somebody without a name: "Guest", "Guest 2" and so on.
export function sitGuestDown() {
  const { names } = ring.get();
  const free = guestNames().find((name) => !names.some((other) => isSameName(other, name)));
  return sitDown(free || "");
}

// What guests are called in this screen's language.
export function guestNames() {
  const names = [t("setup.guest")];
  for (let n = 2; n <= LONGEST_GUESTS; n += 1) names.push(`${t("setup.guest")} ${n}`);
  return names;
}

// Everybody who sat here last time, where they sat.
export function sitAsLastTime() {
  const { last } = ring.get();
  changeRing({ names: last, came: last, first: null });
  sayAloud(t("setup.here", { n: last.length }));
}

export function standUp(name) {
  const { names, came, first, known } = ring.get();
  const others = (list) => list.filter((other) => other !== name);
  const isKnown = known.some((person) => person.name === name);
  const sign = seated().find((person) => person.name === name).sign;
  changeRing({
    names: others(names),
    came: others(came),
    first: first === name ? null : first,
    known: isKnown ? known : [{ name, sign }].concat(known),
    dragged: null,
  });
  sayAloud(`${t("seats.leaves", { name })}. ${t("setup.here", { n: names.length - 1 })}.`);
}

export function moveSeat(name, index) {
  const names = ring.get().names.filter((other) => other !== name);
  const n = names.length + 1;
  names.splice(((index % n) + n) % n, 0, name);
  changeRing({ names, dragged: null });
  saySeat(name);
}

// Whoever looked at the sky last begins.
export function chooseFirst(name) {
  changeRing({ first: name });
}

export function beginEvening() {
  if (!sitTypedDown()) return;
  const { names, first, edition, handling, deckSize } = ring.get();
  keep("edition", edition);
  keep("handling", handling);
  sayAloud("");
  beginning = true;
  command({
    do: "begin",
    players: names,
    signs: seated().map((person) => person.sign),
    daydreamer: names.indexOf(first),
    edition,
    deck_size: deckSize,
    handling,
  }).then((taken) => {
    beginning = false;
    if (!taken) return;
    forgetRing();
    redraw();
  });
}
