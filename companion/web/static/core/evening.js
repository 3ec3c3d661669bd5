// What the table said last: the scoreboard, its people as the page draws them, and whether the line
// to the table holds.
//
// This is the one door for states. Whoever keeps something only as long as a round, a phase or a
// question lasts registers with `onScoreboard` and is told of every step from one scoreboard to the
// next.

import { peopleOf } from "../parts/people.js";
import { createStore, redraw } from "./store.js";

const OVERTAKEN_MS = 1000; // a state still under way when an answer came may be older than the answer
const GUESS_HELD_MS = 1300; // a wrong guess that the camera takes back again it takes back within that

export const evening = createStore({ board: null, people: [], online: true });

const listeners = [];
let answeredAt = 0;
// The newest scoreboard while a guess of the camera's in it is not shown yet, and what will show it.
let heldBack = null;
let heldTimer = null;

// Call `react(before, board, people)` for every scoreboard; `before` is null for the first one.
export function onScoreboard(react) {
  listeners.push(react);
}

// Call `react(board)` where the table is at another evening than this screen saw before.
export function onOtherEvening(react) {
  onScoreboard((before, board) => {
    if (before && before.evening !== board.evening) react(board);
  });
}

// Take the scoreboard that the stream sent. Where the camera has just seen a guess, nobody else is called
// up for a moment: what it takes back at once is not shown.
export function receiveScoreboard(board) {
  const before = evening.get().board;
  if (before && board.version < before.version && Date.now() - answeredAt < OVERTAKEN_MS) return;
  if (isSame(heldBack || before, board)) return; // the answer to a tap has told it already
  if (before && isNewsOfCamera(before, board)) holdBack(board);
  else show(board);
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

// True where all that `board` adds to the round is guesses that the camera saw.
function isNewsOfCamera(before, board) {
  const { round, question } = board;
  const goesOn = before.phase === "guessing" && board.phase === "guessing" && !question;
  if (!goesOn || before.evening !== board.evening || before.round.number !== round.number)
    return false;
  const more = round.guesses.slice(before.round.guesses.length);
  return more.length > 0 && more.every((guess) => guess.source === "camera");
}

function holdBack(board) {
  heldBack = board;
  if (heldTimer === null) heldTimer = setTimeout(showHeldBack, GUESS_HELD_MS);
}

// Show at once what is held back; true where something was.
export function showHeldBack() {
  const held = heldBack !== null;
  if (held) show(heldBack);
  return held;
}

function show(board) {
  clearTimeout(heldTimer);
  heldTimer = null;
  heldBack = null;
  const before = evening.get().board;
  const people = peopleOf(board.players);
  evening.put({ board, people });
  for (const react of listeners) react(before, board, people);
  redraw();
}

// Take the scoreboard that came with the answer to a command: it counts, whatever is still under
// way.
export function receiveAnswer(board) {
  show(board);
  answeredAt = Date.now();
}

// The names of those who sit in the circle of the next round, clockwise.
export function comingNames(board) {
  return board.next ? board.next.circle.map((seat) => board.players[seat].name) : [];
}

// The key of the words for a table that cannot be reached: what is played goes on without it.
export function lostKey({ phase, camera }) {
  if (phase === "setup" || phase === "over") return "lost.unplayed";
  return camera.state === "off" ? "lost.by_hand" : "lost.camera";
}

// How many rounds the evening has, as far as anybody knows.
export function roundsOf(board) {
  return board.round ? board.round.of : 13;
}
