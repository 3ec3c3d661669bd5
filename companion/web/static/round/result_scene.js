// The window after a round: its clouds gathered before the seats they went to, and how many each
// got.

import { t } from "../core/words.js";
import { cloud } from "../parts/cards.js";
import { gathered, onRim, seatAngle } from "../window/geometry.js";
import { baseScene, byKey, hoursFor } from "../window/scene.js";
import { hour } from "../window/sky.js";
import { skyText } from "../window/window.js";
import { arrivedClouds, EACH_LATER_MS } from "./claim.js";
import { lookedAt, outcomeOf, ownersOf, shapeOf, shownRound } from "./outcome.js";

export function resultScene(evening) {
  const { board, people } = evening;
  const scene = Object.assign(baseScene(evening), { ledgeAway: 34 });
  const round = shownRound(board);
  if (!round) return scene;
  const { seat: winner } = outcomeOf(round);
  if (lookedAt.get().round !== null) scene.t = hour(round.number, board.round.of);
  scene.hours = hoursFor(scene.t);
  scene.tints = [scene.t];
  scene.daydreamer = round.daydreamer;
  scene.lookout = round.lookout;
  scene.sun = winner;
  if (lookedAt.get().round === null) scene.cloudsOf = arrivedClouds;
  scene.label = t("label.result");

  const owners = ownersOf(round);
  const seats = people
    .map((_person, seat) => seat)
    .filter((seat) => owners.some((owner) => owner.seat === seat));
  seats.sort((a, b) => (a === winner ? -1 : b === winner ? 1 : 0));
  const groups = seats.map((seat) => {
    const own = owners.filter((owner) => owner.seat === seat);
    return { seat, own, count: own.length, angle: seatAngle(seat, people.length, scene.side) };
  });
  const alone = groups.length === 1;
  const { size, centres, places } = gathered(groups);
  groups.forEach((group, g) => {
    group.own.forEach(({ card, key, at }, i) => {
      const style = { "transition-delay": `${i * EACH_LATER_MS}ms` };
      const more = {
        side: "small",
        style,
        shape: shapeOf(round, at),
        t: scene.t,
        deck: board.played_deck,
      };
      scene.clouds.push(cloud(key, card, places[g][i], size, more));
    });
    const at = onRim(centres[g], alone ? 0 : 112);
    const place = { x: at.x.toFixed(0), y: at.y.toFixed(0) };
    const more = { t: scene.t, cls: "strong" };
    scene.words.push(
      skyText(`gain${group.seat}`, `+${group.count}`, place, alone ? 150 : 104, more)
    );
  });
  scene.clouds.sort(byKey);
  return scene;
}
