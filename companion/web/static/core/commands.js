// A tap on its way to the table: sent with the version this screen saw, the answer's scoreboard
// taken, a refusal said.

import { screen } from "../screen/this_screen.js";
import { evening, onScoreboard, receiveAnswer } from "./evening.js";
import { sendCommand } from "./requests.js";
import { redraw } from "./store.js";
import { showToast } from "./toast.js";
import { has } from "./words.js";

const QUIET_MS = 650; // a second tap of the same finger lands on the next player's button: it is not meant
const SHORT_QUIET_MS = 150;
// After these another player's button may lie under the finger.
const MOVES_ON = ["set_aside", "right", "laid", "undo"];
// What is meant whatever happened meanwhile: sent again with the newer version.
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

let busy = false;
let quietUntil = 0;
const listeners = [];

// True while a tap would not count.
export function isSettling() {
  return busy || Date.now() < quietUntil;
}

// Call `react()` after every command of this screen that the table took.
export function afterCommand(react) {
  listeners.push(react);
}

// Send `{do: ..., ...}`; true when the table took it.
export function command(asked) {
  if (screen.get().watching || isSettling()) return Promise.resolve(false);
  return sendNow(asked, RESENT.indexOf(asked.do) >= 0);
}

async function sendNow(asked, resend) {
  busy = true;
  let answer = null;
  try {
    answer = await sendCommand(evening.get().board.version, asked);
  } catch (_error) {
    busy = false;
    showToast("said.unsent");
    return false;
  }
  busy = false;
  settle(MOVES_ON.indexOf(asked.do) >= 0 ? QUIET_MS : SHORT_QUIET_MS);
  if (answer.body.scoreboard) receiveAnswer(answer.body.scoreboard);
  if (answer.status === 200) {
    for (const react of listeners) react();
    return true;
  }
  if (answer.status === 409 && resend) return sendNow(asked, false);
  if (answer.status === 401) location.reload();
  else if (answer.status === 409) showToast("said.stale");
  else refuse(answer.body);
  return false;
}

function refuse({ reason, params }) {
  showToast(has(`refused.${reason}`) ? `refused.${reason}` : "refused.any", params);
}

function settle(ms) {
  quietUntil = Math.max(quietUntil, Date.now() + ms);
  setTimeout(redraw, quietUntil - Date.now() + 10);
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
  if (wentOn) settle(QUIET_MS);
});
