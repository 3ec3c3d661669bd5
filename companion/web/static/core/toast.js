// The short sentence that answers a tap.

import { alertAloud, endAlert } from "../screen/announce.js";
import { evening } from "./evening.js";
import { html } from "./html.js";
import { createStore } from "./store.js";
import { say, t } from "./words.js";

const SHOWN_MS = 7000;

const toast = createStore({ key: null, params: {}, said: "" });
let timer = null;

// A game begins, is played, is over: what was said in one of these is not so in the next.
function stage({ board }) {
  if (!board) return "";
  const { phase } = board;
  return `${board.evening} ${phase === "setup" || phase === "over" ? phase : "played"}`;
}

export function showToast(key, params) {
  clearTimeout(timer);
  const words = t(key, params);
  timer = setTimeout(() => {
    toast.set({ key: null });
    endAlert(words);
  }, SHOWN_MS);
  alertAloud(words);
  toast.set({ key, params, said: stage(evening.get()) });
}

// What was refused has been done since.
export function endToast() {
  clearTimeout(timer);
  const { key, params } = toast.get();
  if (key) endAlert(t(key, params));
  toast.set({ key: null });
}

export function toastLine() {
  const { key, params, said } = toast.get();
  return (
    key &&
    said === stage(evening.get()) &&
    html`<p key="toast" class="toast">${say(key, params)}</p>`
  );
}
