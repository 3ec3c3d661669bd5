// What a changed guess would do, told before it is done. The table's own arithmetic stays with the session; this only
// says in advance what the rules make of it.

// The gains per seat of a round with these guesses (true = right, false = wrong, null = not known yet).
export function gains(line, guesses, players, attempts) {
  const out = [];
  for (let i = 0; i < players; i += 1) out.push(0);
  const wrong = guesses.filter((g) => g === false).length;
  const at = guesses.indexOf(true);
  const cards = line.cards.length;
  if (at >= 0) {
    out[guesser(line, at, players)] += cards - wrong;
    out[line.daydreamer] += wrong;
  } else if (wrong >= attempts) {
    out[line.lookout] += cards;
  }
  return out;
}

// Who makes guess `index` (from 0): Spectators in turn from the Daydreamer's left.
export function guesser(line, index, players) {
  const spectators = players - 2;
  return (line.daydreamer + 1 + (index % spectators)) % players;
}

// The guesses after touching one: a right guess ends the list, a wrong one opens the next.
export function changed(guesses, index, right, attempts) {
  const next = guesses.slice(0, index).concat([right]);
  if (right) return next;
  const rest = guesses.slice(index + 1).filter((g) => g !== null);
  const joined = next.concat(rest);
  const end = joined.indexOf(true);
  const cut = end >= 0 ? joined.slice(0, end + 1) : joined.slice(0, attempts);
  return end < 0 && cut.length < attempts ? cut.concat([null]) : cut;
}

// Seats whose clouds change: [{seat, from, to}].
export function differences(before, after) {
  return before.map((from, seat) => ({ seat: seat, from: from, to: after[seat] })).filter((d) => d.from !== d.to);
}

// What a finished round came to, as the scoreboard tells it of the last one.
export function outcome(line) {
  if (line.ending === "void") return { text_key: "void", seat: null, gain: 0, guess: 0, others: [] };
  const seat = line.claimer === null ? line.lookout : line.claimer;
  const others = line.gains.map((gain, other) => [other, gain]).filter((o) => o[1] && o[0] !== seat);
  const key = line.ending === "claimed" ? "right" : "nobody";
  return { text_key: key, seat: seat, gain: line.gains[seat], guess: line.guesses.length, others: others };
}

// The finished round whose result is shown: the one asked for again, else the last one.
export function shownRound(app) {
  const ended = app.board.rounds.filter((r) => r.ending !== "open");
  return ended.find((r) => r.number === app.ui.again) || ended[ended.length - 1];
}
