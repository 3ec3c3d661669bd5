// Who sits where from the next round on: someone comes late, leaves, or swaps seats; a leaver's clouds stay theirs.

import { h } from "./vtree.js";
import { badge, peopleOf } from "./people.js";
import { holdButton } from "./parts.js";
import { MOST, same, tidy } from "./ring.js";
import { t } from "./words.js";

function list(app) {
  return app.ui.seats || app.people.filter((p) => !p.away).map((p) => p.name);
}

function move(app, i, by) {
  const names = list(app).slice();
  const to = (i + by + names.length) % names.length;
  const one = names.splice(i, 1)[0];
  names.splice(to, 0, one);
  app.set({ seats: names });
}

export function playersEditor(app) {
  if (app.watch || !app.board.round || app.board.phase === "over") return null;
  const names = list(app);
  const drawn = peopleOf(names.map((name) => ({ name: name })));
  const add = (event) => {
    event.preventDefault();
    const field = event.target.elements.late;
    const name = tidy(field.value);
    if (!name || names.length >= MOST) return;
    if (names.some((other) => same(other, name))) {
      app.say("refused.player_twice");
      return;
    }
    field.value = "";
    app.set({ seats: names.concat([name]) });
  };
  const same =
    names.join("\n") ===
    app.people
      .filter((p) => !p.away)
      .map((p) => p.name)
      .join("\n");
  return h(
    "section",
    { key: "players" },
    h("h2", {}, t("seats.title")),
    h("p", { class: "soft" }, t("seats.why")),
    h(
      "ol",
      { class: "seat-list" },
      names.map((name, i) =>
        h(
          "li",
          { key: name },
          badge(drawn[i]),
          h("bdi", { class: "who" }, name),
          h(
            "button",
            {
              type: "button",
              class: "round",
              "aria-label": t("seats.earlier", { name: name }),
              on: { click: () => move(app, i, -1) }
            },
            "↑"
          ),
          h(
            "button",
            {
              type: "button",
              class: "round",
              "aria-label": t("seats.later", { name: name }),
              on: { click: () => move(app, i, 1) }
            },
            "↓"
          ),
          h(
            "button",
            {
              type: "button",
              class: "round",
              disabled: names.length <= 3,
              "aria-label": t("seats.leaves", { name: name }),
              on: { click: () => app.set({ seats: names.filter((n) => n !== name) }) }
            },
            "×"
          )
        )
      )
    ),
    names.length < MOST
      ? h(
          "form",
          { class: "new-form", on: { submit: add } },
          h("input", {
            name: "late",
            class: "player-input",
            "aria-label": t("setup.name"),
            placeholder: t("setup.name"),
            maxlength: 40,
            autocomplete: "off",
            dir: "auto"
          }),
          h("button", { type: "submit", class: "chip" }, t("setup.add"))
        )
      : null,
    same
      ? null
      : h(
          "p",
          {},
          holdButton(
            "seats",
            t("seats.hold"),
            () =>
              app.command({ do: "players", players: names }).then((done) => {
                if (done) app.set({ seats: null });
              }),
            { cls: "primary" }
          )
        )
  );
}
