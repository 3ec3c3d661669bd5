// The table as a round window: rim and seats, the sky by the hour, sun, moon, telescope, the clouds in their places.
//
// Draws one "look" (a plain value made by looks.js) and knows nothing of commands. What moves keeps its element, so that
// the sun walks the rim and clouds travel by CSS; only transforms and opacities move.

import { h } from "./vtree.js";
import { nearest, onRim, seatAngle } from "./people.js";
import { RIM, SKY, crescent } from "./places.js";
import { moons, roles, scores, seats, sun, walked } from "./rim.js";
import { STARS, cirrusAt, inkOnSky, mix, sky } from "./sky.js";

// The hours drawn last: the sky before this one stays beneath it.
const drawn = [];

export function roundWindow(look) {
  return h(
    "svg",
    {
      class: "window" + (look.cls ? " " + look.cls : ""),
      viewBox: "-500 -500 1000 1000",
      role: look.label ? "img" : "group",
      "aria-label": look.label || look.title
    },
    defs(look),
    h("circle", { class: "rim", r: RIM }),
    h(
      "g",
      { class: "sky", "clip-path": "url(#skyclip)" },
      skies(look),
      ledge(look),
      h("g", { class: "places" }, look.empties),
      h("g", { class: "spots" }, look.rings)
    ),
    h("g", { class: "clouds" }, look.clouds),
    h("circle", { class: "depth", r: SKY }),
    lid(look),
    h("g", { class: "sky-words" }, look.words),
    handover(look),
    moons(look),
    sun(look),
    seats(look),
    roles(look),
    h("g", { class: "scores" }, scores(look))
  );
}

function defs(look) {
  return h(
    "defs",
    {},
    h("clipPath", { id: "skyclip" }, h("circle", { r: SKY })),
    h(
      "radialGradient",
      { id: "depth" },
      h("stop", { offset: ".86", "stop-color": "#0B1236", "stop-opacity": 0 }),
      h("stop", { offset: "1", "stop-color": "#0B1236", "stop-opacity": 0.26 })
    ),
    h(
      "radialGradient",
      { id: "glow" },
      h("stop", { offset: ".3", class: "glow-in" }),
      h("stop", { offset: ".62", class: "glow-mid" }),
      h("stop", { offset: "1", class: "glow-out" })
    ),
    h(
      "radialGradient",
      { id: "moonglow" },
      h("stop", { offset: ".3", class: "moonglow-in" }),
      h("stop", { offset: "1", class: "moonglow-out" })
    ),
    h(
      "radialGradient",
      { id: "shade" },
      h("stop", { offset: ".66", "stop-color": "#0B1236", "stop-opacity": 0.42 }),
      h("stop", { offset: "1", "stop-color": "#0B1236", "stop-opacity": 0 })
    ),
    look.hours.map((t) => gradient("sky-" + Math.round(t * 1000), sky(t)))
  );
}

function gradient(id, at) {
  return h(
    "linearGradient",
    { key: id, id: id, x1: 0, y1: 0, x2: 0, y2: 1 },
    h("stop", { offset: 0, "stop-color": at.top }),
    h("stop", { offset: 0.55, "stop-color": at.middle }),
    h("stop", { offset: 1, "stop-color": at.bottom })
  );
}

// The sky before this one stays beneath while the new one fades in, so nobody sees it move.
export function hoursFor(t) {
  const list = drawn;
  if (list[list.length - 1] !== t) list.push(t);
  while (list.length > 2) list.shift();
  return list.slice();
}

function skies(look) {
  return look.hours.map((t, i) => {
    const id = "sky-" + Math.round(t * 1000);
    return h(
      "g",
      { key: "s" + id, class: i > 0 ? "dawn" : null },
      h("circle", { r: SKY + 2, fill: "url(#" + id + ")" }),
      h("image", {
        href: "/static/cirrus.webp",
        x: -SKY,
        y: -SKY,
        width: 2 * SKY,
        height: 2 * SKY,
        opacity: cirrusAt(t),
        preserveAspectRatio: "xMidYMid slice"
      }),
      t > 0.62
        ? h(
            "g",
            { class: "stars", opacity: Math.min(1, (t - 0.62) * 4) },
            STARS.map((s) => h("circle", { cx: s[0].toFixed(0), cy: s[1].toFixed(0), r: s[2].toFixed(1) }))
          )
        : null
    );
  });
}

function ledge(look) {
  if (look.daydreamer === null || look.daydreamer === undefined || look.closed) return null;
  const at = nearest(walked.moon, seatAngle(look.daydreamer, look.people.length, look.side));
  return h(
    "g",
    { class: "ledge walks", style: { transform: "rotate(" + at + "deg)" } },
    h("path", { d: crescent(look.ledgeAway) })
  );
}

function lid(look) {
  const colour = mix(look.page, sky(look.t).top, look.day ? 0.42 : 0.34);
  const lashes = [
    [-168, -22, -198, 24],
    [-90, 28, -108, 74],
    [-12, 46, -18, 96],
    [72, 46, 78, 96],
    [146, 24, 166, 68],
    [212, -22, 244, 20]
  ];
  return h(
    "g",
    { "clip-path": "url(#skyclip)", class: "lid" + (look.closed ? " closed" : "") },
    h(
      "g",
      { class: "lid-moves" },
      h("circle", { r: SKY + 2, fill: colour }),
      h(
        "g",
        { class: "lash", transform: "translate(-20 20)" },
        h("path", { d: "M-210 -64Q22 126 254 -64" }),
        lashes.map((l) => h("path", { d: "M" + l[0] + " " + l[1] + "L" + l[2] + " " + l[3] }))
      )
    )
  );
}

// The small stack on its way from the moon to the telescope.
function handover(look) {
  if (!look.handover) return null;
  const n = look.people.length;
  const from = seatAngle(look.daydreamer, n, look.side);
  const to = from - 360 / n;
  const gap = Math.min(10, 60 / n);
  const a = onRim(from - gap, 300);
  const b = onRim(to + gap + 3, 300);
  const tip = onRim(to + gap, 300);
  const many = n > 6; // eight seats leave a short way: the small stack goes beside it
  const middle = onRim((from + to) / 2, many ? 236 : 300);
  const heading = to + gap - 90;
  return h(
    "g",
    { class: "handover", key: "handover" },
    h("path", {
      class: "way",
      d: "M" + a.x.toFixed(1) + " " + a.y.toFixed(1) + "A300 300 0 0 0 " + b.x.toFixed(1) + " " + b.y.toFixed(1)
    }),
    h("path", {
      class: "way",
      d: "M-32 -26L0 0L-32 26",
      transform: "translate(" + tip.x.toFixed(1) + " " + tip.y.toFixed(1) + ") rotate(" + heading.toFixed(1) + ")"
    }),
    h(
      "g",
      { transform: "translate(" + middle.x.toFixed(1) + " " + middle.y.toFixed(1) + (many ? ") scale(.76)" : ")") },
      h("circle", { class: "shade", r: 70, cx: 3, cy: 6 }),
      [10, 5, 0].map((d) =>
        h(
          "g",
          { key: "b" + d, transform: "translate(" + -d + " " + d + ")" },
          h("circle", { class: "paper", r: 56 }),
          h("circle", { class: "back", r: 53.4 })
        )
      ),
      h("path", {
        class: "back-cloud",
        d: "M-28 16H27A14 14 0 0 0 29 -13A18 18 0 0 0 -4 -23A14 14 0 0 0 -25 -12A14 14 0 0 0 -28 16Z"
      }),
      h("circle", { class: "count", r: 36, cx: 46, cy: -46 }),
      h("text", { class: "count-text", x: 46, y: -46, dy: ".35em", "text-anchor": "middle" }, look.handover)
    )
  );
}

// A line of text on the sky (the opening question, seat names, "+4"), in the ink that reads on this hour.
export function skyText(key, text, x, y, size, t, cls) {
  return h(
    "text",
    {
      key: key,
      class: "on-sky" + (cls ? " " + cls : ""),
      x: x,
      y: y,
      dy: ".34em",
      "font-size": size,
      fill: inkOnSky(t),
      "text-anchor": "middle"
    },
    text
  );
}
