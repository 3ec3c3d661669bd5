// The column beside the window while people play: where we are, who or what, why, people, buttons.

import { h } from "./vtree.js";
import { sign } from "./signs.js";
import { button, name, pips, roleLine, standings, textButton, where } from "./parts.js";
import { facesDown } from "./looks.js";
import { footer, toast } from "./foot.js";
import { nameBlock } from "./naming.js";
import { questionCard } from "./question.js";
import { say, t } from "./words.js";

export function secretColumn(app) {
  const round = app.board.round;
  const daydreamer = app.people[round.daydreamer];
  const lookout = app.people[round.lookout];
  const seen = ["off", "stopped", "waiting"].indexOf(app.board.camera.state) < 0;
  return [
    where(app),
    h(
      "div",
      { key: "head", class: "head" },
      toast(app),
      h(
        "h1",
        { key: "hand-over", class: "fit instruct", "data-steps": "4.25 3.5 3 2.5 2.125" },
        say("secret.hand", { n: round.draw, to: lookout.name, from: daydreamer.name })
      ),
      h(
        "p",
        { class: "second" },
        say(round.name ? "secret.then_named" : "secret.then", { n: round.draw, to: lookout.name, from: daydreamer.name })
      ),
      nameBlock(app)
    ),
    h(
      "div",
      { key: "low", class: "low" },
      seen && app.board.practice ? h("p", { class: "soft" }, t("secret.practice")) : null,
      seen && !app.board.practice
        ? h(
            "p",
            { class: "lid-line" },
            sign("lid"),
            h(
              "span",
              {},
              h("strong", {}, t("secret.eye")),
              h("span", { class: "soft" }, say("secret.promise", { name: lookout.name }))
            )
          )
        : null,
      roleLine(app.people, round.daydreamer, round.lookout)
    ),
    footer(
      app,
      app.byHand && !app.watch ? button("laid", t("laid"), () => app.command({ do: "laid" }), { cls: "primary wide" }) : countButton(app)
    )
  ];
}

// The camera's other count as a house rule: one tap, and only while the table asks for it.
function countButton(app) {
  const note = (app.board.notices || []).find((n) => n.key === "expected_seen");
  if (!note || app.watch || app.byHand || !(note.params.seen > 2)) return null;
  return button("count", t("accept_count", { n: note.params.seen }), () => app.command({ do: "accept_count" }), { cls: "primary wide" });
}

function asideWords(app) {
  const round = app.board.round;
  const n = round.tray.length;
  if (!n) return t("guess.point");
  return say(facesDown(app.board) ? "guess.point_down" : "guess.point_aside", { n: n, name: app.people[round.daydreamer].name });
}

function handRow(app) {
  if (!app.byHand || app.watch) return null;
  const round = app.board.round;
  const card = app.ui.picked;
  const what = (kind) => (card === null ? { do: kind } : { do: kind, card: card });
  return h(
    "div",
    { key: "hand", class: "hand-row" },
    button("wrong", t("hand.wrong"), () => app.command(what("wrong")), {
      sign: "moon",
      cls: "answer",
      below: app.phone ? name(app.people[round.daydreamer]) : say("hand.wrong_below", { name: app.people[round.daydreamer].name })
    }),
    button("right", t("hand.right"), () => app.command(what("right")), {
      sign: "sun",
      cls: "answer",
      below: app.people[round.turn] ? h("bdi", {}, app.people[round.turn].name) : null
    })
  );
}

export function guessColumn(app) {
  const round = app.board.round;
  const asking = app.board.question && app.ui.later !== app.board.question.id;
  if (asking) return questionColumn(app);
  const person = app.people[round.turn];
  const quiet = [];
  if (app.board.question) quiet.push(textButton("waits", t("question.waits"), () => app.set({ later: null })));
  if (!app.watch && !round.name && !app.ui.naming)
    quiet.push(textButton("naming", t("name.write"), () => app.set({ naming: true })));
  if (!app.watch && !["off", "stopped", "searching", "waiting"].some((s) => s === app.board.camera.state))
    quiet.push(
      textButton("byhand", t(app.ui.hand ? "hand.close" : "hand.open"), () => app.set({ hand: !app.ui.hand }), {
        open: app.ui.hand
      })
    );
  return [
    where(app),
    h(
      "div",
      { key: "head", class: "head" },
      toast(app),
      person
        ? h(
            "h1",
            { key: "turn", class: "turn" },
            h("span", { key: "who", class: "fit who", "data-steps": "8 6 5 4.25 3.4 3 2.6" }, name(person)),
            h("span", { class: "verb" }, t("guesses"))
          )
        : h("h1", { key: "wait", class: "fit", "data-steps": "4.25 3.4" }, t("guess.wait")),
      person ? pips(round) : null,
      nameBlock(app),
      h(
        "div",
        { key: "now", class: "now-line" },
        h("p", { class: "soft do-now" }, asideWords(app)),
        quiet.length ? h("p", { class: "quiet" }, quiet) : null
      ),
      handRow(app)
    ),
    h(
      "div",
      { key: "low", class: "low" },
      app.people.length <= 6 ? roleLine(app.people, round.daydreamer, round.lookout) : null,
      standings(app.people, round)
    ),
    footer(app)
  ];
}

function questionColumn(app) {
  const round = app.board.round;
  const person = app.people[round.turn];
  return [
    h(
      "header",
      { key: "where", class: "where" },
      h(
        "p",
        { class: "round-line" },
        person
          ? [
              h("strong", {}, say("question.turn", { name: person.name })),
              h("span", { class: "soft" }, " · " + t("attempt_small", { n: round.attempt, of: round.attempts }))
            ]
          : h("strong", {}, t("round", { n: round.number, of: round.of }))
      ),
      toast(app)
    ),
    questionCard(app),
    footer(app)
  ];
}
