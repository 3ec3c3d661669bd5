// The only card on any page: one question, the cloud it is about, two or three answers, and
// "later".

import { command } from "../core/commands.js";
import { html } from "../core/html.js";
import { createStore } from "../core/store.js";
import { has, say, t } from "../core/words.js";
import { button, textButton } from "../parts/buttons.js";
import { isKnown, thumb } from "../parts/cards.js";
import { name, token } from "../parts/people.js";
import { sign } from "../parts/signs.js";
import { guesser } from "../round/outcome.js";
import { screen } from "../screen/this_screen.js";

// Answers in which somebody was right: drawn as that person on the sun.
const CLAIMS = ["claimed", "set_aside_then_claimed"];

// The question that was put off, by its id.
const later = createStore({ question: null });

export function isAsking(board) {
  return !!board.question && later.get().question !== board.question.id;
}

// The way back to a question that was put off.
export function questionOpener({ question }) {
  return question && textButton("waits", t("question.waits"), () => later.set({ question: null }));
}

export function questionCard({ board, people }) {
  const { question } = board;
  const { watching } = screen.get();
  const key = `question.${question.asks}`;
  const answers = () =>
    (question.options || []).map((option, i) => answerButton(option, i, board, people));
  return html`
    <section key="question" class="question" aria-label=${t("question.label")}>
      <div class="asked">
        ${isKnown(question.card) && thumb(question.card, "up", "big")}
        <h1>${say(has(key) ? key : "question.any", question.params)}</h1>
      </div>
      ${watching ? html`<p>${t("question.watch")}</p>` : answers()}
      ${!watching && textButton("later", t("question.later"), () => later.set({ question: question.id }))}
    </section>`;
}

function answerButton(option, index, board, people) {
  const { question, round } = board;
  const seat = isKnown(option.seat) ? option.seat : round && round.turn;
  const person = people[seat];
  const key = `option.${option.key}`;
  const words = has(key) ? say(key, answerParams(option, person, board, people)) : option.key;
  const answer = () =>
    command({
      do: "answer",
      question: question.id,
      option: option.option === undefined ? option.key : option.option,
    });
  const claims = person && CLAIMS.indexOf(option.key) >= 0;
  const drawing = claims ? onSun(person) : sign(option.key === "lookout" ? "telescope" : "empty");
  return button(`o${index}`, words, answer, { drawing, cls: "answer" });
}

function answerParams(option, person, { question, round, rounds }, people) {
  const setAside = option.set_aside || 0;
  const cards = option.cards || 0;
  const nameOf = (seat) => (round && people[seat] ? people[seat].name : "");
  return {
    name: person ? person.name : "",
    n: option.key === "set_aside_then_claimed" ? setAside : cards,
    took: cards,
    wrong: whoGuessedWrong(
      setAside,
      rounds.find((one) => one.number === question.round) || round,
      people
    ),
    daydreamer: nameOf(round && round.daydreamer),
    lookout: nameOf(round && round.lookout),
  };
}

// Who guessed wrong in a story with `count` wrong guesses: one or two by name, more by number.
function whoGuessedWrong(count, round, people) {
  const seats = [];
  for (let i = 0; i < count; i += 1) seats.push(guesser(round, i, people.length));
  const guessers = seats.filter((seat, i) => seats.indexOf(seat) === i).map((seat) => people[seat]);
  if (guessers.length > 2 || !guessers.length) return t("option.people", { n: guessers.length });
  const [one, other] = guessers;
  return html`<span>${name(one)}${other && [t("end.and"), name(other)]}</span>`;
}

// Whoever claims stands on the sun, by shape, as in the window.
function onSun(person) {
  return html`
    <svg class="sign" viewBox="-62 -62 124 124" aria-hidden="true">
      <circle class="sun-disc" r="58" />
      <g class="lit">${token(person, 70)}</g>
    </svg>`;
}
