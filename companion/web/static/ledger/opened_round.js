// A round of the ledger, opened: its guesses to be changed, what a change would do, and the button
// that enters it.

import { html } from "../core/html.js";
import { goToTable } from "../core/route.js";
import { say, t } from "../core/words.js";
import { holdButton, textButton } from "../parts/buttons.js";
import { isKnown, thumb } from "../parts/cards.js";
import { options } from "../parts/fields.js";
import { badge, name } from "../parts/people.js";
import { nameChanger } from "../round/cloud_name.js";
import { guesser, isUnseen, isVoid, isWon, lookedAt } from "../round/outcome.js";
import { deviceName, screen } from "../screen/this_screen.js";
import { lookAtGuess } from "../stills/stills.js";
import { cardOfGuess, cardsInWords, draft, draftedCards, enterCorrection } from "./draft.js";
import { changedGuesses, differences, gainsWith } from "./guess_changes.js";
import { roundHistory } from "./history.js";

export function openedRound(round, board, people) {
  const entered = round.guesses.map((guess) => guess.right);
  const guesses = draft.get().guesses || (canFillIn(round) ? [null] : entered);
  const { attempts } = round;
  const rows = guesses.map((right, i) =>
    guessRow({ round, guesses, right, i, people, attempts, board })
  );
  return html`
    <div class="opened" role="row">
      <div class="opened-in" role="cell">
        <ol class="guesses">${rows.length ? rows : html`<li class="soft">${t("ledger.no_guess")}</li>`}</ol>
        ${side({ round, entered, guesses, board, people, attempts })}
      </div>
    </div>`;
}

// True where a round that nobody saw waits for its guesses.
function canFillIn(round) {
  return isUnseen(round) && !screen.get().watching;
}

function guessRow({ round, guesses, right, i, people, attempts, board }) {
  const person = people[guesser(round, i)];
  const entered = round.guesses[i];
  const picked = draft.get().at === i;
  const editable = !screen.get().watching && (!isVoid(round) || isUnseen(round));
  const change = (more) => draft.set(Object.assign({ open: round.number, at: i }, more));
  const judge = (value) => change({ guesses: changedGuesses(guesses, i, value, attempts) });
  const verdict = right === null ? t("ledger.unset") : t(right ? "ledger.right" : "ledger.wrong");
  const said = [
    html`<span class="order soft">${i + 1}</span>`,
    badge(person),
    html`<span class="person">${name(person)}</span>`,
    entered && isKnown(entered.card)
      ? thumb(entered.card, "small")
      : html`<span class="thumb none"></span>`,
  ];
  const open = editable && (picked || right === null);
  if (editable && !open)
    return html`
      <li key="g${i}">
        <button type="button" class="guess" aria-label=${`${t("ledger.change", { n: i + 1 })}: ${person.name}, ${verdict}`}
          onclick=${() => change({})}>
          ${said}<span class="verdict">${verdict}</span>
        </button>
      </li>`;
  return html`
    <li key="g${i}" class=${["guess", picked && "picked"]}>
      ${said}
      ${open ? verdictSwitch(i, right, judge) : html`<span class="verdict">${verdict}</span>`}
      ${editable && picked && cardChoice(round, i, change)}
      ${editable && picked && lookAtGuess(board, round, i)}
    </li>`;
}

function verdictSwitch(i, right, judge) {
  const option = (key, value, words) => html`
    <button type="button" key=${key} aria-pressed="${right === value}" onclick=${() => judge(value)}>${words}</button>`;
  return html`
    <span class="switch" role="group" aria-label=${t("ledger.guess", { n: i + 1 })}>
      ${option("w", false, t("ledger.wrong"))}
      ${option("r", true, t("ledger.right"))}
    </span>`;
}

// A choice of the round's clouds for one guess.
function cardChoice(round, i, change) {
  const cards = round.cards.filter((card) => card !== null);
  if (!cards.length) return null;
  const now = cardOfGuess(round, i);
  const choose = ({ target }) => {
    const card = target.value === "" ? null : Number(target.value);
    change({ cardsOfGuesses: Object.assign({}, draft.get().cardsOfGuesses, { [i]: card }) });
  };
  const choices = [["", t("ledger.unknown_card")]].concat(
    cards.map((card) => [card, String(card)])
  );
  return html`
    <select class="which" aria-label=${t("ledger.which")} onchange=${choose}>
      ${options(now === null ? "" : now, choices)}
    </select>`;
}

// Beside the guesses: who wrote them, or what the change would do.
function side({ round, entered, guesses, board, people, attempts }) {
  const cards = draftedCards(round);
  const field = !screen.get().watching && !isVoid(round) && cardsField(round);
  const known = guesses.filter((guess) => guess !== null);
  const same =
    !cards.touched &&
    entered.length === known.length &&
    entered.every((guess, i) => guess === guesses[i]);
  if (same)
    return html`
      <div class="side">
        ${!isVoid(round) && nameChanger(round)}
        <p class="soft">${writtenBy(round)}</p>
        ${isWon(round) && seeAgainButton(round)}
        ${roundHistory(round.number)}
        ${field}
      </div>`;
  const newest = board.rounds[board.rounds.length - 1].number === round.number;
  const unset = guesses.indexOf(null);
  const waits = unset >= 0 && !newest;
  const next = people[guesser(round, Math.max(0, unset))];
  const moves = differences(round.gains, gainsWith(round, guesses, attempts));
  const me = deviceName(screen.get().device.name) || t("ledger.this_tablet");
  return html`
    <div class="side">
      ${!waits && html`<p key="will" class="soft">${t("ledger.will")}</p>`}
      <p class="moves">
        ${!waits && moves.map(({ seat, from, to }) => move(people[seat], from, to))}
        ${
          unset >= 0 &&
          html`
          <span key="next" class="move">
            ${say(waits ? "ledger.also_set" : "ledger.guesses_next", { name: next.name })}
          </span>`
        }
      </p>
      ${!waits && holdButton("hold", t("ledger.hold"), () => correct(round, guesses), { cls: "primary", disabled: cards.odd })}
      ${cards.odd && html`<p class="note">${t("ledger.cards_shape")}</p>`}
      ${field}
      <p class="soft small">${writtenBy(round)} ${t("ledger.yours", { name: me })}</p>
    </div>`;
}

function move(person, from, to) {
  const signed = (gain) => (gain > 0 ? `+${gain}` : "0");
  return html`
    <span key="m${person.seat}" class="move"><strong>${name(person)}</strong> ${signed(from)} → ${signed(to)}</span>`;
}

// The round's clouds as text, once somebody says that others lay there.
function cardsField(round) {
  const { cardsOpen, cardsText } = draft.get();
  const open = () => draft.set({ cardsOpen: true });
  if (!cardsOpen)
    return html`<p key="cards">${textButton("cards", t("ledger.other_cards"), open)}</p>`;
  const id = `cards-${round.number}`;
  return html`
    <p key="cards" class="round-cards">
      <label for=${id} class="soft">${t("ledger.cards")}</label>
      <input id=${id} class="print-input" value=${cardsText === null ? cardsInWords(round) : cardsText} autocomplete="off"
        maxlength="60" oninput=${(event) => draft.set({ cardsText: event.target.value })} />
    </p>`;
}

// The round's result in the window once more.
function seeAgainButton(round) {
  const see = () => {
    lookedAt.put({ round: round.number });
    goToTable();
  };
  return html`<p key="see" class="see">${textButton("see", t("ledger.see"), see)}</p>`;
}

function writtenBy(round) {
  if (isUnseen(round)) return t(screen.get().watching ? "ledger.unseen_why" : "ledger.fill_in");
  const byPeople = round.guesses.filter((guess) => guess.source === "person").length;
  if (byPeople === 0 && round.guesses.length) return t("ledger.by_camera");
  return t(byPeople === round.guesses.length ? "ledger.by_hand" : "ledger.by_both");
}

async function correct(round, guesses) {
  const known = guesses.filter((guess) => guess !== null);
  const told = known.map((right, i) => ({ card: cardOfGuess(round, i), right }));
  if (await enterCorrection(round, told, draftedCards(round).cards))
    draft.reset({ open: round.number });
}
