// More: this screen's own choices, and the few large things of an evening, each behind a steady finger.

import { h } from "./vtree.js";
import { button, holdButton } from "./parts.js";
import { recall } from "./keep.js";
import { awakeWords } from "./awake.js";
import { play, soundsOn } from "./sound.js";
import { playersEditor } from "./seats.js";
import { LANGUAGES, currentLanguage, t } from "./words.js";

function segments(key, label, value, options, act) {
  return h(
    "div",
    { key: key, class: "row" },
    h("span", { id: "seg-" + key }, label),
    h(
      "span",
      { class: "switch", role: "group", "aria-labelledby": "seg-" + key },
      options.map((o) =>
        h(
          "button",
          {
            key: o[0],
            type: "button",
            lang: o[2] || null,
            "aria-pressed": String(o[0] === value),
            on: { click: () => act(o[0]) }
          },
          o[1]
        )
      )
    )
  );
}

function thisScreen(app) {
  const people = app.people;
  return h(
    "section",
    { key: "screen" },
    h("h2", {}, t("more.screen")),
    segments(
      "language",
      t("more.language"),
      currentLanguage(),
      Object.keys(LANGUAGES).map((l) => [l, LANGUAGES[l], l]),
      (l) => app.chooseLanguage(l)
    ),
    segments(
      "theme",
      t("more.theme"),
      recall("theme", "auto"),
      [
        ["auto", t("more.theme_auto")],
        ["day", t("more.theme_day")],
        ["night", t("more.theme_night")]
      ],
      (v) => app.choose("theme", v)
    ),
    segments(
      "sound",
      t("more.sound"),
      soundsOn() ? "on" : "off",
      [
        ["off", t("more.off")],
        ["on", t("more.on")]
      ],
      (v) => {
        app.choose("sound", v);
        if (v === "on") play("entered");
      }
    ),
    people.length
      ? h(
          "div",
          { key: "side", class: "row" },
          h("label", { for: "side" }, t("more.side")),
          h(
            "select",
            { id: "side", on: { change: (e) => app.choose("side", e.target.value) } },
            people.map((p, i) => h("option", { key: p.seat, value: String(i), selected: app.side % people.length === i }, p.name))
          )
        )
      : null,
    h("p", { class: "soft" }, t(awakeWords()))
  );
}

function evening(app) {
  const board = app.board;
  if (app.watch || !board.round) return null;
  const camera = board.camera.state;
  const paused = board.phase === "paused";
  return h(
    "section",
    { key: "evening" },
    h("h2", {}, t("more.evening")),
    segments(
      "camera",
      t("more.camera"),
      camera === "off" ? "off" : "on",
      [
        ["on", t("more.on")],
        ["off", t("more.by_touch")]
      ],
      (v) => app.command({ do: "camera", on: v === "on" })
    ),
    board.phase !== "over" ? deckRow(app) : null,
    board.phase !== "over"
      ? h(
          "div",
          { key: "pause", class: "row" },
          h("span", {}, t("more.pause_why")),
          button("pause", t(paused ? "paused.resume" : "more.pause"), () =>
            app.command({ do: paused ? "resume" : "pause" }).then(() => app.go(""))
          )
        )
      : null,
    board.phase !== "over"
      ? h(
          "div",
          { key: "void", class: "row tall" },
          h("span", {}, t("more.void")),
          h(
            "span",
            { class: "pair" },
            holdButton("void-out", t("more.void_out"), () => voided(app, "out")),
            holdButton("void-back", t("more.void_back"), () => voided(app, "back"))
          )
        )
      : null,
    board.phase !== "over"
      ? h(
          "div",
          { key: "end", class: "row" },
          h("span", {}, t("more.end_why")),
          holdButton("end", t("more.end"), () => app.command({ do: "end" }).then(() => app.go("")))
        )
      : null
  );
}

function deckRow(app) {
  const now = app.board.deck_size;
  const size = app.ui.deck || now;
  const step = (by) => app.set({ deck: Math.max(8, Math.min(99, size + by)) });
  const one = (key, words, sign, by) =>
    h("button", { key: key, type: "button", class: "round", "aria-label": t(words), on: { click: () => step(by) } }, sign);
  return h(
    "div",
    { key: "deck", class: "row tall" },
    h("span", { id: "deck-why" }, t("more.deck_why")),
    h(
      "span",
      { class: "stepper", role: "group", "aria-labelledby": "deck-why" },
      one("less", "setup.fewer", "−", -1),
      h("strong", { key: "n", "aria-live": "polite" }, t("setup.clouds", { n: size })),
      one("plus", "setup.more_cards", "+", 1)
    ),
    size === now
      ? null
      : button("deck-keep", t("more.deck_keep"), () => app.command({ do: "deck", size: size }).then(() => app.set({ deck: null })))
  );
}

function voided(app, cards) {
  app.command({ do: "void", round: app.board.round.number, cards: cards }).then(() => app.go(""));
}

export function morePage(app) {
  return [
    h(
      "main",
      { key: "more", class: "sheet more" },
      h(
        "header",
        { class: "sheet-head" },
        h("h1", {}, t("more")),
        h("p", { class: "soft" }),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
      ),
      h(
        "nav",
        { class: "ways", "aria-label": t("more") },
        button("rules", t("rules.title"), () => app.go("rules"), { sign: "cloud" }),
        button("camera", t("camera.title"), () => app.go("camera"), { sign: "eye" }),
        app.watch ? null : button("screens", t("screens.title"), () => app.go("screens"), { sign: "more" }),
        app.watch ? null : button("print", t("print.title"), () => app.go("print"), { sign: "ledger" }),
        app.watch || ["setup", "over"].indexOf(app.board.phase) < 0 ? null : button("deck", t("deck.title"), () => app.go("deck"), { sign: "cloud" }),
        app.watch || !app.board.round || app.board.camera.state === "off" ? null : button("piles", t("piles.title"), () => app.go("piles"), { sign: "hand" })
      ),
      h("div", { class: "two" }, thisScreen(app), evening(app), playersEditor(app)),
      h("p", { class: "soft small about" }, "Cloud Mine Companion " + app.version)
    )
  ];
}
