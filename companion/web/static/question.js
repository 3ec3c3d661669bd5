// The only card on any page: one question, the cloud it is about, two or three answers, and "later".

import { h } from "./vtree.js";
import { button, name, textButton } from "./parts.js";
import { guesser } from "./consequence.js";
import { thumb } from "./clouds.js";
import { token } from "./people.js";
import { sign } from "./signs.js";
import { say, t } from "./words.js";

// The sign an answer has in the window: the moon for "aside", the telescope, a dotted circle for "back".
const SIGNS = { aside: "moon", wrong: "moon", lookout: "telescope", lookout_took: "telescope" };

// Whoever claims stands on the sun, by shape, as in the window.
function onSun(person) {
  return h(
    "svg",
    { class: "sign", viewBox: "-62 -62 124 124", "aria-hidden": "true" },
    h("circle", { class: "sun-disc", r: 58 }),
    h("g", { class: "lit" }, token(person, 70))
  );
}

function signOf(option, person) {
  const claims = ["claimed", "right", "aside_then_claimed"].indexOf(option.key) >= 0;
  return claims && person ? onSun(person) : sign(SIGNS[option.key] || "empty");
}

// Who guessed wrong in a story with `count` wrong guesses: one or two by name, more by number.
function astray(app, count) {
  const round = app.board.rounds.find((r) => r.number === app.board.question.round) || app.board.round;
  const seats = [];
  for (let i = 0; i < count; i += 1) seats.push(guesser(round, i, app.people.length));
  const named = seats.filter((s, i) => seats.indexOf(s) === i).map((s) => app.people[s]);
  if (named.length === 2) return h("span", {}, name(named[0]), t("end.and"), name(named[1]));
  return named.length === 1 ? h("span", {}, name(named[0])) : t("option.people", { n: named.length });
}

function answer(app, option, index) {
  const round = app.board.round;
  const seat = option.seat === null || option.seat === undefined ? round && round.turn : option.seat;
  const person = app.people[seat];
  const aside = option.aside || 0;
  const params = {
    name: person ? person.name : "",
    n: option.key === "aside_then_claimed" ? aside : option.cards || 0,
    took: option.cards || 0,
    wrong: astray(app, aside),
    daydreamer: round && app.people[round.daydreamer] ? app.people[round.daydreamer].name : "",
    lookout: round && app.people[round.lookout] ? app.people[round.lookout].name : ""
  };
  const key = "option." + option.key;
  const words = app.hasWord(key) ? say(key, params) : option.key;
  return button(
    "o" + index,
    words,
    () =>
      app.command({
        do: "answer",
        question: app.board.question.id,
        option: option.option === undefined ? option.key : option.option
      }),
    { drawn: signOf(option, person), cls: "answer" }
  );
}

export function questionCard(app) {
  const q = app.board.question;
  const ask = app.hasWord("question." + q.asks) ? "question." + q.asks : "question.any";
  const options = q.options || [];
  return h(
    "section",
    { key: "question", class: "question", "aria-label": t("question.label") },
    h(
      "div",
      { class: "asked" },
      q.card !== null && q.card !== undefined ? thumb(q.card, "big") : null,
      h("h1", {}, say(ask, q.params || {}))
    ),
    app.watch ? h("p", {}, t("question.watch")) : options.map((o, i) => answer(app, o, i)),
    app.watch ? null : textButton("later", t("question.later"), () => app.set({ later: q.id }))
  );
}
