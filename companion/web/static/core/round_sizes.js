// The game's table of cards and attempts by the number of players, as the server tells it.

let roundSizes = [];

// Take the server's table: [{players, cards, attempts}].
export function setRoundSizes(sizes) {
  roundSizes = sizes;
}

export function allRoundSizes() {
  return roundSizes;
}

// {players, cards, attempts} for so many players.
export function roundSizeFor(players) {
  return roundSizes.find((size) => size.players === players);
}
