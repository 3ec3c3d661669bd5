// The window while people guess: clouds where they lie on the table, empty places where they lay,
// what was set aside.

import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { cloud, emptyPlace, isKnown } from "../parts/cards.js";
import { isAsking } from "../questions/question.js";
import { isAboutNow } from "../questions/question_words.js";
import { screen } from "../screen/this_screen.js";
import { cloudSize, grid, onMoon, pushedApart, seatAngle, toUnits } from "../window/geometry.js";
import { baseScene, byKey, isFaceDown } from "../window/scene.js";
import { byHand, isByHand, pickCard } from "./by_hand.js";
import { dealKeys, shapeOf } from "./outcome.js";

const NEARLY_SAME = 0.05; // a cloud that lies so little elsewhere (the table is 2 across) stays where it is drawn

// Where each cloud of the round lay last, in that evening: places of clouds that left stay as dotted circles.
const remembered = { evening: null, round: 0, places: {}, order: [] };

export function guessingScene(evening) {
  const { board, people } = evening;
  const { round } = board;
  const scene = baseScene(evening);
  const faceDown = isFaceDown(board);
  const touchable = isByHand(board) && !screen.get().watching;
  const turn = (-360 * scene.side) / people.length;
  const lying = rememberPlaces(board);
  const size = cloudSize(remembered.order.length || round.expected);
  const ledge = {
    angle: seatAngle(round.daydreamer, people.length, scene.side),
    away: scene.ledgeAway,
  };
  const spots = spotsFor(scene, size, turn, ledge);
  const wrong = round.guesses.filter((guess) => !guess.right).map((guess) => guess.card);

  const drawn = {}; // the keys of the clouds that are drawn
  lying.forEach((card) => {
    drawn[card.key] = true;
    const side =
      card.down || (faceDown && isKnown(card.card) && wrong.indexOf(card.card) >= 0)
        ? "down"
        : "up";
    const more = {
      turn: (card.heading_deg || 0) + turn,
      side,
      shape: shapeOf(round, card.at),
      t: scene.t,
      deck: board.played_deck,
    };
    if (touchable && !card.down) Object.assign(more, touch(card.card));
    scene.clouds.push(cloud(card.key, card.card, spots[card.key], size, more));
  });
  const free = dealKeys(dealOf(board)).filter((key) => !drawn[key] && !isSetAside(round, key));
  const setAside = round.set_aside
    .map(({ card }, i) => ({ card, key: isKnown(card) ? `c${card}` : free.pop() || `t${i}` }))
    .filter(({ card, key }) => !drawn[key] && !(faceDown && card === null));
  const moonPlaces = onMoon(setAside.length, ledge.angle);
  setAside.forEach(({ card, key }, i) => {
    drawn[key] = true;
    if (faceDown && spots[key])
      scene.clouds.push(cloud(key, card, spots[key], size, { turn, side: "down" }));
    else
      scene.clouds.push(
        cloud(key, card, moonPlaces[i], 98, {
          side: faceDown ? "down" : "small",
          shape: shapeOf(round, Number(key.slice(1))),
          t: scene.t,
          deck: board.played_deck,
        })
      );
  });
  scene.clouds.sort(byKey);
  scene.empties = remembered.order
    .filter((key) => !lying.some((card) => card.key === key) && !(faceDown && drawn[key]))
    .map((key) => emptyPlace(`e${key}`, spots[key], size));
  scene.rings = [questionRing(board, spots, size, turn), pickedRing(spots, size)];
  scene.sun = round.turn;
  const faceUp = lying.filter((card) => !card.down).length;
  scene.label = touchable ? "" : t("label.guess", { n: faceUp, set_aside: round.set_aside.length });
  return scene;
}

// The cards of the open round in the order they were dealt; null for one that nobody knows.
function dealOf({ rounds, round }) {
  const line = rounds.find((one) => one.number === round.number);
  return line ? line.cards : [];
}

function isSetAside(round, key) {
  return round.set_aside.some(({ card }) => isKnown(card) && key === `c${card}`);
}

// The cards in the middle, each with a key and which one of the deal it is, and their places kept.
function rememberPlaces(board) {
  const { round, evening } = board;
  const keys = dealKeys(dealOf(board));
  const unknown = keys.filter((key) => key[0] === "u");
  if (remembered.round !== round.number || remembered.evening !== evening)
    Object.assign(remembered, { evening, round: round.number, places: {}, order: [] });
  const { places } = remembered;
  const loose = grid(Math.max(round.middle.length, round.expected || 0));
  const lying = round.middle.map((card, i) => {
    const key = isKnown(card.card) ? `c${card.card}` : unknown.shift() || `u${i}`;
    return Object.assign({ key, at: Math.max(0, keys.indexOf(key)) }, card);
  });
  lying.forEach((card, i) => {
    const before = places[card.key];
    const at = card.x === null || card.x === undefined ? before || loose[i] : card;
    if (!before) remembered.order.push(card.key);
    if (!before || Math.abs(before.x - at.x) + Math.abs(before.y - at.y) > NEARLY_SAME)
      places[card.key] = { x: at.x, y: at.y };
  });
  // Once any card is known by its number, places of unknown ones that are gone are no places of
  // their own.
  const known = lying.some((card) => card.key[0] === "c");
  remembered.order = remembered.order.filter(
    (key) => key[0] !== "u" || !known || lying.some((card) => card.key === key)
  );
  return lying;
}

// Where the remembered places are drawn: {key: {x, y}} in the window's units.
function spotsFor(scene, size, turn, ledge) {
  const keys = remembered.order;
  const seats = scene.people.map((_person, i) => seatAngle(i, scene.people.length, scene.side));
  const points = keys.map((key) => toUnits(remembered.places[key], turn));
  const spots = {};
  pushedApart(points, size, seats, ledge).forEach((point, i) => {
    spots[keys[i]] = point;
  });
  return spots;
}

// By hand, a touched cloud is the one the next "wrong" or "right" is about.
function touch(card) {
  if (!isKnown(card)) return {};
  return {
    cls: byHand.get().picked === card ? "touchable picked" : "touchable",
    act: () => pickCard(card),
  };
}

function ring(key, place, radius, cls) {
  return html`
    <g key=${key}>
      <circle class="casing" cx=${place.x} cy=${place.y} r=${radius} />
      <circle class=${["ring", cls]} cx=${place.x} cy=${place.y} r=${radius} />
    </g>`;
}

// Around the cloud, or the place, that a question about this round is about.
function questionRing(board, spots, size, turn) {
  if (!isAboutNow(board) || !(isAsking(board) || screen.get().watching)) return null;
  const { card, at } = board.question;
  const place = (isKnown(card) && spots[`c${card}`]) || (at && toUnits(at, turn));
  return place && ring("ring", place, size / 2 + 10);
}

function pickedRing(spots, size) {
  const { picked } = byHand.get();
  const place = picked !== null && spots[`c${picked}`];
  return place && ring("picked", place, size / 2 + 8, "pale");
}
