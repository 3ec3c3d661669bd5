// What a screen reader says of a change: whose turn, what was entered, a question, what the camera or
// the table needs. Short, and only when it changed.

import { PHONE_CAMERA_PAGE } from "../camera/phone_camera.js";
import { evening, lostKey, onScoreboard } from "../core/evening.js";
import { spokenNotice } from "../core/notice.js";
import { currentPage } from "../core/route.js";
import { t } from "../core/words.js";
import { askedKey, waitsWords } from "../questions/question_words.js";

const NOTICE_STANDS_MS = 1500; // a hand that passes covers a cloud for less

const CAMERA_PAGES = ["camera", PHONE_CAMERA_PAGE]; // there nobody is told where to go for a camera

const SAID_STANDS_MS = 10000; // read by then; later a reader that comes by would find what is no longer so

let saidTimer = null;

// Said when the reader is free.
export function sayAloud(text) {
  const say = document.getElementById("say");
  clearTimeout(saidTimer);
  say.textContent = text;
  if (text) saidTimer = setTimeout(() => (say.textContent = ""), SAID_STANDS_MS);
}

// Said at once.
export function alertAloud(text) {
  document.getElementById("alert").textContent = text;
}

// Nobody finds it there any more, unless something else was said since.
export function endAlert(text) {
  const alert = document.getElementById("alert");
  if (alert.textContent === text) alert.textContent = "";
}

onScoreboard((before, board, people) => {
  const { question, round } = board;
  const waited = before && before.question;
  const isNew = question && !(waited && waited.id === question.id);
  // what was said of another turn, another result, another phase or a question is not left standing
  const told = before && toldOf(before) === toldOf(board) && (question || !waited);
  if (told && !isNew) return;
  // one about the present round is told again with what is said of that round
  const asks = isNew || (question && round && question.round === round.number);
  const asked = asks ? `${waitsWords(board)}: ${t(askedKey(question), question.params)}` : "";
  sayAloud(`${told ? "" : sentenceFor(board, people)} ${asked}`.trim());
});

let noticed = "";
let noticeTimer = null;

onScoreboard((_, board, people) => {
  const words = spokenNotice(board, people, CAMERA_PAGES.includes(currentPage()));
  if (words === noticed) return;
  clearTimeout(noticeTimer);
  // nobody finds there what is not so any more
  if (noticed && document.getElementById("say").textContent === noticed) sayAloud("");
  noticed = words;
  if (words) noticeTimer = setTimeout(() => sayAloud(words), NOTICE_STANDS_MS);
});

function sentenceFor({ question, round, phase, last, winners }, people) {
  const nameOf = (seat) => people[seat].name;
  if (phase === "guessing" && people[round.turn])
    return t("said.turn", { name: nameOf(round.turn), n: round.attempt, of: round.attempts });
  if (phase === "secret")
    return t("said.secret", {
      n: round.draw,
      daydreamer: nameOf(round.daydreamer),
      lookout: nameOf(round.lookout),
    });
  if (phase === "result" && last) {
    if (!people[last.seat]) return t("result.void");
    return t("said.result", { name: nameOf(last.seat), gain: last.gain });
  }
  if (phase === "paused") return t("paused.title");
  if (phase === "over" && winners && !question)
    return winners.length
      ? t("said.over", { names: winners.map(nameOf).join(", ") })
      : t("end.over");
  return "";
}

// What a sentence is about: while this stays the same it has been said.
function toldOf({ phase, winners, last, round }) {
  const { turn, attempt, number, daydreamer, lookout, draw } = round || {};
  const won = phase === "over" ? winners : phase === "result" && last;
  return JSON.stringify([phase, won, turn, attempt, number, daydreamer, lookout, draw]);
}

// Say that the line to the table went, or came back.
export function announceLine(online) {
  const { board } = evening.get();
  alertAloud(online ? "" : t(board ? lostKey(board) : "lost.unplayed"));
  if (online) sayAloud(t("said.back"));
}
