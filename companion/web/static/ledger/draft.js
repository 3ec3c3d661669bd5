// What is being changed in the ledger and not yet entered: which round is open, its guesses and
// clouds, or a repair.

import { command } from "../core/commands.js";
import { onOtherEvening, onScoreboard } from "../core/evening.js";
import { numberNow } from "../core/round_numbers.js";
import { currentPage, followPage } from "../core/route.js";
import { createStore } from "../core/store.js";
import { endToast, showToast } from "../core/toast.js";
import { isKnown } from "../parts/cards.js";

const MOST_CARDS = 12;

export const draft = createStore({
  open: null, // the round that is open, by its number
  at: null, // which of its guesses is looked at
  guesses: null, // true (right), false or null (not known yet) for each guess; null while they are as entered
  cardsOfGuesses: {}, // {guess: card} as chosen here
  cardsOpen: false, // the field of the round's clouds is open
  cardsText: null, // what was written into the field of the round's clouds
  history: null, // the round's entries, once asked for
  repair: null, // which repair is open
});

// Who leaves the ledger leaves what was not entered, and is told so; the round stays open. The stills are
// looked at in the midst of it.
followPage(() => {
  if (["ledger", "stills"].indexOf(currentPage()) < 0) openRound(draft.get().open);
});

onOtherEvening(() => draft.reset({}));

// Open another round, or none (null): a change of the one before was not entered, and that is said.
export function openRound(number) {
  if (isDrafted()) showToast("said.not_entered", { n: draft.get().open });
  draft.reset({ open: number });
}

// Open a repair, or close it (null): the round that is open stays as it is, and so does what is being
// changed in it.
export function openRepair(repair) {
  draft.set({ repair });
}

// A repair was entered: the ledger is left as `after` says, but for what is being changed in a round.
export function endRepair(after) {
  if (isDrafted()) openRepair(null);
  else draft.reset(after);
}

// While a change of this screen's own is under way.
let entering = false;

// A round that is open stays open where its number moves. A change says what becomes of the guesses it was
// made from: where another screen or the camera changed them, it means them no more; nor does a repair
// where the numbers mean other rounds, or the Daydreamer of the next one where that lies already.
onScoreboard((before, board) => {
  if (!before || before.evening !== board.evening) return;
  const { open, repair } = draft.get();
  const moved = String(before.inserted) !== String(board.inserted);
  const now = open === null ? null : numberNow(open, before.inserted, board.inserted);
  const meant = !isDrafted() || (now !== null && stateOf(before, open) === stateOf(board, now));
  const laid = before.rounds.length !== board.rounds.length;
  const repaired = (repair === "insert" && moved) || (repair === "daydreamer" && laid);
  draft.put({ open: now });
  if (meant && !repaired) return;
  if (!meant) draft.put({ guesses: null, cardsOfGuesses: {}, cardsText: null });
  if (repaired) draft.put({ repair: null });
  if (!entering) showToast("said.stale");
});

function isDrafted() {
  const { guesses, cardsOfGuesses, cardsText } = draft.get();
  return guesses !== null || cardsText !== null || Object.keys(cardsOfGuesses).length > 0;
}

// What a round consists of, as a text to compare.
function stateOf(board, number) {
  const round = board.rounds.find((one) => one.number === number);
  return round ? JSON.stringify([round.cards, round.ending, toldGuesses(round)]) : "";
}

function toldGuesses(round) {
  return round.guesses.map(({ card, right }) => ({ card, right }));
}

// Enter these guesses, and these clouds if there are any, in place of the ones that `round` shows; true
// when the table took it.
export async function enterCorrection(round, guesses, cards) {
  const asked = { do: "correct", round: round.number, guesses, instead_of: toldGuesses(round) };
  if (cards) asked.cards = cards;
  return enter(asked);
}

// Enter a change of this screen's own; true when the table took it.
export async function enter(asked) {
  entering = true;
  const taken = await command(asked);
  entering = false;
  if (taken) endToast(); // what was said not to be entered may be entered now
  return taken;
}

// The cloud of guess `i` as it stands in the draft.
export function cardOfGuess(round, i) {
  const { cardsOfGuesses } = draft.get();
  if (cardsOfGuesses[i] !== undefined) return cardsOfGuesses[i];
  return round.guesses[i] && isKnown(round.guesses[i].card) ? round.guesses[i].card : null;
}

// The round's clouds as the field shows them: "7, ?, 12".
export function cardsInWords(round) {
  return round.cards.map((card) => (card === null ? "?" : card)).join(", ");
}

// What was written into a field of clouds: a list, or null when it cannot be read.
export function readCards(text, most) {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  const cards = parts.map((part) =>
    part === "?" ? null : /^\d{1,2}$/.test(part) ? Number(part) : NaN
  );
  const known = cards.filter((card) => card !== null);
  const odd =
    !parts.length ||
    cards.length > most ||
    known.some((card, i) => !(card >= 1) || known.indexOf(card) !== i);
  return odd ? null : cards;
}

// What the draft says of the round's clouds: {touched, odd, cards}; `cards` only when they were
// changed.
export function draftedCards(round) {
  const { cardsText, cardsOfGuesses } = draft.get();
  const entered = (i) => (round.guesses[i] ? round.guesses[i].card : null);
  const renamed = Object.keys(cardsOfGuesses).some((i) => cardsOfGuesses[i] !== entered(i));
  if (cardsText === null || cardsText === cardsInWords(round))
    return { touched: renamed, odd: false, cards: null };
  const cards = readCards(cardsText, MOST_CARDS);
  return { touched: true, odd: cards === null, cards };
}
