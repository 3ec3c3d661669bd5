// A print order: what was chosen, how many pages that is, and the file being made. The page around it is print.js.

import { get, post } from "./link.js";

export const USUAL = {
  kind: "cards",
  format: "pdf",
  paper: "a4",
  symbol_mm: "",
  backs: "long",
  bleed_mm: "3",
  cards: "1-80",
  deck: "CM1",
  disc_mm: "85",
  sheet: "scissors",
  start: "1",
  label_shape: "square",
  label_side: "25.4",
  label_columns: "6",
  label_rows: "11",
  label_left: "16.05",
  label_top: "8.8",
  label_across: "30.5",
  label_down: "25.4",
  across: "100",
  down: "100",
  shift_right: "0",
  shift_down: "0",
  back_right: "0",
  back_down: "0"
};
export const LABEL = ["label_side", "label_columns", "label_rows", "label_left", "label_top", "label_across", "label_down"];
const ALWAYS = { label_shape: true, bleed_mm: true };
const ASK_MS = 600;

// Only the fields that matter for what is printed, so that another choice does not draw the same pages anew.
export function wanted(choice) {
  const out = { kind: choice.kind };
  const use = (names) =>
    names.forEach((n) => {
      if (choice[n] !== "" && (choice[n] !== USUAL[n] || ALWAYS[n])) out[n] = choice[n];
    });
  if (choice.kind === "cards" || choice.kind === "stickers") use(["cards", "symbol_mm", "deck", "disc_mm"]);
  if (choice.kind === "cards" && choice.format === "png") {
    use(["format", "bleed_mm"]);
    return out;
  }
  out.paper = choice.paper;
  if (choice.kind === "cards" || choice.kind === "ruler") use(["backs", "back_right", "back_down"]);
  if (choice.kind === "stickers") use(["sheet", "start"]);
  if (choice.kind === "stickers" && choice.sheet === "custom") {
    out.label_shape = choice.label_shape;
    LABEL.forEach((n) => {
      out[n] = choice[n] || "0";
    });
  }
  use(["across", "down", "shift_right", "shift_down"]);
  return out;
}

function query(choice) {
  const fields = wanted(choice);
  return Object.keys(fields)
    .map((n) => n + "=" + encodeURIComponent(fields[n]))
    .join("&");
}

// True while the plan that is shown is not yet the one of what was chosen last.
export function stale(ui) {
  return !ui.plan || (ui.plan.query !== undefined && ui.plan.query !== query(ui.choice));
}

export function state(app) {
  if (!app.ui.print) {
    app.ui.print = { choice: Object.assign({}, USUAL), plan: null, all: false, making: null, open: {}, options: null };
    plan(app);
  }
  if (!app.ui.print.asked) {
    app.ui.print.asked = true; // once: the label sheets, and what the camera would need
    get("/api/print/options")
      .then((options) => merge(app, { options: options }))
      .catch(() => undefined);
  }
  return app.ui.print;
}

export function merge(app, more) {
  app.set({ print: Object.assign({}, app.ui.print, more) });
}

export function change(app, fields) {
  const choice = Object.assign({}, app.ui.print.choice, fields);
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

export function make(app) {
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
