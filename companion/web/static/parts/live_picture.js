// The camera's picture: asked for as single JPEGs (moving streams stop on tablets), a few a second
// while it is looked at.

import { html } from "../core/html.js";

const HIDDEN_MS = 1000;
const FAILED_MS = 2000;
const LARGE = { cls: "live large", width: 1280, everyMs: 400 };
const SMALL = { cls: "live small", width: 320, everyMs: 1000 };

// True while there is a camera that gives pictures.
export function givesPictures({ state }) {
  return ["off", "stopped", "waiting"].indexOf(state) < 0;
}

// An image element that keeps itself fresh while it is on the page.
export function largePicture(key, alt) {
  return livePicture(key, alt, LARGE);
}

export function smallPicture(key) {
  return livePicture(key, "", SMALL);
}

function livePicture(key, alt, size) {
  return html`
    <img key=${key} class=${size.cls} alt=${alt} width="16" height="9" mounted=${(node) => keepFresh(node, size)} />`;
}

function keepFresh(node, size) {
  let shown = null;
  const show = (blob) => {
    node.classList.toggle("dark", !blob);
    node.parentNode.classList.toggle("seen", !!blob);
    if (!blob) return;
    const old = shown;
    shown = URL.createObjectURL(blob);
    node.src = shown;
    if (old) setTimeout(() => URL.revokeObjectURL(old), 1000);
  };
  const next = async () => {
    if (!document.body.contains(node)) {
      if (shown) URL.revokeObjectURL(shown);
      return;
    }
    let wait = HIDDEN_MS;
    if (!document.hidden) {
      wait = size.everyMs;
      try {
        const answer = await fetch(`/api/picture?w=${size.width}`, { credentials: "same-origin" });
        show(answer.status === 200 ? await answer.blob() : null);
      } catch (_error) {
        wait = FAILED_MS;
      }
    }
    setTimeout(next, wait);
  };
  setTimeout(next, 0);
}
