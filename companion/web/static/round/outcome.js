// What became of a round: who guessed when, what it came to, and who holds which of its cards.

import { onScoreboard } from "../core/evening.js";
import { createStore } from "../core/store.js";
import { isKnown } from "../parts/cards.js";

// How a round can stand, by the table's word for it: whether it ended, the field that names whose
// its clouds became, and the last part of the keys of its words ("last.right").
const ENDINGS = {
  open: { ended: false, taker: null, words: null },
  claimed: { ended: true, taker: "claimer", words: "right" },
  lookout: { ended: true, taker: "lookout", words: "nobody" },
  void: { ended: true, taker: null, words: "void" },
};

function endingOf(round) {
  return ENDINGS[round.ending];
}

export function isOpen(round) {
  return !endingOf(round).ended;
}

// True for a round that ended and gave nobody anything.
export function isVoid(round) {
  const { ended, taker } = endingOf(round);
  return ended && !taker;
}

// The seat that a finished round's clouds went to; null while it is open and when it is void.
export function takerOf(round) {
  const { taker } = endingOf(round);
  return taker && round[taker];
}

// True for a round that was played while nobody saw it: its guesses can be written in.
export function isUnseen(round) {
  return isVoid(round) && round.unseen;
}

export function isWon(round) {
  return isKnown(takerOf(round));
}

// True where a guess was right; else, of those that were won, nobody guessed it.
export function isFound(round) {
  return endingOf(round).taker === "claimer";
}

// The rounds that are finished, the oldest first.
export function endedRounds(board) {
  return board.rounds.filter((round) => !isOpen(round));
}

// Who makes guess `index` (from 0): Spectators in turn from the Daydreamer's left, of those who sat in
// the round's circle.
export function guesser(round, index) {
  const { circle } = round;
  return circle[1 + (index % (circle.length - 2))];
}

// What a finished round came to: the last part of its words' keys ("right", "nobody" or "void"),
// whose it was, what they gained, with which guess (from 1), and the others who gained as
// [seat, gain].
export function outcomeOf(round) {
  const { words } = endingOf(round);
  const seat = takerOf(round);
  if (!isKnown(seat)) return { words, seat: null, gain: 0, guess: 0, others: [] };
  return {
    words,
    seat,
    gain: round.gains[seat],
    guess: round.guesses.length,
    others: round.gains
      .map((gain, other) => [other, gain])
      .filter(([other, gain]) => gain && other !== seat),
  };
}

// The key of the words for a guess that was right: "right_at.1" to "right_at.6".
export function rightAtKey(guess) {
  return `right_at.${Math.max(1, Math.min(6, guess))}`;
}

// A key for each card of a round's deal, in the order they lay: the same from the deal to the pile,
// so that a cloud travels. A card that nobody knows is the n-th of the deal.
export function dealKeys(cards) {
  return cards.map((card, at) => (isKnown(card) ? `c${card}` : `u${at}`));
}

// Which silhouette the n-th card of a round has while nobody knows it.
export function shapeOf(round, at) {
  return round.number * 3 + at;
}

// Who holds which card after a finished round: a list of {card, seat, key} in the order they lay.
// Where nobody knows which were set aside, it is the last ones.
export function ownersOf(round) {
  const taker = takerOf(round);
  if (!isKnown(taker)) return [];
  const keys = dealKeys(round.cards);
  const wrong = round.guesses.filter((guess) => !guess.right).map((guess) => guess.card);
  const right = round.guesses.filter((guess) => guess.right).map((guess) => guess.card);
  let unnamed = isFound(round) ? wrong.filter((card) => !isKnown(card)).length : 0;
  const owners = round.cards.map((card, at) => {
    const setAside = isFound(round) && isKnown(card) && wrong.indexOf(card) >= 0;
    return { card, key: keys[at], at, seat: setAside ? round.daydreamer : taker };
  });
  owners
    .slice()
    .reverse()
    .forEach((owner) => {
      if (!unnamed || owner.seat !== taker) return;
      if (isKnown(owner.card) && right.indexOf(owner.card) >= 0) return;
      owner.seat = round.daydreamer;
      unnamed -= 1;
    });
  return owners;
}

const LAST_RESULT_MS = 7000; // the last round's result stays so long before it is said who has the sky

// The round whose result is looked at again, by its number; null while nobody does.
export const lookedAt = createStore({ round: null });
let leaving = null;

onScoreboard((before, board) => {
  const same = before && before.evening === board.evening && before.phase === board.phase;
  if (!before || (same && before.rounds.length === board.rounds.length)) return;
  clearTimeout(leaving);
  const round = endsWithResult(before, board) ? board.rounds.length : null;
  lookedAt.put({ round });
  if (round) leaving = setTimeout(() => lookedAt.set({ round: null }), LAST_RESULT_MS);
});

// True where a round was just won, be it the last one: its clouds travel to whom they went.
export function isJustWon(before, board) {
  const round = board.rounds[board.rounds.length - 1];
  return (
    before.evening === board.evening &&
    before.phase === "guessing" &&
    (board.phase === "result" || board.phase === "over") &&
    board.rounds.length === before.rounds.length &&
    isOpen(before.rounds[board.rounds.length - 1]) &&
    isWon(round)
  );
}

function endsWithResult(before, board) {
  return board.phase === "over" && !board.question && isJustWon(before, board);
}

export function isLookedAtAgain(board) {
  return endedRounds(board).some((round) => round.number === lookedAt.get().round);
}

// The finished round whose result is shown: the one asked for again, else the last one.
export function shownRound(board) {
  const ended = endedRounds(board);
  return ended.find((round) => round.number === lookedAt.get().round) || ended[ended.length - 1];
}
