// What the table said last: the scoreboard, its people as the page draws them, and whether the line
// to the table holds.
//
// This is the one door for states. Whoever keeps something only as long as a round, a phase or a
// question lasts registers with `onScoreboard` and is told of every step from one scoreboard to the
// next.

import { peopleOf } from "../parts/people.js";
import { createStore, redraw } from "./store.js";

const OVERTAKEN_MS = 1000; // a state still under way when an answer came may be older than the answer

export const evening = createStore({ board: null, people: [], online: true });

const listeners = [];
let answeredAt = 0;

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

// Take the scoreboard that the stream sent.
export function receiveScoreboard(board) {
  const before = evening.get().board;
  if (before && board.version < before.version && Date.now() - answeredAt < OVERTAKEN_MS) return;
  const people = peopleOf(board.players);
  evening.put({ board, people });
  for (const react of listeners) react(before, board, people);
  redraw();
}

// Take the scoreboard that came with the answer to a command: it counts, whatever is still under
// way.
export function receiveAnswer(board) {
  answeredAt = 0;
  receiveScoreboard(board);
  answeredAt = Date.now();
}

// The names of those who sit in the circle of the next round, clockwise.
export function comingNames(board) {
  return board.next ? board.next.circle.map((seat) => board.players[seat].name) : [];
}

// How many rounds the evening has, as far as anybody knows.
export function roundsOf(board) {
  return board.round ? board.round.of : 13;
}
