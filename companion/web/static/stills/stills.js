// What people may have kept of the camera's pictures: the switches, the marks on the window while one is
// on, and the way to the stills beside an entry or a question.

import { html } from "../core/html.js";
import { post, troubleOf } from "../core/requests.js";
import { go } from "../core/route.js";
import { createStore } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { t } from "../core/words.js";
import { textButton } from "../parts/buttons.js";
import { switchRow } from "../parts/fields.js";
import { sign } from "../parts/signs.js";
import { screen } from "../screen/this_screen.js";

// What the page of stills shows: a guess of the newest round by its place, or the question about it;
// null for neither.
export const lookedFor = createStore({ guess: null, question: false });

function isOn(board) {
  return !!board.stills && board.stills.on;
}

// At set-up; where no camera watches there is nothing to keep.
export function stillsRow(board) {
  return keepRow(board, "stills", t("stills.row"), isOn(board));
}

// On its own page: one picture of each round for the album.
export function picturesRow(board) {
  return keepRow(board, "pictures", t("kept.title"), board.pictures);
}

function keepRow(board, what, words, on) {
  if (board.camera.state === "off") return null;
  const choose = (one) =>
    post(`/api/${what}`, { on: one === "on" }).then(
      (answer) => answer.status !== 200 && showToast(troubleOf(answer)),
      () => showToast("said.unsent")
    );
  const onOff = [
    ["off", t("more.off")],
    ["on", t("more.on")],
  ];
  return switchRow(what, words, on ? "on" : "off", onOff, choose);
}

// On the window of the table, as long as something is kept of what the camera sees.
export function stillsMark(board) {
  if (board.camera.state === "off") return null;
  const open = () => lookedFor.put({ guess: null, question: false });
  return [
    isOn(board) && mark("stills", "again", t("stills.mark"), open),
    board.pictures && mark("kept", "album", t("kept.mark")),
  ];
}

function mark(name, signName, words, act) {
  return html`
    <a key=${name} class=${["recording-mark", `${name}-mark`]} href="#${name}" onclick=${act || null}>
      ${sign(signName)}<span>${words}</span>
    </a>`;
}

// The way to the stills around guess `index` of `round`; nothing where there are none.
export function lookAtGuess(board, round, index) {
  const offered =
    isOn(board) && board.stills.round === round.number && board.stills.guesses.indexOf(index) >= 0;
  if (!offered || screen.get().watching) return null;
  return look(`look-${index}`, t("stills.look"), { guess: index, question: false });
}

// The guesses of the newest round that can be looked at again, by their places.
export function guessesToLookAt(board) {
  return isOn(board) ? board.stills.guesses : [];
}

export function lookAtQuestion(board) {
  if (!isOn(board) || !board.stills.question || screen.get().watching) return null;
  return look("look-question", t("stills.look"), { guess: null, question: true });
}

export function look(key, words, what) {
  return textButton(key, words, () => {
    lookedFor.set(what);
    go("stills");
  });
}
