// What a changed guess would do, told before it is done. The table's own arithmetic stays with the
// session; this only says in advance what the rules make of it. A guess is true (right), false
// (wrong) or null (not known yet).

import { guesser } from "../round/outcome.js";

// The gains per seat of a round with these guesses.
export function gainsWith(round, guesses, attempts) {
  const gains = round.gains.map(() => 0);
  const wrong = guesses.filter((guess) => guess === false).length;
  const right = guesses.indexOf(true);
  const cards = round.cards.length;
  if (right >= 0) {
    gains[guesser(round, right)] += cards - wrong;
    gains[round.daydreamer] += wrong;
  } else if (wrong >= attempts) gains[round.lookout] += cards;
  return gains;
}

// The guesses after touching one: a right guess ends the list, a wrong one opens the next.
export function changedGuesses(guesses, index, right, attempts) {
  const changed = guesses.slice(0, index).concat([right]);
  if (right) return changed;
  const all = changed.concat(guesses.slice(index + 1).filter((guess) => guess !== null));
  const end = all.indexOf(true);
  if (end >= 0) return all.slice(0, end + 1);
  return all.length < attempts ? all.concat([null]) : all.slice(0, attempts);
}

// Seats whose clouds change: [{seat, from, to}].
export function differences(before, after) {
  return before
    .map((from, seat) => ({ seat, from, to: after[seat] }))
    .filter(({ from, to }) => from !== to);
}
