// Corrections inside a round of the ledger: another cloud for a guess, other clouds for the round.

import { h } from "./vtree.js";
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
export function read(text, most) {
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
