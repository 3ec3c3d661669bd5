// What became of a round: who guessed when, what it came to, and who holds which of its cards.

import { endedRounds, onScoreboard } from "../core/evening.js";
import { createStore } from "../core/store.js";
import { isKnown } from "../parts/cards.js";

// Who makes guess `index` (from 0): Spectators in turn from the Daydreamer's left.
export function guesser(round, index, players) {
  return (round.daydreamer + 1 + (index % (players - 2))) % players;
}

// What a finished round came to: `ending` "right", "nobody" or "void", whose it was, what they
// gained, with which guess (from 1), and the others who gained as [seat, gain].
export function outcomeOf(round) {
  if (round.ending === "void") return { ending: "void", seat: null, gain: 0, guess: 0, others: [] };
  const seat = round.claimer === null ? round.lookout : round.claimer;
  return {
    ending: round.ending === "claimed" ? "right" : "nobody",
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
  if (round.ending === "lookout") return round.cards.map((card) => ({ card, seat: round.lookout }));
  if (round.ending !== "claimed") return [];
  const wrong = round.guesses.filter((guess) => !guess.right).map((guess) => guess.card);
  const right = round.guesses.filter((guess) => guess.right).map((guess) => guess.card);
  let unnamed = wrong.filter((card) => !isKnown(card)).length;
  return round.cards.map((card) => {
    let setAside = card !== null && wrong.indexOf(card) >= 0;
    if (!setAside && unnamed > 0 && (card === null || right.indexOf(card) < 0)) {
      setAside = true;
      unnamed -= 1;
    }
    return { card, seat: setAside ? round.daydreamer : round.claimer };
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
