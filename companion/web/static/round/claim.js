// The climax of a round, the same by camera and by touch: the clouds travel to whom they went, each
// counts as it arrives, and the sun goes on. Here is when; the style sheets have how.

import { evening, onScoreboard } from "../core/evening.js";
import { createStore } from "../core/store.js";
import { isJustWon } from "./outcome.js";

export const EACH_LATER_MS = 60; // the clouds set off one after another
const TRAVEL_MS = 700; // as in window.css

// How many of their new clouds are still on the way, by seat.
const travelling = createStore({ bySeat: {} });
let timers = [];

onScoreboard((before, board) => {
  if (before && isJustWon(before, board)) letTravel(board.rounds[board.rounds.length - 1].gains);
  else if (before && (before.phase !== board.phase || gained(before) !== gained(board))) arrive();
});

// What the last round gave everybody: as long as it is this, the clouds on their way are its clouds.
function gained({ rounds }) {
  return rounds.length ? String(rounds[rounds.length - 1].gains) : "";
}

function isStill() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function letTravel(gains) {
  arrive();
  if (isStill()) return;
  const bySeat = {};
  gains.forEach((gain, seat) => {
    bySeat[seat] = gain;
    for (let i = 0; i < gain; i += 1)
      timers.push(setTimeout(() => countOne(seat), TRAVEL_MS + i * EACH_LATER_MS));
  });
  travelling.put({ bySeat });
}

function countOne(seat) {
  const { bySeat } = travelling.get();
  travelling.set({ bySeat: Object.assign({}, bySeat, { [seat]: bySeat[seat] - 1 }) });
}

function arrive() {
  timers.forEach(clearTimeout);
  timers = [];
  travelling.put({ bySeat: {} });
}

// A person's clouds as the ring shows them: those that have arrived.
export function arrivedClouds(person) {
  return person.cards - (travelling.get().bySeat[person.seat] || 0);
}

// True where a name takes the place of another one on a table that moves: it appears as the sun
// lands there.
let shown = null;
let landing = false;
export function landsWithTheSun(name) {
  if (shown !== name) {
    landing = shown !== null && evening.get().board.phase === "guessing" && !isStill();
    shown = name;
  }
  return landing;
}
