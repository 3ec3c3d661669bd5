// Buttons: the round one with a sign and a second line, the one of underlined words, the one that
// asks for a steady finger.

import { isHeldBack } from "../core/commands.js";
import { evening } from "../core/evening.js";
import { html } from "../core/html.js";
import { showToast } from "../core/toast.js";
import { sign } from "./signs.js";

const HOLD_MS = 900;

// `more`: a `sign` (its name) or a `drawing`, a second line `below`, `cls`, `disabled`, `pressed`,
// a `label` for readers, `sends` where a tap tells the table something: it looks as if it could not
// be touched while taps are held back.
export function button(key, words, act, more) {
  const { drawing, sign: signName, below, cls, disabled, pressed, label, sends } = more || {};
  return html`
    <button key=${key} type="button" class=${["button", cls]} disabled=${!!disabled} aria-label=${label || null}
      aria-pressed=${pressed === undefined ? null : String(pressed)}
      aria-disabled=${sends && isHeldBack() ? "true" : null} onclick=${act}>
      ${drawing || (signName && sign(signName))}
      ${
        words &&
        html`
        <span class="label">
          <span class="main">${words}</span>
          ${below && html`<span class="below">${below}</span>`}
        </span>`
      }
    </button>`;
}

// `open` is given where the words open and shut something.
export function textButton(key, words, act, open) {
  return html`
    <button key=${key} type="button" class="text-button" aria-expanded=${open === undefined ? null : String(open)}
      onclick=${act}>
      <span>${words}</span>
    </button>`;
}

// A button that asks for a steady finger, dim while the table is out of reach: it fills in 900 ms;
// letting go empties it. Enter held does the same. What is done is what the button says when it is full: one that went away meanwhile,
// with what it would have changed, does nothing more, and that is said.
export function holdButton(key, words, act, more) {
  const { cls, disabled } = more || {};
  const start = (event, node) => {
    if (event.type === "keydown") {
      if (event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
    }
    node.classList.add("held");
    clearTimeout(node.__hold);
    node.__hold = setTimeout(() => {
      node.classList.remove("held");
      if (!node.isConnected) showToast("said.stale");
      else if (!node.disabled) node.dispatchEvent(new CustomEvent("heldthrough"));
    }, HOLD_MS);
  };
  const stop = (_event, node) => {
    node.classList.remove("held");
    clearTimeout(node.__hold);
  };
  const touches = {
    pointerdown: start,
    pointerup: stop,
    pointerleave: stop,
    pointercancel: stop,
    keydown: start,
    keyup: stop,
    blur: stop,
    contextmenu: (event) => event.preventDefault(),
    heldthrough: () => act(),
  };
  return html`
    <button key=${key} type="button" class=${["button hold", cls]} disabled=${!!disabled}
      aria-disabled=${evening.get().online ? null : "true"} on=${touches}>
      <span class="fill"></span>
      <span class="label">${words}</span>
    </button>`;
}

// Click, Enter and space for something drawn that is no button of the browser's.
export function pressed(act) {
  return {
    click: act,
    keydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act(event);
    },
  };
}
