// The only card on any page: one question, the cloud it is about, two or three answers, and "later".

import { h } from "./vtree.js";
import { button, textButton } from "./parts.js";
import { thumb } from "./clouds.js";
import { say, t } from "./words.js";

// The sign an answer has in the window: the moon for "aside", the sun for a claim, a dotted circle for "back".
const SIGNS = {
  aside: "moon",
  wrong: "moon",
  aside_then_claimed: "moon",
  claimed: "sun",
  right: "sun",
  lookout: "telescope",
  lookout_took: "telescope",
  back: "empty",
  back_in_middle: "empty",
  none: "empty",
  open: "empty"
};

function answer(app, option, index) {
  const round = app.board.round;
  const seat = option.seat === null || option.seat === undefined ? round && round.turn : option.seat;
  const person = app.people[seat];
  const params = {
    name: person ? person.name : "",
    n: option.cards || 0,
    aside: option.aside || 0,
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
    { sign: SIGNS[option.key] || "cloud", cls: "answer" }
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
