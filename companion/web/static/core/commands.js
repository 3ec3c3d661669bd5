// A tap on its way to the table: sent with the version this screen saw, the answer's scoreboard
// taken, a refusal said; kept for a moment where it came too early.

import { screen } from "../screen/this_screen.js";
import { evening, onScoreboard, receiveAnswer, showHeldBack } from "./evening.js";
import { sendCommand, troubleOf } from "./requests.js";
import { numberNow } from "./round_numbers.js";
import { redraw } from "./store.js";
import { showToast } from "./toast.js";
import { has } from "./words.js";

const QUIET_MS = 650; // a second tap of the same finger lands on the next player's button: it is not meant
const SHORT_QUIET_MS = 150;
const TIMES_AGAIN = 3;
// After these another player's button may lie under the finger.
const MOVES_ON = ["set_aside", "right", "laid", "undo"];
// What is meant whatever happened meanwhile in the same evening.
const RESENT = [
  "name",
  "answer",
  "camera",
  "pause",
  "resume",
  "end",
  "players",
  "deck",
  "learn_back",
  "forget_back",
];

// What was last sent, while it is under way and in the quiet after it.
let sent = null;
let busy = false;
let quietUntil = 0;
// The scoreboard that a finger on its way to a button had before it, while taps do not count.
let aimedAt = null;
// The tap that came meanwhile, until it is known whether it still means the same.
let kept = null;
const listeners = [];

// True while a tap would not count at once.
export function isSettling() {
  return busy || Date.now() < quietUntil;
}

// True while a button that sends something looks as if it could not: the last tap is under way, the
// table just went on, or it is out of reach.
export function isHeldBack() {
  return isSettling() || !evening.get().online;
}

// Call `react(asked)` after every command of this screen that the table took.
export function afterCommand(react) {
  listeners.push(react);
}

// Send `{do: ..., ...}`; true when the table took it. A tap that comes too early is kept, and sent
// as soon as it may be where it still means what it meant. One about the table as it was before a guess
// that the camera has seen meanwhile means nothing any more.
export function command(asked) {
  if (screen.get().watching) return Promise.resolve(false);
  const before = evening.get().board;
  if (showHeldBack() && meaningOf(asked, before) !== meaningOf(asked, evening.get().board)) {
    showToast("said.stale");
    return Promise.resolve(false);
  }
  if (isSettling()) return keep(asked);
  if (!evening.get().online) showToast("said.trying");
  return send(asked);
}

// Sent again with the newer version where others were quicker and it still means what it meant.
function send(asked) {
  const again = RESENT.indexOf(asked.do) >= 0 || MOVES_ON.indexOf(asked.do) >= 0;
  return sendNow(asked, again ? TIMES_AGAIN : 0);
}

function keep(asked) {
  if (JSON.stringify(asked) === JSON.stringify(sent)) return Promise.resolve(false); // a double tap
  if (kept) kept.done(false);
  return new Promise((done) => {
    const { board } = evening.get();
    kept = { asked, meant: meaningOf(asked, aimedAt || board), inserted: board.inserted, done };
  });
}

function sendKept() {
  if (!kept || isSettling()) return;
  const { asked, meant, inserted, done } = kept;
  kept = null;
  const still = meaningOf(asked, evening.get().board) === meant && asNow(asked, inserted);
  if (still) {
    send(still).then(done);
  } else {
    showToast("said.stale");
    done(false);
  }
}

// The same with the number that its round has by now; null where that round is gone.
function asNow(asked, inserted) {
  if (asked.round === undefined) return asked;
  const round = numberNow(asked.round, inserted, evening.get().board.inserted);
  return round === null ? null : Object.assign({}, asked, { round });
}

// What a tap is about: the same as long as this text is. An answer is one of the stories that were told.
function meaningOf({ do: what }, board) {
  if (what === "answer") return JSON.stringify(board.question);
  if (RESENT.indexOf(what) >= 0) return String(board.evening);
  const { number, attempt, turn } = board.round || {};
  return JSON.stringify([board.phase, number, attempt, turn, what === "undo" && board.undo]);
}

async function sendNow(asked, timesAgain) {
  aimedAt = evening.get().board;
  sent = asked;
  busy = true;
  redraw();
  let answer = null;
  const { board } = evening.get();
  const { version, inserted } = board;
  const meant = meaningOf(asked, board);
  try {
    answer = await sendCommand(version, asked);
  } catch (_error) {
    busy = false;
    dropKept();
    showToast("said.unsent");
    return false;
  }
  busy = false;
  settle(MOVES_ON.indexOf(asked.do) >= 0 ? QUIET_MS : SHORT_QUIET_MS);
  if (answer.body.scoreboard) receiveAnswer(answer.body.scoreboard);
  if (answer.status === 200) {
    for (const react of listeners) react(asked);
    return true;
  }
  const still = timesAgain > 0 && meaningOf(asked, evening.get().board) === meant;
  const again = answer.status === 409 && still && asNow(asked, inserted);
  if (again) return sendNow(again, timesAgain - 1);
  if (answer.status === 401) location.reload();
  else if (answer.status === 409) showToast("said.stale");
  else if (answer.status >= 500) showToast(troubleOf(answer));
  else refuse(answer.body);
  return false;
}

function refuse({ reason, params }) {
  showToast(has(`refused.${reason}`) ? `refused.${reason}` : "refused.any", params);
}

function dropKept() {
  if (kept) kept.done(false);
  kept = null;
}

function settle(ms) {
  quietUntil = Math.max(quietUntil, Date.now() + ms);
  setTimeout(endQuiet, quietUntil - Date.now() + 10);
}

function endQuiet() {
  if (isSettling()) return;
  sent = null;
  aimedAt = null;
  redraw();
  sendKept();
}

// Somebody else, or the camera, went on: a finger on its way to a button meant the player before.
onScoreboard((before, board) => {
  if (!before || busy) return;
  const was = before.round || {};
  const now = board.round || {};
  const wentOn =
    before.phase !== board.phase ||
    was.number !== now.number ||
    was.attempt !== now.attempt ||
    was.turn !== now.turn;
  if (!wentOn) return;
  if (!isSettling()) aimedAt = before;
  settle(QUIET_MS);
});
