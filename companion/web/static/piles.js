// Counting the piles at the end: a player spreads theirs under the camera; it agrees, or the cloud that is off is named.

import { h } from "./vtree.js";
import { badge } from "./people.js";
import { button, name } from "./parts.js";
import { livePicture } from "./picture.js";
import { thumb } from "./clouds.js";
import { get } from "./link.js";
import { say, t } from "./words.js";

const SHOWN = 12;

function count(app, seat) {
  const put = (found) => {
    const piles = Object.assign({}, app.ui.piles);
    piles[seat] = found;
    app.set({ piles: piles });
    if (!found.waiting)
      document.getElementById("say").textContent = t(found.agrees ? "piles.said_agrees" : "piles.said_off", {
        name: app.people[seat].name
      });
  };
  put({ waiting: true });
  get("/api/pile/" + seat)
    .then(put)
    .catch(() => put({ blind: true }));
}

function clouds(list, words) {
  return h(
    "p",
    { class: "off" },
    words,
    " ",
    list.slice(0, SHOWN).map((card) => h("span", { key: card, class: "pile-card" }, thumb(card, "", "small"), h("strong", {}, card))),
    list.length > SHOWN ? " …" : null
  );
}

function verdict(app, found) {
  if (!found) return null;
  if (found.waiting) return h("p", { class: "off soft" }, t("calibration.looking"));
  if (found.blind) return h("p", { class: "off note" }, t("piles.blind"));
  if (found.agrees) return h("p", { class: "off" }, h("strong", {}, t("piles.agrees", { n: found.seen })));
  const theirs = {};
  found.foreign.forEach((f) => {
    const key = f.seat === null ? "" : f.seat;
    theirs[key] = (theirs[key] || []).concat([f.card]);
  });
  return [
    h("p", { key: "n", class: "off" }, h("strong", {}, t("piles.counted", { expected: found.expected, seen: found.seen }))),
    found.missing.length ? clouds(found.missing, t("piles.missing")) : null,
    Object.keys(theirs).map((key) =>
      clouds(theirs[key], key === "" ? t("piles.nobodys") : say("piles.theirs", { name: app.people[Number(key)].name }))
    )
  ];
}

export function pilesPage(app) {
  const over = app.board.phase === "over";
  const piles = app.ui.piles || {};
  return [
    h(
      "main",
      { key: "piles", class: "sheet piles" },
      h(
        "header",
        { class: "sheet-head" },
        h("h1", {}, t("piles.title")),
        h("p", { class: "soft" }, t(over ? "piles.how" : "piles.later")),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
      ),
      over && !app.watch
        ? h(
            "div",
            { class: "two" },
            h(
              "section",
              { key: "list" },
              h(
                "ul",
                { class: "audit-list" },
                app.people.map((p) =>
                  h(
                    "li",
                    { key: p.seat },
                    badge(p),
                    h("span", { class: "who" }, h("strong", {}, name(p)), " ", h("span", { class: "soft" }, t("end.clouds", { n: p.cards }))),
                    button("count" + p.seat, t("piles.count"), () => count(app, p.seat), {
                      disabled: !!(piles[p.seat] && piles[p.seat].waiting)
                    }),
                    verdict(app, piles[p.seat])
                  )
                )
              ),
              h("p", { class: "soft" }, t("piles.mend"))
            ),
            h("section", { key: "view", class: "view" }, h("div", { class: "frame" }, livePicture("pile-live", 1280, "large", t("camera.alt"))))
          )
        : null
    )
  ];
}
