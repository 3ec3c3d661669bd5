// The deck check: cards laid out or shown in any number tick themselves off; what is missing, doubled or hard to read is named.

import { h } from "./vtree.js";
import { button } from "./parts.js";
import { livePicture } from "./picture.js";
import { thumb } from "./clouds.js";
import { post } from "./link.js";
import { printAgain } from "./print.js";
import { change, ring } from "./ring.js";
import { t } from "./words.js";

const AGAIN_MS = 400;
const NAMED = 12; // more missing cards than this are only shown in the grid
const LARGE_BYTES = 2500000;
const ENOUGH_PX = 3200;
const LEAST = 8; // a smaller deck cannot be set up

let looking = false;

function open(app) {
  return ["setup", "over"].indexOf(app.board.phase) >= 0;
}

function keep(app, more) {
  app.set({ deckCheck: Object.assign({}, app.ui.deckCheck, more) });
}

// Ask the camera again and again while this page is shown.
function follow(app) {
  if (looking) return;
  looking = true;
  const next = () => {
    if (app.page() !== "deck" || app.watch || !open(app)) {
      looking = false;
      return;
    }
    if (document.hidden) {
      setTimeout(next, 1000);
      return;
    }
    post("/api/deck", "{}")
      .then((answer) => {
        if (answer.status === 200) take(app, answer.body);
        setTimeout(next, AGAIN_MS);
      })
      .catch(() => setTimeout(next, 2000));
  };
  next();
}

function take(app, found) {
  const before = app.ui.deckCheck && app.ui.deckCheck.found;
  const live = found.live === undefined ? !!(before && before.live) : found.live;
  keep(app, { found: Object.assign(found, { live: live }) });
  if (!before || before.seen.length !== found.seen.length)
    document.getElementById("say").textContent = t("deck.count", { n: found.seen.length, of: found.deck_size });
}

function anew(app) {
  post("/api/deck/anew", "{}").then((answer) => answer.status === 200 && take(app, answer.body));
}

// A phone's photo is larger than it need be: the server takes 3 MB, and 80 cards are read in 3200 dots.
function shrunk(file) {
  if (file.size <= LARGE_BYTES) return Promise.resolve(file);
  return new Promise((done, fail) => {
    const url = URL.createObjectURL(file);
    const picture = new Image();
    picture.onload = () => {
      const canvas = document.createElement("canvas");
      const scale = Math.min(1, ENOUGH_PX / Math.max(picture.naturalWidth, picture.naturalHeight));
      canvas.width = Math.round(picture.naturalWidth * scale);
      canvas.height = Math.round(picture.naturalHeight * scale);
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(url);
      canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("blob"))), "image/jpeg", 0.85);
    };
    picture.onerror = () => {
      URL.revokeObjectURL(url);
      fail(new Error("picture"));
    };
    picture.src = url;
  });
}

function photo(app, event) {
  const file = event.target.files[0];
  event.target.value = "";
  if (!file) return;
  keep(app, { photo: "reading" });
  shrunk(file)
    .then((small) => fetch("/api/deck/photo", { method: "POST", credentials: "same-origin", body: small }))
    .then((answer) => answer.json().then((body) => ({ ok: answer.ok, body: body })))
    .then((answer) => {
      if (answer.ok) take(app, answer.body);
      keep(app, { photo: answer.ok ? answer.body.photo : "bad" });
    })
    .catch(() => keep(app, { photo: "bad" }));
}

function ticks(found) {
  const seen = new Set(found.seen);
  const twice = new Set(found.doubled);
  const weak = new Set(found.weak);
  const all = found.seen.concat(found.missing).sort((a, b) => a - b);
  return h(
    "ol",
    { class: "ticks", "aria-hidden": "true" },
    all.map((card) =>
      h(
        "li",
        {
          key: card,
          class: (seen.has(card) ? "seen" : "gone") + (twice.has(card) ? " twice" : "") + (weak.has(card) ? " weak" : "")
        },
        card
      )
    )
  );
}

function named(key, cards, words, more) {
  if (!cards.length) return null;
  return h(
    "div",
    { key: key, class: "deck-line" },
    h(
      "p",
      {},
      h("strong", {}, words),
      " ",
      cards.slice(0, NAMED).map((card) => h("span", { key: card, class: "pile-card" }, thumb(card, "", "small"), h("strong", {}, card))),
      cards.length > NAMED ? " …" : null
    ),
    more
  );
}

function verdict(app, found) {
  const count = found.seen.length;
  const again = (key, cards) => button("again-" + key, t("deck.print"), () => printAgain(app, cards));
  const whole = !found.missing.length;
  return [
    h(
      "p",
      { key: "count", class: "deck-count" },
      h("strong", {}, count),
      " ",
      t("deck.of", { of: found.deck_size }),
      found.new.length && found.new.length <= 3 && !whole ? h("span", { class: "soft" }, " + " + found.new.join(", ")) : null
    ),
    ticks(found),
    whole ? h("p", { key: "whole", class: "deck-whole" }, t("deck.whole", { n: count })) : null,
    found.dim ? h("p", { key: "dim", class: "note" }, t("deck.dim")) : null,
    count && found.missing.length && found.missing.length <= NAMED
      ? named("missing", found.missing, t("deck.missing"), [
          h("p", { key: "why", class: "soft" }, t("deck.missing_why")),
          again("missing", found.missing)
        ])
      : null,
    named("twice", found.doubled, t("deck.twice"), h("p", { class: "soft" }, t("deck.twice_why"))),
    named("weak", found.weak, t("deck.weak"), again("weak", found.weak)),
    found.foreign ? h("p", { key: "foreign", class: "note" }, t("deck.foreign", { n: found.foreign })) : null
  ];
}

function buttons(app, ui) {
  const found = ui.found;
  const count = found ? found.seen.length : 0;
  return h(
    "div",
    { key: "buttons", class: "deck-buttons" },
    app.board.phase === "setup" && count >= LEAST
      ? button("play", t("deck.play", { n: count }), () => {
          ring(app);
          change(app, { deck: count });
          app.go("");
        }, { cls: found.missing.length <= NAMED ? "primary" : "" })
      : null,
    h(
      "label",
      { key: "photo", class: "button file" + (count || ui.photo === "reading" || (found && found.live) ? "" : " primary") },
      h("span", { class: "label" }, t(ui.photo === "reading" ? "deck.photo_reading" : "deck.photo")),
      h("input", {
        type: "file",
        accept: "image/jpeg,image/png,image/webp",
        class: "unseen",
        disabled: ui.photo === "reading",
        on: { change: (event) => photo(app, event) }
      })
    ),
    count ? button("anew", t("deck.anew"), () => anew(app)) : null,
    ui.photo !== undefined && ui.photo !== "reading"
      ? h(
          "p",
          { key: "shown", class: ui.photo === "bad" ? "note" : "soft", role: "status" },
          ui.photo === "bad" ? t("deck.photo_bad") : t("deck.photo_shown", { n: ui.photo })
        )
      : null
  );
}

export function deckPage(app) {
  const may = open(app) && !app.watch;
  const ui = app.ui.deckCheck || {};
  if (may) setTimeout(() => follow(app), 0);
  const seen = app.board.camera.state === "live" || (ui.found && ui.found.live);
  return [
    h(
      "main",
      { key: "deck", class: "sheet deck" },
      h(
        "header",
        { class: "sheet-head" },
        h("h1", {}, t("deck.title")),
        h("p", { class: "soft" }),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
      ),
      may
        ? h(
            "div",
            { class: "two" },
            h(
              "section",
              { key: "view", class: "deck-view" },
              h("p", { key: "how", class: "second" }, t(seen ? "deck.how" : "deck.how_photo")),
              seen ? h("div", { key: "frame", class: "frame" }, livePicture("deck-live", 1280, "large", t("camera.alt"))) : null,
              buttons(app, ui)
            ),
            h("section", { key: "count", class: "deck-list" }, ui.found ? verdict(app, ui.found) : h("p", { class: "soft" }, t("calibration.looking")))
          )
        : h("p", { class: "second" }, t(app.watch ? "deck.watch" : "deck.later"))
    )
  ];
}
