// The evening in pictures: one small round window a round, its sky, its clouds, its name, who won it. Our own art; nothing
// is sent anywhere.

import { h } from "./vtree.js";
import { badge, onRim } from "./people.js";
import { cloud, ownersOf } from "./clouds.js";
import { outcome } from "./consequence.js";
import { button, name } from "./parts.js";
import { hour, sky } from "./sky.js";
import { quoted, t } from "./words.js";

export function picturesPage(app) {
  const done = app.board.rounds.filter((r) => r.ending === "claimed" || r.ending === "lookout");
  return [
    h(
      "main",
      { key: "pictures", class: "sheet pictures" },
      h(
        "header",
        { class: "sheet-head" },
        h("h1", {}, t("pictures.title")),
        h("p", { class: "soft" }, t("pictures.why")),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
      ),
      h(
        "ol",
        { class: "gallery" },
        done.map((line) => postcard(app, line))
      )
    )
  ];
}

// Clouds for one small window: those of the winner together in the sky, those led astray along its rim.
function placed(line) {
  const owned = ownersOf(line);
  const seat = outcome(line).seat;
  const won = owned.filter((o) => o.seat === seat);
  const astray = owned.filter((o) => o.seat !== seat);
  const n = won.length;
  const size = n === 1 ? 300 : n <= 3 ? 214 : n <= 5 ? 178 : 152;
  const round = n > 5 ? n - 1 : n; // from six on one lies in the middle
  const apart = (size * 0.53) / Math.sin(Math.PI / Math.max(2, round));
  const far = n === 1 ? 0 : Math.max(size * (n > round ? 1.06 : 0.56), apart);
  const list = won.map((o, i) => {
    const at = i >= round ? { x: 0, y: 0 } : onRim(-90 + (360 * i) / round, far);
    return { card: o.card, x: at.x, y: at.y - (astray.length ? 52 : 0), size: size };
  });
  astray.forEach((o, i) => {
    const at = onRim(90 - (i - (astray.length - 1) / 2) * 23, 286);
    list.push({ card: o.card, x: at.x, y: at.y, size: 108 });
  });
  return list;
}

function postcard(app, line) {
  const at = sky(hour(line.number, app.board.round ? app.board.round.of : 13));
  const id = "hour-" + line.number;
  const told = outcome(line);
  const person = app.people[told.seat];
  return h(
    "li",
    { key: line.number, class: "postcard" },
    h(
      "svg",
      { class: "window", viewBox: "-380 -380 760 760", "aria-hidden": "true" },
      h(
        "defs",
        {},
        h(
          "linearGradient",
          { id: id, x1: 0, y1: 0, x2: 0, y2: 1 },
          h("stop", { offset: 0, "stop-color": at.top }),
          h("stop", { offset: 0.55, "stop-color": at.middle }),
          h("stop", { offset: 1, "stop-color": at.bottom })
        )
      ),
      h("circle", { r: 366, fill: "url(#" + id + ")", class: "small-sky" }),
      placed(line).map((c, i) => cloud("c" + i, c.card, c, c.size, 0, "small"))
    ),
    h("p", { class: "soft small" }, t("round", { n: line.number, of: app.board.round ? app.board.round.of : app.board.rounds.length })),
    line.name ? h("p", { class: "cloud-name" }, quoted(line.name)) : h("p", { class: "soft" }, t("ledger.no_name")),
    person
      ? h("p", { class: "postcard-who" }, badge(person), h("strong", {}, name(person), " +" + told.gain))
      : null
  );
}
