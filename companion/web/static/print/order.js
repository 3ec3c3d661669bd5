// A print order: what was chosen, how many pages that is, and the file being made. The page around
// it is print_page.js.

import { get, getAnyway, post } from "../core/requests.js";
import { currentPage } from "../core/route.js";
import { createStore, redraw } from "../core/store.js";
import { currentLanguage } from "../core/words.js";

export const USUAL = {
  kind: "cards",
  format: "pdf",
  paper: "a4",
  symbol_mm: "",
  backs: "long",
  back_drawing: "moon",
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
  back_down: "0",
};
export const LABEL = [
  "label_side",
  "label_columns",
  "label_rows",
  "label_left",
  "label_top",
  "label_across",
  "label_down",
];
const ALWAYS = { label_shape: true, bleed_mm: true };
const MAKING_MS = 600; // between two questions how far the file is
const TYPING_MS = 250; // what is typed quickly is one choice

const AWAY = { key: "away", params: {} };

export const order = createStore({
  choice: USUAL,
  plan: null, // what the server makes of the choice: {pages, query} or {trouble}
  shown: null, // the last plan that could be printed: its pages stay while something is wrong
  all: false, // all pages are shown
  making: null, // the file: {done, of}, then {ready, key, bytes}, or {trouble}
  open: {}, // which drawers are open
  options: null, // the label sheets, and what the camera would need
});

// Whether the backs are a side of their own, which may have to be moved.
export function hasTurnedBacks({ kind, format, backs }) {
  if (kind !== "cards") return kind === "ruler";
  return format !== "png" && (backs === "long" || backs === "short");
}

// Only the fields that matter for what is printed, so that another choice does not draw the same
// pages anew, and nothing that the page does not show stands in the way.
function fieldsOf(choice) {
  const { kind, format, sheet } = choice;
  const cards = kind === "cards";
  const fields = { kind };
  const use = (...names) =>
    names.forEach((name) => {
      if (choice[name] !== "" && (choice[name] !== USUAL[name] || ALWAYS[name]))
        fields[name] = choice[name];
    });
  if (cards || kind === "stickers") use("cards", "symbol_mm", "deck", "disc_mm");
  if (cards) use("back_drawing");
  if (cards && format === "png") {
    use("format", "bleed_mm");
    return fields;
  }
  fields.paper = choice.paper;
  use("language");
  if (cards || kind === "ruler") use("backs");
  if (hasTurnedBacks(choice)) use("back_right", "back_down");
  if (kind === "stickers") use("sheet");
  if (kind === "stickers" && sheet !== USUAL.sheet) use("start");
  if (kind === "stickers" && sheet === "custom") {
    fields.label_shape = choice.label_shape;
    LABEL.forEach((name) => {
      fields[name] = choice[name] || "0";
    });
  }
  use("across", "down", "shift_right", "shift_down");
  return fields;
}

function queryOf(choice) {
  const fields = fieldsOf(choice);
  return Object.keys(fields)
    .map((name) => `${name}=${encodeURIComponent(fields[name])}`)
    .join("&");
}

// True while the plan that is shown is not yet the one of what was chosen last.
export function isStale() {
  const { plan, choice } = order.get();
  return !plan || (plan.query !== undefined && plan.query !== queryOf(choice));
}

const AGAIN_MS = 3000;

let opened = false;

// The first time the page is shown: the plan, the label sheets, and what the camera would need. The
// sheets speak the page's language.
export function openOrder() {
  const { choice } = order.get();
  const language = currentLanguage();
  if (choice.language !== language) {
    order.put({ choice: Object.assign({}, choice, { language }), making: null });
    if (opened) askPlan();
  }
  if (opened) return;
  opened = true;
  get("/api/print/options").then(
    (options) => order.set({ options }),
    () => {
      opened = false; // the next drawing asks again
    }
  );
  if (!asking) askPlan();
}

export function choose(fields) {
  order.put({ choice: Object.assign({}, order.get().choice, fields), making: null, all: false });
  askPlan();
  redraw();
}

let asking = null;

function askPlan() {
  clearTimeout(asking);
  asking = setTimeout(async () => {
    const query = queryOf(order.get().choice);
    try {
      const { body } = await getAnyway(`/api/print?${query}`);
      if (query === queryOf(order.get().choice)) takePlan(Object.assign({ query }, body));
    } catch (_error) {
      takePlan({ trouble: AWAY });
      askWhenBack();
    }
  }, TYPING_MS);
}

// What did not reach the table is asked for again while the page is looked at.
function askWhenBack() {
  clearTimeout(asking);
  asking = setTimeout(() => {
    asking = null;
    if (currentPage() === "print") askPlan();
    else opened = false;
  }, AGAIN_MS);
}

// What cannot be printed leaves the last pages where they are, pale.
function takePlan(plan) {
  const { plan: before, shown } = order.get();
  order.set({ plan, shown: before && !before.trouble ? before : shown });
}

// The file of what was chosen; what comes of it after another choice is another order's. While another
// file is being made, this one waits for it.
export async function makeFile() {
  const query = queryOf(order.get().choice);
  const tell = (making) => {
    if (query !== queryOf(order.get().choice)) return;
    order.set({ making });
    if (making.ready || making.trouble) return;
    setTimeout(() => {
      if (order.get().making !== making) return;
      get(`/api/print/making/${making.key}`).then(tell, () => tell({ trouble: AWAY }));
    }, MAKING_MS);
  };
  const ask = async (making) => {
    order.set({ making });
    try {
      const { status, body } = await post("/api/print", fieldsOf(order.get().choice));
      if (body.waits) wait();
      else if (status === 200) tell(body);
      else tell({ trouble: body.trouble || { key: "any", params: {} } });
    } catch (_error) {
      tell({ trouble: AWAY });
    }
  };
  const wait = () => {
    const waiting = { done: 0, of: 1, waits: true };
    if (query === queryOf(order.get().choice)) order.set({ making: waiting });
    setTimeout(() => {
      if (order.get().making === waiting) ask(waiting);
    }, MAKING_MS);
  };
  await ask({ done: 0, of: 1 });
}
