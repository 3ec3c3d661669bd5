// The short sentence that answers a tap.

import { alertAloud } from "../screen/announce.js";
import { html } from "./html.js";
import { createStore } from "./store.js";
import { say, t } from "./words.js";

const SHOWN_MS = 7000;

const toast = createStore({ key: null, params: {} });
let timer = null;

export function showToast(key, params) {
  clearTimeout(timer);
  timer = setTimeout(() => toast.set({ key: null }), SHOWN_MS);
  alertAloud(t(key, params));
  toast.set({ key, params });
}

export function toastLine() {
  const { key, params } = toast.get();
  return key && html`<p key="toast" class="toast">${say(key, params)}</p>`;
}
