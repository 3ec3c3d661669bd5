// The camera's picture: asked for as single JPEGs (moving streams stop on tablets), a few a second while it is looked at.

import { h } from "./vtree.js";
import { t } from "./words.js";

const EVERY_MS = { small: 1000, large: 400 };

// An image element that keeps itself fresh while it is on the page.
export function livePicture(key, width, cls, words) {
  return h("img", {
    key: key,
    class: "live " + cls,
    alt: words,
    width: 16,
    height: 9,
    born: (node) => keepFresh(node, width, width > 400 ? EVERY_MS.large : EVERY_MS.small)
  });
}

function keepFresh(node, width, every) {
  let url = null;
  const next = () => {
    if (!document.body.contains(node)) {
      if (url) URL.revokeObjectURL(url);
      return;
    }
    if (document.hidden) {
      setTimeout(next, 1000);
      return;
    }
    fetch("/api/picture?w=" + width, { credentials: "same-origin" })
      .then((answer) => (answer.status === 200 ? answer.blob() : null))
      .then((blob) => {
        node.classList.toggle("dark", !blob);
        node.parentNode.classList.toggle("seen", !!blob);
        if (blob) {
          const old = url;
          url = URL.createObjectURL(blob);
          node.src = url;
          if (old) setTimeout(() => URL.revokeObjectURL(old), 1000);
        }
        setTimeout(next, every);
      })
      .catch(() => setTimeout(next, 2000));
  };
  setTimeout(next, 0);
}

// The practice table in a small frame, so that a newcomer watches a game being kept.
export function practiceFrame(app) {
  if (!app.board.practice || app.board.phase === "over") return null;
  return h(
    "a",
    { key: "practice-frame", class: "practice-frame", href: "#camera", "aria-label": t("practice.look") },
    livePicture("live", 320, "small", "")
  );
}
