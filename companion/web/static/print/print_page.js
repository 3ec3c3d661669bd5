// The print page: choose what, see the pages as they will look, have the file made, take it home.

import { html } from "../core/html.js";
import { go } from "../core/route.js";
import { has, say, t, written } from "../core/words.js";
import { button, textButton } from "../parts/buttons.js";
import { selectRow } from "../parts/fields.js";
import { bringPages } from "../parts/late_pages.js";
import { heading, page } from "../parts/page.js";
import { screen } from "../screen/this_screen.js";
import {
  choose,
  hasTurnedBacks,
  isStale,
  LABEL,
  makeFile,
  openOrder,
  order,
  USUAL,
} from "./order.js";

const KINDS = ["cards", "stickers", "table", "test-sheet", "ruler"];
const BACKS = ["long", "short", "fold", "none"];
const BACK_DRAWINGS = ["moon", "square"];
const DECKS = ["CM1", "CM2", "CM3", "CM4"];
const PAGES_AT_FIRST = 6; // the rest on a touch
const AGAIN_MS = 1000; // a picture that did not come is asked for again after this, then after twice as long
const MOST_AGAIN = 6;
// Which field each kind of trouble is about; it stands beneath that one.
const WRONG_IN = {
  no_fit_disc: ["symbol_mm"],
  no_fit_label: ["symbol_mm"],
  numbers: ["cards"],
  backwards: ["cards"],
  no_cards: ["cards"],
  none: ["cards"],
  disc: ["disc_mm"],
  bleed: ["bleed_mm"],
  start: ["start"],
};
const PRINTER = ["across", "down", "shift_right", "shift_down", "back_right", "back_down"];

// Open the page with these cards to be printed again.
export function printAgain(cards) {
  choose({ kind: "cards", format: "pdf", cards: cards.join(",") });
  go("print");
}

function printPage() {
  const { watching } = screen.get();
  if (!watching) openOrder();
  return page(
    "print",
    heading(t("print.title")),
    {},
    watching
      ? html`<p class="soft">${t("print.watch")}</p>`
      : html`
          <div class="two">
            <div key="left" class="print-left">${choices()}${file()}</div>
            <section key="right" class="print-right" aria-label=${t("print.preview")}>${preview()}</section>
          </div>`
  );
}

// One of these, each said by `words(one)`.
function choiceRow(field, all, words) {
  const value = order.get().choice[field];
  const rows = all.map((one) => [one, words(one)]);
  return selectRow(field, `print-${field}`, t(`print.${field}`), value, rows, (one) =>
    choose({ [field]: one })
  );
}

function textRow(field, more) {
  const wrong = wrongIn(field);
  return html`
    <div key=${field} class="row">
      <label for="print-${field}">${t(`print.${field}`)}</label>
      <input id="print-${field}" class="print-input" aria-invalid=${wrong ? "true" : null}
        aria-describedby=${wrong ? `wrong-${field}` : null} value=${order.get().choice[field]} autocomplete="off" maxlength="120"
        oninput=${(event) => choose({ [field]: event.target.value })} ...${more} />
      ${wrong && html`<p key="wrong" id="wrong-${field}" class="note wrong-field" role="status">${troubleWords(wrong)}</p>`}
    </div>`;
}

// What the plan says is wrong with what stands in this field.
function wrongIn(field) {
  const { plan } = order.get();
  const trouble = !isStale() && plan.trouble;
  return trouble && (WRONG_IN[trouble.key] || []).indexOf(field) >= 0 ? trouble : null;
}

function numberRow(field, placeholder = null) {
  return textRow(field, { inputmode: "decimal", placeholder });
}

// What only some need stays shut; it stands open while something in it is not as usual.
function drawer(name, fields, rows) {
  const { choice, open } = order.get();
  const unusual = fields.some((field) => choice[field] !== USUAL[field]);
  const isOpen = unusual || !!open[name];
  const words = t(`print.drawer.${name}`);
  const toggle = () => order.set({ open: Object.assign({}, open, { [name]: !isOpen }) });
  return html`
    <div key=${name} class="print-drawer">
      ${unusual ? html`<p key="title"><strong>${words}</strong></p>` : textButton(name, words, toggle, isOpen)}
      ${isOpen && rows()}
    </div>`;
}

function choices() {
  const { kind, format, sheet } = order.get().choice;
  const cards = kind === "cards";
  const labels = kind === "stickers";
  const ruler = kind === "ruler";
  const png = cards && format === "png";
  const knownSheet = labels && sheet !== "scissors" && sheet !== "custom";
  return html`
    <section key="choices" class="print-choices">
      ${choiceRow("kind", KINDS, (one) => t(`print.kind.${one}`))}
      ${cards && choiceRow("format", ["pdf", "png"], (one) => t(`print.format.${one}`))}
      ${!png && !knownSheet && choiceRow("paper", ["a4", "letter"], (one) => t(`print.paper.${one}`))}
      ${(cards || labels) && textRow("cards", { placeholder: "7,12,40-44" })}
      ${((cards && !png) || ruler) && choiceRow("backs", BACKS, (one) => t(`print.backs.${one}`))}
      ${png && numberRow("bleed_mm")}
      ${labels && labelRows()}
      ${(cards || labels) && [numberRow("symbol_mm", "18"), sizeAdvice(), drawer("box", ["deck", "disc_mm", "back_drawing"], boxRows)]}
      ${!png && drawer("printer", PRINTER, () => printerRows(hasTurnedBacks(order.get().choice)))}
    </section>`;
}

function boxRows() {
  return html`
    ${choiceRow("deck", DECKS, (deck) => deck)}
    <p key="why" class="soft">${t("print.deck_why")}</p>
    ${numberRow("disc_mm")}
    ${order.get().choice.kind === "cards" && choiceRow("back_drawing", BACK_DRAWINGS, (one) => t(`print.back_drawing.${one}`))}`;
}

function printerRows(turned) {
  const rows = (...fields) => fields.map((field) => numberRow(field));
  return html`
    <p key="truth" class="soft">${t("print.truth")}</p>
    ${rows("across", "down")}
    <p key="moved" class="soft">${t("print.moved")}</p>
    ${rows("shift_right", "shift_down")}
    ${turned && rows("back_right", "back_down")}`;
}

// Which sheet of labels, and where on it the first one goes.
function labelRows() {
  const { choice, options } = order.get();
  const sheets = options ? options.sheets : [];
  const known = sheets.find((sheet) => sheet.name === choice.sheet);
  const words = (name) =>
    name === "scissors" || name === "custom"
      ? t(`print.${name}`)
      : sheets.find((sheet) => sheet.name === name).maker;
  const names = ["scissors"].concat(
    sheets.map((sheet) => sheet.name),
    ["custom"]
  );
  return html`
    ${choiceRow("sheet", names, words)}
    ${known && html`<p key="known" class="soft">${knownSheetWords(known)}</p>`}
    ${
      choice.sheet === "custom" &&
      html`
      <div key="custom" class="print-custom">
        <p key="how" class="soft">${t("print.custom_how")}</p>
        ${choiceRow("label_shape", ["square", "round"], (one) => t(`print.shape.${one}`))}
        ${LABEL.map((field) => numberRow(field))}
      </div>`
    }
    ${choice.sheet !== "scissors" && numberRow("start")}
    <p key="fair" class="soft">${t("print.fair")}</p>`;
}

function knownSheetWords({ round, count, side_mm, paper }) {
  const key = round ? "print.labels_round" : "print.labels_square";
  return t(key, { n: count, mm: side_mm, paper: t(`print.paper.${paper}`) });
}

// What the calibration says this camera at this height would need.
function sizeAdvice() {
  const { options } = order.get();
  if (!options || !options.marker) return null;
  const { mm, most } = options.marker;
  const usual = options.usual_mm;
  if (mm <= usual)
    return html`<p key="advice" class="soft">${say("print.enough", { mm: usual })}</p>`;
  if (mm > most)
    return html`<p key="advice" class="note">${say("print.too_far", { mm: most })}</p>`;
  return html`
    <p key="advice" class="note print-advice">
      ${say("print.advice", { mm })} ${button("take", t("print.take", { mm }), () => choose({ symbol_mm: String(mm) }))}
    </p>`;
}

const missed = new WeakMap();

// The table draws one page after another, and sends away who would wait too long.
function askAgain(event) {
  const image = event.target;
  const { src } = image;
  const before = missed.get(image) || { src, times: 0 };
  const times = before.src === src ? before.times : 0;
  if (times >= MOST_AGAIN) return;
  missed.set(image, { src, times: times + 1 });
  setTimeout(
    () => {
      if (image.isConnected && image.src === src) image.src = src;
    },
    AGAIN_MS * 2 ** times
  );
}

// White like paper only once something is on it.
function isDrawn(_event, node) {
  node.classList.add("drawn");
}

function preview() {
  const { plan: newest, shown, all } = order.get();
  const plan = newest && newest.trouble ? shown : newest;
  if (!plan) return null;
  const png = /format=png/.test(plan.query);
  const last = all ? plan.pages : Math.min(plan.pages, PAGES_AT_FIRST);
  const pages = [];
  for (let i = 1; i <= last; i += 1)
    pages.push(html`
      <li key="${plan.query}${i}">
        <img src="/api/print/page/${i}?${plan.query}" alt=${t("print.page", { n: i, of: plan.pages })} width="496"
          height=${png ? 496 : 702} loading="lazy" onerror=${askAgain} onload=${isDrawn} />
        <span class="soft" aria-hidden="true">${i}</span>
      </li>`);
  const allWords = t(png ? "print.all_pieces" : "print.all", { n: plan.pages });
  return html`
    <ul key="pages" class=${["print-pages", (isStale() || newest.trouble) && "stale"]}>${pages}</ul>
    ${last < plan.pages && button("all", allWords, () => order.set({ all: true }))}`;
}

// The file: what is in the way, how far it is, or the file itself.
function file() {
  const { choice, plan, making } = order.get();
  const png = choice.kind === "cards" && choice.format === "png";
  const words = (key) => t(png ? `${key}_png` : key);
  const drawing = isStale();
  const impossible = !drawing && plan.trouble;
  const trouble = impossible || (making && making.trouble);
  const busy = !!making && !making.ready && !making.trouble;
  const count = () =>
    drawing ? t("print.drawing") : t(png ? "print.pieces" : "print.count", { n: plan.pages });
  return html`
    <div key="press" class="print-press" aria-live="polite">
      ${
        trouble && !(impossible && WRONG_IN[trouble.key])
          ? html`<p key="trouble" class="note">${troubleWords(trouble)}</p>`
          : !trouble && html`<p key="count" class="soft">${count()}</p>`
      }
      ${
        busy &&
        html`
        <p key="busy">
          <progress max=${making.of} value=${making.done} aria-label=${words("print.making")}></progress>
          ${" "}${making.waits ? t("print.waits") : words("print.making")}
          ${making.of > 1 && ` ${making.done} / ${making.of}`}
        </p>`
      }
      ${
        making && making.ready
          ? readyLine(making, words("print.take_home"), png)
          : button("make", words("print.make"), makeFile, {
              cls: "primary",
              disabled: busy || drawing || impossible,
            })
      }
    </div>`;
}

function readyLine({ key, bytes }, words, png) {
  return html`
    <p key="ready">
      <a class="button primary" href="/api/print/file/${key}" download>${words}</a>
      <span class="soft">${written(Math.max(1, Math.round(bytes / 1e5)) / 10)} MB. ${!png && t("print.hundred")}</span>
    </p>`;
}

function troubleWords(trouble) {
  const key = `print.cannot.${trouble.key}`;
  return has(key) ? say(key, trouble.params) : trouble.says || t("print.cannot.any");
}

bringPages({ print: printPage });
