// What went wrong beside the guesses: a round nobody entered, the wrong Daydreamer, a card that is lost. Each behind a
// steady finger, and each can be taken back.

import { h } from "./vtree.js";
import { button, holdButton } from "./parts.js";
import { read } from "./amend.js";
import { t } from "./words.js";

export function mending(app) {
  const form = app.ui.ledger.mend;
  const ways = app.board.rounds.length ? ["insert", "daydreamer", "missing"] : ["daydreamer", "missing"];
  const open = (what) => app.set({ ledger: { mend: form === what ? null : what } });
  const forms = { insert: missingRound, daydreamer: otherDaydreamer, missing: lostCard };
  if (app.board.phase === "over") return null;
  return h(
    "div",
    { class: "mending" },
    h(
      "p",
      { class: "pair" },
      ways.map((what) => button(what, t("ledger." + what), () => open(what), { pressed: form === what }))
    ),
    form && ways.indexOf(form) >= 0
      ? h("section", { key: "form-" + form, class: "insert-form", "aria-label": t("ledger." + form) }, forms[form](app))
      : null
  );
}

function put(app, more) {
  app.set({ ledger: Object.assign({}, app.ui.ledger, more) });
}

// A field with its choices; values are numbers.
function choice(key, label, value, options, act) {
  return h(
    "div",
    { key: key, class: "row" },
    h("label", { for: "mend-" + key }, label),
    h(
      "select",
      { id: "mend-" + key, on: { change: (e) => act(Number(e.target.value)) } },
      options.map((o) => h("option", { key: o[0], value: String(o[0]), selected: o[0] === value }, o[1]))
    )
  );
}

// A round that was played and never entered: where it was, how it ended.
function missingRound(app) {
  const numbers = app.board.rounds.map((r) => r.number);
  const at = app.ui.ledger.insertAt || numbers[numbers.length - 1];
  const how = app.ui.ledger.insertHow === undefined ? 1 : app.ui.ledger.insertHow;
  const attempts = app.board.round ? app.board.round.attempts : 1;
  const ways = [];
  for (let k = 1; k <= attempts; k += 1) ways.push([k, t("right_at." + Math.min(6, k))]);
  ways.push([0, t("result.nobody")]);
  return [
    choice("at", t("ledger.insert_at"), at, numbers.map((n) => [n, String(n)]), (n) => put(app, { insertAt: n })),
    choice("how", t("ledger.insert_how"), how, ways, (k) => put(app, { insertHow: k })),
    h("p", { class: "soft" }, t("ledger.insert_why")),
    holdButton("insert-hold", t("ledger.insert_hold"), () => insert(app, at, how, attempts), { cls: "primary" })
  ];
}

function insert(app, at, how, attempts) {
  const guesses = [];
  for (let i = 1; i <= (how || attempts); i += 1) guesses.push({ card: null, right: i === how });
  app.command({ do: "insert", round: at, guesses: guesses }).then((done) => {
    if (done) app.set({ ledger: { open: at } });
  });
}

// Someone else daydreams: from the next round that is laid.
function otherDaydreamer(app) {
  const sitting = app.people.filter((p) => !p.away);
  const round = app.board.round;
  const now = round ? sitting.map((p) => p.seat).indexOf(round.daydreamer) : 0;
  const who = app.ui.ledger.dreams === undefined ? Math.max(0, now) : app.ui.ledger.dreams;
  const send = () =>
    app.command({ do: "players", players: sitting.map((p) => p.name), daydreamer: who }).then((done) => {
      if (done) app.set({ ledger: {} });
    });
  return [
    choice("dreams", t("ledger.dreams"), who, sitting.map((p, i) => [i, p.name]), (i) => put(app, { dreams: i })),
    h("p", { class: "soft" }, t("ledger.dreams_why")),
    holdButton("dreams-hold", t("ledger.insert_hold"), send, { cls: "primary" })
  ];
}

// Cards that are not in the box tonight: the rounds to come are counted without them.
function lostCard(app) {
  const text = app.ui.ledger.lost || "";
  const cards = text ? read(text, 40) : [];
  const send = () =>
    app.command({ do: "missing", cards: cards }).then((done) => {
      if (done) app.set({ ledger: {} });
    });
  return [
    h(
      "p",
      { key: "lost", class: "round-cards" },
      h("label", { for: "lost" }, t("ledger.lost")),
      h("input", {
        id: "lost",
        class: "print-input",
        value: text,
        autocomplete: "off",
        maxlength: 60,
        on: { input: (e) => put(app, { lost: e.target.value }) }
      })
    ),
    cards === null ? h("p", { class: "note" }, t("ledger.cards_shape")) : h("p", { class: "soft" }, t("ledger.lost_why")),
    holdButton("lost-hold", t("ledger.insert_hold"), send, { cls: "primary", disabled: !cards || !cards.length })
  ];
}
