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

// Who makes guess `index` (from 0): Spectators in turn from the Daydreamer's left.
export function guesser(round, index, players) {
  return (round.daydreamer + 1 + (index % (players - 2))) % players;
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

// Who holds which card after a finished round: a list of {card, seat} in the order they lay.
export function ownersOf(round) {
  const taker = takerOf(round);
  if (!isKnown(taker)) return [];
  if (!isFound(round)) return round.cards.map((card) => ({ card, seat: taker }));
  const wrong = round.guesses.filter((guess) => !guess.right).map((guess) => guess.card);
  const right = round.guesses.filter((guess) => guess.right).map((guess) => guess.card);
  let unnamed = wrong.filter((card) => !isKnown(card)).length;
  return round.cards.map((card) => {
    let setAside = card !== null && wrong.indexOf(card) >= 0;
    if (!setAside && unnamed > 0 && (card === null || right.indexOf(card) < 0)) {
      setAside = true;
      unnamed -= 1;
    }
    return { card, seat: setAside ? round.daydreamer : taker };
  });
}

// The round whose result is looked at again, by its number; null while nobody does.
export const lookedAt = createStore({ round: null });

onScoreboard((before, board) => {
  if (before && (before.phase !== board.phase || before.rounds.length !== board.rounds.length))
    lookedAt.put({ round: null });
});

export function isLookedAtAgain(board) {
  return endedRounds(board).some((round) => round.number === lookedAt.get().round);
}

// The finished round whose result is shown: the one asked for again, else the last one.
export function shownRound(board) {
  const ended = endedRounds(board);
  return ended.find((round) => round.number === lookedAt.get().round) || ended[ended.length - 1];
}
