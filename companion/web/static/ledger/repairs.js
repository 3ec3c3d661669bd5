// What went wrong beside the guesses: a round nobody entered, the wrong Daydreamer, a card that is
// lost. Each behind a steady finger, and each can be taken back.

import { comingNames } from "../core/evening.js";
import { html } from "../core/html.js";
import { get } from "../core/requests.js";
import { createStore } from "../core/store.js";
import { t } from "../core/words.js";
import { button, holdButton } from "../parts/buttons.js";
import { selectRow } from "../parts/fields.js";
import { name } from "../parts/people.js";
import { isOpen, rightAtKey } from "../round/outcome.js";
import { draft, endRepair, enter, openRepair, readCards } from "./draft.js";

const MOST_LOST = 40;
const LONGEST_LOST = 4 * MOST_LOST; // "12, " for each
const NOBODY = 0;

// What was chosen in the repair that is open; null for what it offers by itself.
const chosen = createStore({ round: null, rightAt: 1, daydreamer: null, lostText: "" });

// Everybody's clouds with the missed round as it is chosen, as the table foretells them; null while that
// is not known.
const foretold = createStore({ asked: "", clouds: null });

const REPAIRS = { insert: missedRound, daydreamer: otherDaydreamer, missing: lostCards };

export function repairs(board, people) {
  if (board.phase === "over") return null;
  const open = draft.get().repair;
  const offered = Object.keys(REPAIRS).filter((one) => one !== "insert" || board.round);
  const toggle = (repair) => {
    chosen.reset({ round: newestOf(roundsToMiss(board)) });
    openRepair(open === repair ? null : repair);
  };
  const opener = (one) =>
    button(one, t(`ledger.${one}`), () => toggle(one), { pressed: open === one });
  return html`
    <div class="mending">
      <p class="pair">${offered.map(opener)}</p>
      ${
        offered.indexOf(open) >= 0 &&
        html`
        <section key="form-${open}" class="insert-form" aria-label=${t(`ledger.${open}`)}>
          ${REPAIRS[open](board, people)}
        </section>`
      }
    </div>`;
}

// Send it, and leave the ledger as `after` says.
async function repair(asked, after) {
  if (await enter(asked)) endRepair(after);
}

// A field with its choices; values are numbers.
function numberRow(key, label, value, choices, choose) {
  return selectRow(key, `mend-${key}`, label, value, choices, (text) => choose(Number(text)));
}

// The numbers that a missed round can have: that of any round, and of the next one.
function roundsToMiss(board) {
  const numbers = board.rounds.map((round) => round.number);
  return board.rounds.some(isOpen) ? numbers : numbers.concat([numbers.length + 1]);
}

function newestOf(numbers) {
  return numbers[numbers.length - 1];
}

// A round that was played and never entered: where it was, how it ended. The number that the form was
// opened with stays, also when the table goes on.
function missedRound(board, people) {
  const numbers = roundsToMiss(board);
  const { round, rightAt } = chosen.get();
  const at = numbers.indexOf(round) < 0 ? newestOf(numbers) : round;
  const attempts = attemptsOf(board, at);
  const endings = [];
  for (let k = 1; k <= attempts; k += 1) endings.push([k, t(rightAtKey(k))]);
  endings.push([NOBODY, t("result.nobody")]);
  const right = Math.min(rightAt, attempts);
  const wrong = right === NOBODY ? attempts : right - 1;
  const found = right !== NOBODY;
  const insert = () => {
    const guesses = Array(wrong).fill({ card: null, right: false });
    if (found) guesses.push({ card: null, right: true });
    repair({ do: "insert", round: at, guesses }, { open: at });
  };
  const rounds = numbers.map((number) => [number, String(number)]);
  return html`
    ${numberRow("at", t("ledger.insert_at"), at, rounds, (number) => chosen.set({ round: number }))}
    ${numberRow("how", t("ledger.insert_how"), right, endings, (k) => chosen.set({ rightAt: k }))}
    ${whatFollows(people, cloudsWith(board, at, wrong, found))}
    <p class="soft">${t("ledger.insert_why")}</p>
    ${holdButton("insert-hold", t("ledger.insert_hold"), insert, { cls: "primary" })}`;
}

// The table is asked once for the same round at the same moment of the evening.
function cloudsWith({ version }, at, wrong, found) {
  const way = `/api/missed-round/${at}?wrong=${wrong}&found=${found ? 1 : 0}`;
  const asked = `${version} ${way}`;
  if (foretold.get().asked !== asked) {
    foretold.put({ asked, clouds: null });
    get(way).then(
      ({ clouds }) => foretold.get().asked === asked && foretold.set({ clouds }),
      () => undefined
    );
  }
  return foretold.get().clouds;
}

// Whose clouds would be more or fewer.
function whatFollows(people, clouds) {
  if (!clouds) return null;
  const moved = people.filter((person) => clouds[person.seat] !== person.cards);
  return html`
    <p class="soft">${t("ledger.will")}</p>
    <p class="moves">
      ${moved.map(
        (person) => html`
          <span key="m${person.seat}" class="move"><strong>${name(person)}</strong> ${person.cards} → ${clouds[person.seat]}</span>`
      )}
    </p>`;
}

// How many guesses a missed round had that gets this number: the circle is that of the round before it;
// the first one's is the first that is known.
function attemptsOf(board, number) {
  const near = board.rounds[Math.max(0, number - 2)];
  return near ? near.full_attempts : board.round.attempts;
}

// Someone else daydreams: from the next round that is laid.
function otherDaydreamer(board) {
  if (!board.next) return null;
  const names = comingNames(board);
  const at = names.indexOf(chosen.get().daydreamer);
  const who = at < 0 ? board.next.circle.indexOf(board.next.daydreamer) : at;
  const send = () =>
    repair({ do: "players", players: names, daydreamer: who, instead_of: names }, {});
  const choices = names.map((name, i) => [i, name]);
  const choose = (i) => chosen.set({ daydreamer: names[i] });
  return html`
    ${numberRow("dreams", t("ledger.dreams"), who, choices, choose)}
    <p class="soft">${t("ledger.dreams_why")}</p>
    ${holdButton("dreams-hold", t("ledger.insert_hold"), send, { cls: "primary" })}`;
}

// Cards that are not in the box tonight: the rounds to come are counted without them.
function lostCards({ missing }) {
  const { lostText } = chosen.get();
  const cards = lostText ? readCards(lostText, MOST_LOST) : [];
  const send = () => repair({ do: "missing", cards }, {});
  return html`
    <p key="lost" class="round-cards">
      <label for="lost">${t("ledger.lost")}</label>
      <input id="lost" class="print-input" value=${lostText} autocomplete="off" maxlength=${LONGEST_LOST}
        oninput=${(event) => chosen.set({ lostText: event.target.value })} />
    </p>
    <p class=${cards ? "soft" : "note"}>${t(cards ? "ledger.lost_why" : "ledger.cards_shape")}</p>
    ${missing.length > 0 && html`<p class="soft">${t("ledger.lost_already", { cards: missing.map((card) => (card === null ? "?" : card)).join(", ") })}</p>`}
    ${holdButton("lost-hold", t("ledger.insert_hold"), send, { cls: "primary", disabled: !cards || !cards.length })}`;
}
