// Clouds as cards: the paper rim, the picture, the mark; backs; empty places; and what became of each card in a round.

import { h } from "./vtree.js";
import { CLOUD, MARK } from "./signs.js";

// One card of 100 units across around (0, 0), to be moved by its group. `face` is "up", "down" or "small" (no mark).
function face(card, how) {
  if (how === "down") {
    return [
      h("circle", { class: "paper", r: 50 }),
      h("circle", { class: "back", r: 47.8 }),
      h("path", { class: "back-cloud", d: CLOUD, transform: "scale(1.12) translate(0 3)" })
    ];
  }
  if (card === null || card === undefined) {
    return [
      h("circle", { class: "paper", r: 50 }),
      h("circle", { class: "plain-sky", r: 47.8 }),
      h("path", { class: "plain-cloud", d: CLOUD, transform: "scale(1.2) translate(0 3)" })
    ];
  }
  const mark =
    how === "small"
      ? null
      : h(
          "g",
          { transform: "translate(0 35) scale(.9)" },
          h("rect", { class: "mark-paper", x: -11, y: -11, width: 22, height: 22, rx: 2 }),
          h("path", { class: "mark", d: MARK.path, transform: "translate(-9 -9) scale(" + 18 / MARK.size + ")" })
        );
  return [
    h("circle", { class: "paper", r: 50 }),
    h("circle", { class: "plain-sky", r: 47.8 }),
    h("path", { class: "plain-cloud", d: CLOUD, transform: "scale(1.2) translate(0 3)" }),
    h("image", {
      on: {
        error: (event, node) => node.setAttribute("visibility", "hidden"),
        load: (event, node) => node.removeAttribute("visibility")
      },
      href: "/art/" + card,
      x: -47.8,
      y: -47.8,
      width: 95.6,
      height: 95.6,
      "clip-path": "url(#disc)",
      preserveAspectRatio: "xMidYMid slice"
    }),
    mark
  ];
}

// A cloud in the window at `place` {x, y}, `size` units across, turned by `turn` degrees.
export function cloud(key, card, place, size, turn, how, more) {
  const m = more || {};
  return h(
    "g",
    {
      key: key,
      class: "cloud" + (m.cls ? " " + m.cls : ""),
      on: m.on,
      style: Object.assign(
        {
          transform: "translate(" + place.x.toFixed(1) + "px," + place.y.toFixed(1) + "px) scale(" + (size / 100).toFixed(3) + ")"
        },
        m.style || {}
      )
    },
    h("circle", { class: "shade", r: 62, cx: 2, cy: 5 }),
    h("g", { class: "face", style: { transform: "rotate(" + Math.round(turn || 0) + "deg)" } }, face(card, how))
  );
}

// A cloud as a picture in the text: in a question, in the ledger.
export function thumb(card, extra, how) {
  return h(
    "svg",
    { class: "thumb" + (extra ? " " + extra : ""), viewBox: "-54 -54 108 108", "aria-hidden": "true" },
    face(card, how || "up")
  );
}

// The dotted circle of a place that became empty.
export function emptyPlace(key, place, size) {
  return h("circle", {
    key: key,
    class: "empty-place",
    cx: place.x.toFixed(1),
    cy: place.y.toFixed(1),
    r: (size / 2 - 4).toFixed(1)
  });
}

// Who holds which card after a finished round: a list of {card, seat} in the order they lay.
export function ownersOf(round) {
  const wrong = round.guesses.filter((g) => !g.right);
  if (round.ending === "lookout") return round.cards.map((card) => ({ card: card, seat: round.lookout }));
  if (round.ending !== "claimed") return [];
  const aside = {};
  let unnamed = 0;
  wrong.forEach((g) => {
    if (g.card === null || g.card === undefined) unnamed += 1;
    else aside[g.card] = true;
  });
  const right = round.guesses.filter((g) => g.right).map((g) => g.card);
  return round.cards.map((card) => {
    let away = card !== null && aside[card];
    if (!away && unnamed > 0 && (card === null || right.indexOf(card) < 0)) {
      away = true;
      unnamed -= 1;
    }
    return { card: card, seat: away ? round.daydreamer : round.claimer };
  });
}

// Every cloud won in the evening, in its order.
export function harvest(rounds) {
  const all = [];
  rounds.forEach((round) =>
    ownersOf(round).forEach((own, i) => all.push({ key: "h" + round.number + "-" + i, card: own.card, seat: own.seat }))
  );
  return all;
}
