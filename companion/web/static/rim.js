// The rim of the window: seats with their shapes and scores, the sun, the moon and the telescope that walk along it.

import { h } from "./vtree.js";
import { nearest, onRim, seatAngle, token } from "./people.js";
import { SEAT } from "./places.js";
import { signAt } from "./signs.js";

// What stays between two drawings: where sun, moon and telescope stand.
export const walked = { sun: null, moon: null, telescope: null };

export function sun(look) {
  const there = look.sun !== null && look.sun !== undefined;
  if (there) walked.sun = nearest(walked.sun, seatAngle(look.sun, look.people.length, look.side));
  return h(
    "g",
    { class: "sun walks" + (there ? "" : " down"), style: { transform: "rotate(" + (walked.sun || 0) + "deg)" } },
    h("circle", { class: "glow", cx: SEAT, r: 165 }),
    h("circle", { class: "disc", cx: SEAT, r: 62 })
  );
}

export function moons(look) {
  return h(
    "g",
    { class: "moons" },
    (look.winners || []).map((seat) => {
      const p = onRim(seatAngle(seat, look.people.length, look.side), SEAT);
      return h(
        "g",
        { key: "moon" + seat, class: "full-moon" },
        h("circle", { class: "moonglow", cx: p.x, cy: p.y, r: 165 }),
        h("circle", { class: "moon-disc", cx: p.x, cy: p.y, r: 62 })
      );
    })
  );
}

export function seats(look) {
  return h(
    "g",
    { class: "seats" },
    look.people.map((person, i) => {
      const p = look.dragged && look.dragged.seat === i ? look.dragged : onRim(seatAngle(i, look.people.length, look.side), SEAT);
      const lit = look.sun === i || (look.winners || []).indexOf(i) >= 0;
      const touch = look.seatProps ? look.seatProps(person, i) : {};
      return h(
        "g",
        Object.assign(
          {
            key: "seat-" + person.name,
            class:
              "seat" +
              (lit ? " lit" : "") +
              (person.away ? " away" : "") +
              (look.dimmed && look.dimmed !== person.seat + 1 ? " dim" : ""),
            style: { transform: "translate(" + p.x.toFixed(1) + "px," + p.y.toFixed(1) + "px)" }
          },
          touch
        ),
        h("circle", { class: "touch", r: look.phone ? 118 : 66 }),
        token(person, 84)
      );
    })
  );
}

// Along the rim from a seat: the score goes right or below, the sign left or above.
export function sides(angle) {
  const a = ((angle + 90) * Math.PI) / 180;
  const dx = Math.cos(a);
  const dy = Math.sin(a);
  return Math.abs(dx) > 0.3 ? (dx > 0 ? 1 : -1) : dy > 0 ? 1 : -1;
}

export function roles(look) {
  return [role(look, "moon", look.daydreamer), role(look, "telescope", look.lookout)];
}

export function role(look, name, seat) {
  if (seat === null || seat === undefined) return null;
  const angle = seatAngle(seat, look.people.length, look.side);
  const lit = look.sun === seat || (look.winners || []).indexOf(seat) >= 0;
  const at = nearest(walked[name], angle - (sides(angle) * (lit ? 100 : 82) * 57.3) / SEAT);
  walked[name] = at;
  return h(
    "g",
    { key: "role-" + name, class: "role walks", style: { transform: "rotate(" + at.toFixed(2) + "deg)" } },
    h(
      "g",
      { transform: "translate(" + SEAT + " 0)" },
      h("g", { class: "walks", style: { transform: "rotate(" + (-at).toFixed(2) + "deg)" } }, signAt(name, 64))
    )
  );
}

export function scores(look) {
  if (!look.scores) return [];
  return look.people.map((person, i) => {
    const angle = seatAngle(i, look.people.length, look.side);
    const lit = look.sun === i || (look.winners || []).indexOf(i) >= 0;
    const far = (lit ? 98 : 76) + (person.cards > 9 ? 12 : 0);
    const p = onRim(angle + (sides(angle) * far * 57.3) / SEAT, SEAT + (lit ? 8 : 0));
    return h(
      "text",
      { key: "score-" + person.name, class: "score", x: p.x.toFixed(1), y: p.y.toFixed(1), dy: ".34em", "text-anchor": "middle" },
      person.cards
    );
  });
}
