// Before whom this screen lies: whoever sits at its lower edge stays there when others come, leave or
// change seats.

import { onScoreboard } from "../core/evening.js";
import { keep } from "../core/storage.js";
import { screen } from "./this_screen.js";

export function lieBefore(seat) {
  keep("side", seat);
  screen.set({ side: seat });
}

onScoreboard((before, board) => {
  if (!before || before.evening !== board.evening || !before.players.length) return;
  const { side } = screen.get();
  const { name } = before.players[side % before.players.length];
  const seat = board.players.findIndex((one) => one.name === name && !one.away);
  if (seat < 0 || seat === side % board.players.length) return;
  keep("side", seat);
  screen.put({ side: seat });
});
