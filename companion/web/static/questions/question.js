// The one question that waits: a quiet line where it is about an earlier round or was put off; and
// the card in the column's place, with the round's clouds, two or three answers, the way to tell it
// where it was none of them, and "later".

import { command } from "../core/commands.js";
import { onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { notice } from "../core/notice.js";
import { go } from "../core/route.js";
import { keep, recall } from "../core/storage.js";
import { createStore } from "../core/store.js";
import { toastLine } from "../core/toast.js";
import { has, say, t } from "../core/words.js";
import { openRound } from "../ledger/draft.js";
import { button, textButton } from "../parts/buttons.js";
import { isKnown, thumb } from "../parts/cards.js";
import { name, token } from "../parts/people.js";
import { sign } from "../parts/signs.js";
import { byHand } from "../round/by_hand.js";
import { footer } from "../round/footer.js";
import { guesser, isLookedAtAgain, rightAtKey } from "../round/outcome.js";
import { screen } from "../screen/this_screen.js";
import { lookAtQuestion } from "../stills/stills.js";
import { askedKey, isAboutNow, waitsWords } from "./question_words.js";

// Answers in which somebody was right: drawn as that person on the sun.
const CLAIMS = ["claimed", "set_aside_then_claimed"];
// Where the column can give its place to a question.
const PHASES = ["guessing", "secret", "result", "paused", "over"];

// Who was asked who took the clouds can tell another story than the two; those of a round that nobody
// saw are all there are.
const HAS_OTHERS = "who_took";
const PUT_OFF = "question-put-off";

// Questions as `markOf` tells them: the one that was put off, also before this page was loaded anew; and
// the one about an earlier round that was opened.
const chosen = createStore({ later: recall(PUT_OFF, null), opened: null });

// A choice is about one question: the next one, of this evening or another, is asked anew.
onScoreboard((before, board) => {
  if (before && markOf(before) !== markOf(board)) chosen.put({ later: null, opened: null });
});

function markOf({ evening, question }) {
  return question ? `${evening} ${question.id}` : null;
}

function putOff(board) {
  keep(PUT_OFF, markOf(board));
  chosen.set({ later: markOf(board), opened: null });
}

// True while the card stands in the column's place: at once where the question is about the present
// round, or the evening is over and the winner hangs on it; when somebody opened it where it is about an
// earlier one or the game rests; never where nobody can answer.
export function isAsking(board) {
  const { question, phase } = board;
  if (!question || screen.get().watching || PHASES.indexOf(phase) < 0 || isLookedAtAgain(board))
    return false;
  const { later, opened } = chosen.get();
  const atOnce = phase === "over" || (phase === "guessing" && isAboutNow(board));
  return atOnce ? later !== markOf(board) : opened === markOf(board);
}

// The line that says that a question waits, and opens it; only said where nobody can answer.
export function questionLine(board) {
  const { question } = board;
  if (!question || isAsking(board)) return null;
  const words = waitsWords(board);
  if (screen.get().watching)
    return html`<p key="waits" class="soft waits">${`${words}. ${t("question.watch")}`}</p>`;
  const open = () => chosen.set({ later: null, opened: markOf(board) });
  return html`<p key="waits" class="waits">${textButton("waits", words, open)}</p>`;
}

export function questionColumn(evening) {
  const { board, people } = evening;
  const { round } = board;
  const person = board.phase === "guessing" && people[round.turn];
  const whose = person
    ? html`
        <strong>${say("question.turn", { name: person.name })}</strong>
        <span class="soft"> · ${t("attempt_small", { n: round.attempt, of: round.attempts })}</span>`
    : html`<strong>${board.phase === "over" ? t("end.over") : t("round", { n: round.number, of: round.of })}</strong>`;
  return [
    html`
      <header key="where" class="where">
        <p class="round-line">${whose}</p>
        ${!evening.online && html`<p key="note" class="note">${notice(evening)}</p>`}
        ${toastLine()}
      </header>`,
    questionCard(evening),
    footer(evening),
  ];
}

function questionCard({ board, people, online }) {
  const { question } = board;
  const about = board.rounds.find((one) => one.number === question.round);
  const later = () => putOff(board);
  const words = say(askedKey(question), question.params);
  const earlier = !isAboutNow(board);
  return html`
    <section key="question" class=${["question", earlier && "earlier"]} aria-label=${t("question.label")}>
      ${earlier && html`<p class="about">${t("question.about", { round: question.round })}</p>`}
      <div class="asked">
        ${!earlier && isKnown(question.card) && thumb(question.card, "up", "big")}
        <h1 key="asked" class="fit" data-steps="2.6 2.4 2.1 1.8">${words}</h1>
      </div>
      ${earlier && about && roundsClouds(about, question.card)}
      ${(question.options || []).map((option, i) => answerButton(option, i, question, about, people))}
      <p class="quiet">
        ${lookAtQuestion(board)}
        ${question.asks === HAS_OTHERS && textButton("otherwise", t("question.otherwise"), () => tellOtherwise(board))}
        ${textButton("later", t("question.later"), later)}
      </p>
      ${board.practice && online && !earlier && html`<p key="practice" class="soft">${t("question.practice")}</p>`}
    </section>`;
}

// It was none of the answers: the present round is told by its two buttons, one that is over where its
// guesses stand.
function tellOtherwise(board) {
  if (isAboutNow(board)) {
    byHand.put({ open: true });
    putOff(board);
    return;
  }
  openRound(board.question.round);
  go("ledger");
}

// The clouds of the earlier round that is asked about; the one in dispute has a ring.
function roundsClouds(about, disputed) {
  const cards = about.cards.filter(isKnown);
  return (
    cards.length > 0 &&
    html`<p class="asked-clouds">${cards.map((card) => thumb(card, "small", card === disputed && "disputed"))}</p>`
  );
}

// A story as what it gives, large, and why, small: the person's sign on the sun, "Ben +4", "right at
// the first guess". `after` is done once the table took it.
export function answerButton(option, index, question, about, people, after) {
  const person = isKnown(option.seat) && people.find((one) => one.seat === option.seat);
  const answer = () =>
    command({
      do: "answer",
      question: question.id,
      option: option.option === undefined ? option.key : option.option,
    }).then((taken) => taken && after && after());
  const claims = person && CLAIMS.indexOf(option.key) >= 0;
  const drawing = claims ? onSun(person) : sign(option.key === "lookout" ? "telescope" : "empty");
  const more = { drawing, cls: "answer", sends: true };
  if (!person) {
    const key = `option.${option.key}`;
    return button(`o${index}`, has(key) ? t(key) : option.key, answer, more);
  }
  const gain = html`<span>${name(person)} <span class="plus">+${option.cards}</span></span>`;
  more.below = why(option, about, people);
  return button(`o${index}`, gain, answer, more);
}

// One or two others who were wrong are named; where it is more, or one of them twice, it is the guess.
function why({ key, set_aside: wrong }, about, people) {
  if (key !== "set_aside_then_claimed") return t(`option.why_${key}`);
  const [one, other] = about ? [0, 1].map((i) => people[guesser(about, i)]) : [];
  if (wrong > 2 || !one || !other || (one === other && wrong > 1)) return t(rightAtKey(wrong + 1));
  const names = html`<span>${name(one)}${wrong > 1 && [t("end.and"), name(other)]}</span>`;
  return say("option.why_set_aside_then_claimed", { n: wrong, wrong: names });
}

// Whoever claims stands on the sun, by shape, as in the window.
function onSun(person) {
  return html`
    <svg class="sign" viewBox="-62 -62 124 124" aria-hidden="true">
      <circle class="sun-disc" r="58" />
      <g class="lit">${token(person, 70)}</g>
    </svg>`;
}
