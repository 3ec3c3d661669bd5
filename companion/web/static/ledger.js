// The ledger: every round from the newest, a stripe of its sky, columns by seat; a round opens, a guess can be changed.

import { h } from "./vtree.js";
import { badge } from "./people.js";
import { sign } from "./signs.js";
import { thumb } from "./clouds.js";
import { button, holdButton, name, textButton } from "./parts.js";
import { cardField, cardsOf, whichCard, withCards } from "./amend.js";
import { historyOf } from "./history.js";
import { mending } from "./mend.js";
import { changed, differences, gains, guesser } from "./consequence.js";
import { hour, sky } from "./sky.js";
import { quoted, say, t } from "./words.js";

export function ledgerPage(app) {
  const board = app.board;
  const people = app.people;
  const shown = board.rounds
    .filter((r) => r.ending !== "open" || r.guesses.length > 0)
    .slice()
    .reverse();
  const done = board.rounds.filter((r) => r.ending !== "open").length;
  return [
    h(
      "main",
      { key: "ledger", class: "sheet ledger cols" + people.length },
      h(
        "header",
        { class: "sheet-head" },
        h("h1", {}, t("ledger")),
        h("p", { class: "soft" }, t(app.watch ? "ledger.watch" : "ledger.how")),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
      ),
      people.length
        ? h(
            "div",
            { class: "grid", role: "table", "aria-label": t("ledger") },
            h(
              "div",
              { key: "top", class: "line top", role: "row" },
              h("span", { class: "stripe", role: "presentation" }),
              h("span", { class: "number", role: "columnheader" }, h("span", { class: "unseen" }, t("ledger.round"))),
              h("span", { class: "who", role: "columnheader" }, t("ledger.roles")),
              h("span", { class: "called", role: "columnheader" }, t("ledger.name")),
              people.map((p) =>
                h(
                  "span",
                  { key: "p" + p.seat, class: "cell", role: "columnheader" },
                  badge(p),
                  h("span", { class: "unseen" }, p.name)
                )
              )
            ),
            shown.length ? shown.map((line) => roundLine(app, line)) : h("p", { class: "soft empty" }, t("ledger.empty")),
            h(
              "div",
              { key: "sum", class: "line sum", role: "row" },
              h("span", { class: "stripe", role: "presentation" }),
              h("span", { class: "number", role: "cell" }),
              h("span", { class: "who", role: "cell" }),
              h("strong", { class: "called", role: "rowheader" }, t("ledger.standing", { n: done })),
              people.map((p) => h("strong", { key: "t" + p.seat, class: "cell", role: "cell" }, p.cards))
            )
          )
        : h("p", { class: "soft" }, t("ledger.empty")),
      people.length && !app.watch ? mending(app) : null,
      people.length
        ? h(
            "p",
            { class: "take-home" },
            h("a", { href: "/api/export/csv", class: "text-button", download: true }, t("ledger.csv")),
            h("a", { href: "/api/export/json", class: "text-button", download: true }, t("ledger.json"))
          )
        : null
    )
  ];
}

function stripeStyle(app, line) {
  return { "background-color": sky(hour(line.number, app.board.round ? app.board.round.of : 13)).ribbon };
}

function roundLine(app, line) {
  const open = app.ui.ledger.open === line.number;
  const people = app.people;
  const toggle = () => app.set({ ledger: open ? {} : { open: line.number } });
  const called =
    line.ending === "void"
      ? h("span", { class: "soft" }, t("ledger.void"))
      : line.name
        ? h("span", { class: "cloud-name" }, quoted(line.name))
        : h("span", { class: "soft no-name" }, t("ledger.no_name"));
  return h(
    "div",
    { key: "r" + line.number, class: "round" + (open ? " open" : ""), role: "rowgroup" },
    h("span", { class: "stripe", role: "presentation", style: stripeStyle(app, line) }),
    h(
      "div",
      { class: "line", role: "row" },
      h(
        "span",
        { class: "number", role: "rowheader" },
        h(
          "button",
          {
            type: "button",
            class: "opener",
            "aria-expanded": String(open),
            "aria-label": t("ledger.open", { n: line.number }),
            on: { click: toggle }
          },
          line.number
        )
      ),
      h(
        "span",
        { class: "who", role: "cell" },
        sign("moon"),
        seatBadge(people[line.daydreamer], "role.daydreamer"),
        sign("telescope"),
        seatBadge(people[line.lookout], "role.lookout")
      ),
      h(
        "span",
        { class: "called", role: "cell" },
        called,
        line.corrected ? h("span", { class: "soft small" }, " · " + t("ledger.corrected")) : null
      ),
      people.map((p) => {
        const g = line.gains[p.seat] || 0;
        return h(
          "span",
          { key: "g" + p.seat, class: "cell" + (g ? " some" : ""), role: "cell" },
          g ? "+" + g : h("span", { "aria-label": "0" }, "·")
        );
      })
    ),
    open ? opened(app, line) : null
  );
}

function seatBadge(person, key) {
  return person ? h("span", {}, badge(person), h("span", { class: "unseen" }, t(key) + " " + person.name)) : null;
}

function attemptsOf(app) {
  const n = app.people.length;
  return app.board.round ? app.board.round.attempts : n === 3 ? 2 : n === 4 ? 4 : n - 2;
}

function opened(app, line) {
  const ui = app.ui.ledger;
  const before = line.guesses.map((g) => g.right);
  const draft = ui.draft || before;
  const rows = draft.map((right, i) => guessRow(app, line, draft, right, i));
  return h(
    "div",
    { class: "opened", role: "row" },
    h(
      "div",
      { class: "opened-in", role: "cell" },
      h("ol", { class: "guesses" }, rows.length ? rows : h("li", { class: "soft" }, t("ledger.no_guess"))),
      side(app, line, before, draft)
    )
  );
}

function guessRow(app, line, draft, right, i) {
  const person = app.people[guesser(line, i, app.people.length)];
  const old = line.guesses[i];
  const picked = app.ui.ledger.at === i;
  const keep = (more) => app.set({ ledger: Object.assign({}, app.ui.ledger, { open: line.number, at: i, draft: draft }, more) });
  const choose = (value) => keep({ draft: changed(draft, i, value, attemptsOf(app)) });
  const words = right === null ? t("ledger.unset") : t(right ? "ledger.right" : "ledger.wrong");
  const editable = !app.watch && line.ending !== "void";
  return h(
    "li",
    { key: "g" + i, class: "guess" + (picked ? " picked" : "") },
    h("span", { class: "order soft" }, i + 1),
    badge(person),
    h("span", { class: "person" }, name(person)),
    old && old.card !== null && old.card !== undefined ? thumb(old.card, "", "small") : h("span", { class: "thumb none" }),
    editable && (picked || right === null)
      ? h(
          "span",
          { class: "switch", role: "group", "aria-label": t("ledger.guess", { n: i + 1 }) },
          h(
            "button",
            { type: "button", key: "w", "aria-pressed": String(right === false), on: { click: () => choose(false) } },
            t("ledger.wrong")
          ),
          h(
            "button",
            { type: "button", key: "r", "aria-pressed": String(right === true), on: { click: () => choose(true) } },
            t("ledger.right")
          )
        )
      : editable
        ? h(
            "button",
            {
              type: "button",
              class: "verdict",
              on: { click: () => keep({}) }
            },
            words
          )
        : h("span", { class: "verdict" }, words),
    editable && picked ? whichCard(app, line, i, keep) : null
  );
}

function side(app, line, before, draft) {
  const players = app.people.length;
  const lie = withCards(app, line);
  const same = !lie.touched && before.length === draft.filter((g) => g !== null).length && before.every((g, i) => g === draft[i]);
  const newest = app.board.rounds.length > 0 && app.board.rounds[app.board.rounds.length - 1].number === line.number;
  const field = app.watch || line.ending === "void" ? null : cardField(app, line);
  const see =
    line.ending === "open" || line.ending === "void"
      ? null
      : h("p", { key: "see" }, textButton("see", t("ledger.see"), () => seeAgain(app, line)));
  if (same) return h("div", { class: "side" }, h("p", { class: "soft" }, written(line)), see, historyOf(app, line.number), field);
  const unset = draft.indexOf(null);
  const moves = differences(line.gains, gains(line, draft, players, attemptsOf(app)));
  const next = app.people[guesser(line, Math.max(0, unset), players)];
  const list = moves.map((m) =>
    h(
      "span",
      { key: "m" + m.seat, class: "move" },
      h("strong", {}, name(app.people[m.seat])),
      " " + signed(m.from) + " → " + signed(m.to)
    )
  );
  const wait = unset >= 0 && !newest;
  return h(
    "div",
    { class: "side" },
    h("p", { class: "soft" }, t("ledger.will")),
    h(
      "p",
      { class: "moves" },
      list,
      unset >= 0
        ? h("span", { key: "next", class: "move" }, say(wait ? "ledger.also_set" : "ledger.guesses_next", { name: next.name }))
        : null
    ),
    holdButton("hold", t("ledger.hold"), () => correct(app, line, draft), { cls: "primary", disabled: wait || lie.odd }),
    lie.odd ? h("p", { class: "note" }, t("ledger.cards_shape")) : null,
    field,
    h("p", { class: "soft small" }, written(line), " ", t("ledger.yours", { name: app.me.name || t("ledger.this_tablet") }))
  );
}

// The round's result in the window once more.
function seeAgain(app, line) {
  app.ui.again = line.number;
  app.go("");
}

function signed(n) {
  return n > 0 ? "+" + n : "0";
}

function written(line) {
  const people = line.guesses.filter((g) => g.source === "person").length;
  return t(
    people === 0 && line.guesses.length
      ? "ledger.by_camera"
      : people === line.guesses.length
        ? "ledger.by_hand"
        : "ledger.by_both"
  );
}

function correct(app, line, draft) {
  const guesses = draft
    .filter((g) => g !== null)
    .map((right, i) => ({ card: cardsOf(app, line, i), right: right }));
  const lie = withCards(app, line).cards;
  const what = { do: "correct", round: line.number, guesses: guesses };
  app.command(lie ? Object.assign(what, { cards: lie }) : what).then((done) => {
    if (done) app.set({ ledger: { open: line.number } });
  });
}
