// The print page: choose what, see the pages as they will look, have the PDF made, take it home.

import { h } from "./vtree.js";
import { button } from "./parts.js";
import { get, post } from "./link.js";
import { has, say, t } from "./words.js";

const KINDS = ["cards", "stickers", "table", "test-sheet", "ruler"];
const SHEETS = [
  "scissors",
  "rayfilm-5003",
  "hama-50452",
  "ol5425",
  "endisch-20",
  "endisch-33",
  "rayfilm-2307",
  "rayfilm-2525k",
  "rayfilm-3030k"
];
const USUAL = {
  kind: "cards",
  paper: "a4",
  symbol_mm: "",
  backs: "long",
  cards: "1-80",
  sheet: "scissors",
  start: "1",
  across: "100",
  down: "100"
};
const SHOWN = 6; // pages shown at first; the rest on a touch
const ASK_MS = 600;

// Only the fields that matter for what is printed, so that another choice does not draw the same pages anew.
function wanted(choice) {
  const out = { kind: choice.kind, paper: choice.paper };
  const use = (names) =>
    names.forEach((n) => {
      if (choice[n] !== "" && choice[n] !== USUAL[n]) out[n] = choice[n];
    });
  if (choice.kind === "cards") use(["cards", "symbol_mm", "backs"]);
  if (choice.kind === "stickers") use(["cards", "symbol_mm", "sheet", "start"]);
  use(["across", "down"]);
  return out;
}

function query(choice) {
  const fields = wanted(choice);
  return Object.keys(fields)
    .map((n) => n + "=" + encodeURIComponent(fields[n]))
    .join("&");
}

function state(app) {
  if (!app.ui.print) {
    app.ui.print = { choice: Object.assign({}, USUAL), plan: null, all: false, making: null };
    plan(app);
    advice(app);
  }
  return app.ui.print;
}

function merge(app, more) {
  app.set({ print: Object.assign({}, app.ui.print, more) });
}

function change(app, field, value) {
  const choice = Object.assign({}, app.ui.print.choice);
  choice[field] = value;
  app.ui.print = Object.assign({}, app.ui.print, { choice: choice, making: null, all: false });
  plan(app);
  app.draw();
}

let asking = null;
function plan(app) {
  clearTimeout(asking);
  asking = setTimeout(() => {
    const asked = query(app.ui.print.choice);
    fetch("/api/print?" + asked, { credentials: "same-origin" })
      .then((answer) => answer.json())
      .then((found) => {
        if (asked === query(app.ui.print.choice)) merge(app, { plan: Object.assign({ query: asked }, found) });
      })
      .catch(() => merge(app, { plan: { trouble: { key: "away", params: {} } } }));
  }, 250);
}

// What the camera said it would need, if it has been asked how well it sees.
function advice(app) {
  get("/api/calibration")
    .then((report) => {
      const mm = report && report.params && report.params.symbol_mm;
      if (mm) merge(app, { advice: Number(mm) });
    })
    .catch(() => undefined);
}

function make(app) {
  merge(app, { making: { done: 0, of: 1 } });
  post("/api/print", JSON.stringify(wanted(app.ui.print.choice)))
    .then((answer) => {
      if (answer.status === 200) follow(app, answer.body);
      else merge(app, { making: { trouble: answer.body.trouble || { key: answer.status === 409 ? "busy" : "any", params: {} } } });
    })
    .catch(() => merge(app, { making: { trouble: { key: "away", params: {} } } }));
}

function follow(app, told) {
  merge(app, { making: told });
  if (told.ready || told.trouble) return;
  setTimeout(() => {
    const now = app.ui.print.making;
    if (!now || now.key !== told.key) return;
    get("/api/print/making/" + told.key)
      .then((next) => follow(app, next))
      .catch(() => merge(app, { making: { trouble: { key: "away", params: {} } } }));
  }, ASK_MS);
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
      { id: "print-" + field, on: { change: (e) => change(app, field, e.target.value) } },
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
          on: { input: (e) => change(app, name, e.target.value) }
        },
        more
      )
    )
  );
}

function choices(app) {
  const ui = app.ui.print;
  const kind = ui.choice.kind;
  const number = { inputmode: "decimal" };
  return h(
    "section",
    { key: "choices", class: "print-choices" },
    select(app, "kind", KINDS, (k) => t("print.kind." + k)),
    select(app, "paper", ["a4", "letter"], (p) => t("print.paper." + p)),
    kind === "cards" || kind === "stickers" ? field(app, "cards", { placeholder: "7,12,40-44" }) : null,
    kind === "cards" || kind === "stickers" ? field(app, "symbol_mm", Object.assign({ placeholder: "18" }, number)) : null,
    ui.advice && (kind === "cards" || kind === "stickers") ? adviceLine(app, ui.advice) : null,
    kind === "cards" ? select(app, "backs", ["long", "short", "fold", "none"], (b) => t("print.backs." + b)) : null,
    kind === "stickers" ? select(app, "sheet", SHEETS, (s) => (s === "scissors" ? t("print.scissors") : s)) : null,
    kind === "stickers" ? field(app, "start", number) : null,
    h("p", { key: "truth", class: "soft" }, t("print.truth")),
    field(app, "across", number),
    field(app, "down", number)
  );
}

function adviceLine(app, mm) {
  return h(
    "p",
    { key: "advice", class: "note print-advice" },
    say("print.advice", { mm: mm }),
    " ",
    button("take", t("print.take", { mm: mm }), () => change(app, "symbol_mm", String(mm)))
  );
}

function preview(app) {
  const ui = app.ui.print;
  const found = ui.plan;
  if (!found) return h("p", { key: "wait", class: "soft" }, t("print.drawing"));
  if (found.trouble) return null;
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
          height: 702,
          loading: "lazy"
        }),
        h("span", { class: "soft", "aria-hidden": "true" }, i)
      )
    );
  return [
    h("ul", { key: "pages", class: "print-pages" }, list),
    last < found.pages ? button("all", t("print.all", { n: found.pages }), () => merge(app, { all: true })) : null
  ];
}

function press(app) {
  const ui = app.ui.print;
  const making = ui.making;
  const trouble = (ui.plan && ui.plan.trouble) || (making && making.trouble);
  const busy = making && !making.ready && !making.trouble;
  return h(
    "div",
    { key: "press", class: "print-press", "aria-live": "polite" },
    trouble
      ? h("p", { key: "trouble", class: "note" }, troubleWords(trouble))
      : h("p", { key: "count", class: "soft" }, ui.plan ? t("print.count", { n: ui.plan.pages }) : t("print.drawing")),
    busy
      ? h(
          "p",
          { key: "busy" },
          h("progress", { max: making.of, value: making.done, "aria-label": t("print.making") }),
          " ",
          t("print.making")
        )
      : null,
    making && making.ready
      ? h(
          "p",
          { key: "ready" },
          h("a", { class: "button primary", href: "/api/print/file/" + making.key, download: true }, t("print.take_home")),
          h("span", { class: "soft" }, t("print.hundred"))
        )
      : button("make", t("print.make"), () => make(app), { cls: "primary", disabled: busy || !ui.plan || !!ui.plan.trouble })
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
        button("back", t("back_to_table"), () => app.go(""), { cls: "back" })
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
