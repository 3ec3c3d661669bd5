// What a screen reader says of a change: whose turn, what was entered, a question. Short, and only
// when it changed.

import { evening, lostKey, onScoreboard } from "../core/evening.js";
import { t } from "../core/words.js";

// Said when the reader is free.
export function sayAloud(text) {
  document.getElementById("say").textContent = text;
}

// Said at once.
export function alertAloud(text) {
  document.getElementById("alert").textContent = text;
}

onScoreboard((before, board, people) => {
  const text = sentenceFor(before, board, people);
  // what was said of another phase is not left standing
  if (text || (before && before.phase !== board.phase)) sayAloud(text);
});

function sentenceFor(before, board, people) {
  const { question, round, phase, last } = board;
  if (question && !(before && before.question && before.question.id === question.id))
    return t("said.question");
  if (before && isSameTurn(before, board)) return "";
  const nameOf = (seat) => people[seat].name;
  if (phase === "guessing" && people[round.turn])
    return t("said.turn", { name: nameOf(round.turn), n: round.attempt, of: round.attempts });
  if (phase === "secret")
    return t("said.secret", {
      n: round.draw,
      daydreamer: nameOf(round.daydreamer),
      lookout: nameOf(round.lookout),
    });
  if (phase === "result" && last && people[last.seat])
    return t("said.result", { name: nameOf(last.seat), gain: last.gain });
  if (phase === "over" && board.winners && !question)
    return t("said.over", { names: board.winners.map(nameOf).join(", ") });
  return "";
}

function isSameTurn(before, now) {
  if (before.phase !== now.phase || !before.round || !now.round) return false;
  if (!before.question !== !now.question) return false;
  const told = ["turn", "attempt", "number", "daydreamer", "lookout", "draw"];
  return told.every((field) => before.round[field] === now.round[field]);
}

// Say that the line to the table went, or came back.
export function announceLine(online) {
  const { board } = evening.get();
  alertAloud(online ? "" : t(board ? lostKey(board) : "lost.unplayed"));
  if (online) sayAloud(t("said.back"));
}
