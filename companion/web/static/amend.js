// Larger corrections in the ledger: another cloud for a guess, other clouds for a round, a round that was never entered.

import { h } from "./vtree.js";
import { button, holdButton } from "./parts.js";
import { t } from "./words.js";

// The cloud of guess `i` as it stands in the draft.
export function cardsOf(app, line, i) {
  const named = app.ui.ledger.named || {};
  if (named[i] !== undefined) return named[i];
  return line.guesses[i] && line.guesses[i].card !== undefined ? line.guesses[i].card : null;
}

// A choice of the round's clouds for one guess.
export function whichCard(app, line, i, keep) {
  const now = cardsOf(app, line, i);
  const cards = line.cards.filter((c) => c !== null);
  if (!cards.length) return null;
  const take = (value) => {
    const named = Object.assign({}, app.ui.ledger.named);
    named[i] = value === "" ? null : Number(value);
    keep({ named: named });
  };
  return h(
    "select",
    { class: "which", "aria-label": t("ledger.which"), on: { change: (e) => take(e.target.value) } },
    [null].concat(cards).map((c) =>
      h(
        "option",
        { key: String(c), value: c === null ? "" : String(c), selected: c === now },
        c === null ? t("ledger.unknown_card") : String(c)
      )
    )
  );
}

// What was written into the field of the round's clouds: a list, or null when it cannot be read.
function read(text, most) {
  const parts = text.split(/[\s,;]+/).filter((p) => p !== "");
  const cards = parts.map((p) => (p === "?" ? null : /^\d{1,2}$/.test(p) ? Number(p) : NaN));
  const known = cards.filter((c) => c !== null);
  const odd = !parts.length || cards.length > most || known.some((c, i) => !(c >= 1) || known.indexOf(c) !== i);
  return odd ? null : cards;
}

// What the draft says of the round's clouds: {touched, odd, cards}; `cards` only when they were changed.
export function withCards(app, line) {
  const ui = app.ui.ledger;
  const named = ui.named || {};
  const renamed = Object.keys(named).some((i) => named[i] !== (line.guesses[i] ? line.guesses[i].card : null));
  if (ui.lie === undefined || ui.lie === shown(line)) return { touched: renamed, odd: false, cards: null };
  const cards = read(ui.lie, 12);
  return { touched: true, odd: cards === null, cards: cards };
}

function shown(line) {
  return line.cards.map((c) => (c === null ? "?" : c)).join(", ");
}

export function cardField(app, line) {
  const text = app.ui.ledger.lie === undefined ? shown(line) : app.ui.ledger.lie;
  const id = "cards-" + line.number;
  return h(
    "p",
    { key: "cards", class: "round-cards" },
    h("label", { for: id, class: "soft" }, t("ledger.cards")),
    h("input", {
      id: id,
      class: "print-input",
      value: text,
      autocomplete: "off",
      maxlength: 60,
      on: { input: (e) => app.set({ ledger: Object.assign({}, app.ui.ledger, { lie: e.target.value }) }) }
    })
  );
}

function choice(key, label, value, options, act) {
  return h(
    "div",
    { key: key, class: "row" },
    h("label", { for: "insert-" + key }, label),
    h(
      "select",
      { id: "insert-" + key, on: { change: (e) => act(Number(e.target.value)) } },
      options.map((o) => h("option", { key: o[0], value: String(o[0]), selected: o[0] === value }, o[1]))
    )
  );
}

// A round that was played and never entered: where it was, how it ended, a steady finger.
export function missingRound(app) {
  const form = app.ui.ledger.insert;
  const numbers = app.board.rounds.map((r) => r.number);
  const last = numbers[numbers.length - 1];
  if (!form) return h("p", {}, button("insert", t("ledger.insert"), () => app.set({ ledger: { insert: { at: last, how: 1 } } })));
  const put = (more) => app.set({ ledger: { insert: Object.assign({}, form, more) } });
  const attempts = app.board.round ? app.board.round.attempts : 1;
  const ways = [];
  for (let k = 1; k <= attempts; k += 1) ways.push([k, t("right_at." + Math.min(6, k))]);
  ways.push([0, t("result.nobody")]);
  return h(
    "section",
    { class: "insert-form", "aria-label": t("ledger.insert") },
    h("h2", {}, t("ledger.insert")),
    choice("at", t("ledger.insert_at"), form.at, numbers.map((n) => [n, String(n)]), (at) => put({ at: at })),
    choice("how", t("ledger.insert_how"), form.how, ways, (how) => put({ how: how })),
    h("p", { class: "soft" }, t("ledger.insert_why")),
    holdButton("insert-hold", t("ledger.insert_hold"), () => insert(app, form, attempts), { cls: "primary" })
  );
}

function insert(app, form, attempts) {
  const guesses = [];
  for (let i = 1; i <= (form.how || attempts); i += 1) guesses.push({ card: null, right: i === form.how });
  app.command({ do: "insert", round: form.at, guesses: guesses }).then((done) => {
    if (done) app.set({ ledger: { open: form.at } });
  });
}
