// The print page: choose what, see the pages as they will look, have the file made, take it home.

import { h } from "./vtree.js";
import { button, textButton } from "./parts.js";
import { LABEL, USUAL, change, make, merge, stale, state } from "./order.js";
import { has, say, t } from "./words.js";

const KINDS = ["cards", "stickers", "table", "test-sheet", "ruler"];
const DECKS = ["CM1", "CM2", "CM3", "CM4"];
const SHOWN = 6; // pages shown at first; the rest on a touch
const NUMBER = { inputmode: "decimal" };

// Open the page with these cards to be printed again.
export function printAgain(app, cards) {
  state(app);
  change(app, { kind: "cards", format: "pdf", cards: cards.join(",") });
  app.go("print");
}

function troubleWords(trouble) {
  return has("print.cannot." + trouble.key) ? say("print.cannot." + trouble.key, trouble.params) : trouble.says || t("print.cannot.any");
}

function select(app, field, options, words) {
  const choice = app.ui.print.choice;
  return h(
    "div",
    { key: field, class: "row" },
    h("label", { for: "print-" + field }, t("print." + field)),
    h(
      "select",
      { id: "print-" + field, on: { change: (e) => change(app, { [field]: e.target.value }) } },
      options.map((o) => h("option", { key: o, value: o, selected: o === choice[field] }, words(o)))
    )
  );
}

function field(app, name, more) {
  return h(
    "div",
    { key: name, class: "row" },
    h("label", { for: "print-" + name }, t("print." + name)),
    h(
      "input",
      Object.assign(
        {
          id: "print-" + name,
          class: "print-input",
          value: app.ui.print.choice[name],
          autocomplete: "off",
          maxlength: 120,
          on: { input: (e) => change(app, { [name]: e.target.value }) }
        },
        more
      )
    )
  );
}

// What only some need stays shut; it stands open while something in it is not as usual.
function drawer(app, name, fields, rows) {
  const ui = app.ui.print;
  const set = fields.some((f) => ui.choice[f] !== USUAL[f]);
  const open = set || !!ui.open[name];
  return h(
    "div",
    { key: name, class: "print-drawer" },
    set
      ? h("p", { key: "title" }, h("strong", {}, t("print.drawer." + name)))
      : textButton(name, t("print.drawer." + name), () => merge(app, { open: Object.assign({}, ui.open, { [name]: !open }) }), { open: open }),
    open ? rows() : null
  );
}

function stickers(app) {
  const ui = app.ui.print;
  const sheets = ui.options ? ui.options.sheets : [];
  const known = sheets.find((s) => s.name === ui.choice.sheet);
  const words = (name) => (name === "scissors" || name === "custom" ? t("print." + name) : sheets.find((s) => s.name === name).maker);
  return [
    select(app, "sheet", ["scissors"].concat(sheets.map((s) => s.name), ["custom"]), words),
    known
      ? h(
          "p",
          { key: "known", class: "soft" },
          t(known.round ? "print.labels_round" : "print.labels_square", {
            n: known.count,
            mm: known.side_mm,
            paper: t("print.paper." + known.paper)
          })
        )
      : null,
    ui.choice.sheet === "custom"
      ? h(
          "div",
          { key: "custom", class: "print-custom" },
          h("p", { key: "how", class: "soft" }, t("print.custom_how")),
          select(app, "label_shape", ["square", "round"], (s) => t("print.shape." + s)),
          LABEL.map((n) => field(app, n, NUMBER))
        )
      : null,
    ui.choice.sheet === "scissors" ? null : field(app, "start", NUMBER),
    h("p", { key: "fair", class: "soft" }, t("print.fair"))
  ];
}

function choices(app) {
  const ui = app.ui.print;
  const choice = ui.choice;
  const cards = choice.kind === "cards";
  const labels = choice.kind === "stickers";
  const png = cards && choice.format === "png";
  const named = labels && choice.sheet !== "scissors" && choice.sheet !== "custom";
  const turned = (cards && !png && (choice.backs === "long" || choice.backs === "short")) || choice.kind === "ruler";
  return h(
    "section",
    { key: "choices", class: "print-choices" },
    select(app, "kind", KINDS, (k) => t("print.kind." + k)),
    cards ? select(app, "format", ["pdf", "png"], (f) => t("print.format." + f)) : null,
    png || named ? null : select(app, "paper", ["a4", "letter"], (p) => t("print.paper." + p)),
    cards || labels ? field(app, "cards", { placeholder: "7,12,40-44" }) : null,
    (cards && !png) || choice.kind === "ruler" ? select(app, "backs", ["long", "short", "fold", "none"], (b) => t("print.backs." + b)) : null,
    png ? field(app, "bleed_mm", NUMBER) : null,
    labels ? stickers(app) : null,
    cards || labels ? field(app, "symbol_mm", Object.assign({ placeholder: "18" }, NUMBER)) : null,
    cards || labels ? advice(app) : null,
    cards || labels
      ? drawer(app, "box", ["deck", "disc_mm"], () => [
          select(app, "deck", DECKS, (d) => d),
          h("p", { key: "why", class: "soft" }, t("print.deck_why")),
          field(app, "disc_mm", NUMBER)
        ])
      : null,
    png
      ? null
      : drawer(app, "printer", ["across", "down", "shift_right", "shift_down", "back_right", "back_down"], () => [
          h("p", { key: "truth", class: "soft" }, t("print.truth")),
          ["across", "down"].map((n) => field(app, n, NUMBER)),
          h("p", { key: "moved", class: "soft" }, t("print.moved")),
          ["shift_right", "shift_down"].map((n) => field(app, n, NUMBER)),
          turned ? ["back_right", "back_down"].map((n) => field(app, n, NUMBER)) : null
        ])
  );
}

// What the calibration says this camera at this height would need.
function advice(app) {
  const options = app.ui.print.options;
  const found = options && options.marker;
  if (!found) return null;
  if (found.mm <= options.usual_mm) return h("p", { key: "advice", class: "soft" }, say("print.enough", { mm: options.usual_mm }));
  if (found.mm > found.most) return h("p", { key: "advice", class: "note" }, say("print.too_far", { mm: found.most }));
  return h(
    "p",
    { key: "advice", class: "note print-advice" },
    say("print.advice", { mm: found.mm }),
    " ",
    button("take", t("print.take", { mm: found.mm }), () => change(app, { symbol_mm: String(found.mm) }))
  );
}

function preview(app) {
  const ui = app.ui.print;
  const found = ui.plan;
  if (!found) return h("p", { key: "wait", class: "soft" }, t("print.drawing"));
  if (found.trouble) return null;
  const png = /format=png/.test(found.query);
  const last = ui.all ? found.pages : Math.min(found.pages, SHOWN);
  const list = [];
  for (let i = 1; i <= last; i += 1)
    list.push(
      h(
        "li",
        { key: found.query + i },
        h("img", {
          src: "/api/print/page/" + i + "?" + found.query,
          alt: t("print.page", { n: i, of: found.pages }),
          width: 496,
          height: png ? 496 : 702,
          loading: "lazy"
        }),
        h("span", { class: "soft", "aria-hidden": "true" }, i)
      )
    );
  return [
    h("ul", { key: "pages", class: "print-pages" + (stale(ui) ? " stale" : "") }, list),
    last < found.pages
      ? button("all", t(png ? "print.all_pieces" : "print.all", { n: found.pages }), () => merge(app, { all: true }))
      : null
  ];
}

function press(app) {
  const ui = app.ui.print;
  const making = ui.making;
  const png = ui.choice.kind === "cards" && ui.choice.format === "png";
  const words = (key) => t(png ? key + "_png" : key);
  const drawing = stale(ui);
  const trouble = (!drawing && ui.plan.trouble) || (making && making.trouble);
  const busy = making && !making.ready && !making.trouble;
  return h(
    "div",
    { key: "press", class: "print-press", "aria-live": "polite" },
    trouble
      ? h("p", { key: "trouble", class: "note" }, troubleWords(trouble))
      : h("p", { key: "count", class: "soft" }, drawing ? t("print.drawing") : t(png ? "print.pieces" : "print.count", { n: ui.plan.pages })),
    busy
      ? h(
          "p",
          { key: "busy" },
          h("progress", { max: making.of, value: making.done, "aria-label": words("print.making") }),
          " ",
          words("print.making"),
          making.of > 1 ? " " + making.done + " / " + making.of : null
        )
      : null,
    making && making.ready
      ? h(
          "p",
          { key: "ready" },
          h("a", { class: "button primary", href: "/api/print/file/" + making.key, download: true }, words("print.take_home")),
          h("span", { class: "soft" }, (making.bytes / 1e6).toFixed(1) + " MB. " + (png ? "" : t("print.hundred")))
        )
      : button("make", words("print.make"), () => make(app), { cls: "primary", disabled: busy || drawing || !!ui.plan.trouble })
  );
}

export function printPage(app) {
  if (!app.watch) state(app);
  return [
    h(
      "main",
      { key: "print", class: "sheet print" },
      h(
        "header",
        { class: "sheet-head" },
        h("h1", {}, t("print.title")),
        h("p", { class: "soft" }),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
      ),
      app.watch
        ? h("p", { class: "soft" }, t("print.watch"))
        : h(
            "div",
            { class: "two" },
            h("div", { key: "left", class: "print-left" }, choices(app), press(app)),
            h("section", { key: "right", class: "print-right", "aria-label": t("print.preview") }, preview(app))
          )
    )
  ];
}
