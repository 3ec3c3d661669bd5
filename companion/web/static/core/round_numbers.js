// Rounds are called by their numbers, and a round that was missing, written in afterwards, moves those
// after it on by one. What a screen keeps for a round moves with it.

// The number that a round has now, which was `number` while the rounds `before` had been written in, now
// `inserted` have (each a list of the numbers they got, in order). Null where it was written in itself,
// and that was taken back.
export function numberNow(number, before, inserted) {
  let same = 0;
  while (same < before.length && before[same] === inserted[same]) same += 1;
  let now = number;
  for (const taken of before.slice(same).reverse()) {
    if (now === taken) return null;
    if (now > taken) now -= 1;
  }
  for (const added of inserted.slice(same)) if (now >= added) now += 1;
  return now;
}
