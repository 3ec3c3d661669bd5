// What a question is about and asks, in words: for its card, its line, and what is read aloud of it.

import { has, t } from "../core/words.js";

// True for a question about the round that is being guessed, or rests.
export function isAboutNow({ question, phase, round }) {
  const guessed = phase === "guessing" || phase === "paused";
  return !!question && guessed && round.number === question.round;
}

// That it waits, and about which round where that is an earlier one.
export function waitsWords(board) {
  return isAboutNow(board)
    ? t("question.waits")
    : t("question.waits_about", { round: board.question.round });
}

// The key of what it asks.
export function askedKey({ asks }) {
  const key = `question.${asks}`;
  return has(key) ? key : "question.any";
}
