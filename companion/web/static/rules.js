// The rules at hand: our own short words for the edition in use, a worked example, and the three roles by their signs.

import { h } from "./vtree.js";
import { button } from "./parts.js";
import { sign } from "./signs.js";
import { t } from "./words.js";

const STEPS = ["draw", "choose", "name", "guess", "wrong", "right", "nobody", "pass"];
const STEP_SIGNS = {
  draw: "moon",
  choose: "telescope",
  name: "moon",
  guess: "sun",
  wrong: "moon",
  right: "sun",
  nobody: "telescope",
  pass: "undo"
};
const TABLE = [
  [3, 4, 2],
  [4, 6, 4],
  [5, 5, 3],
  [6, 6, 4],
  [7, 7, 5],
  [8, 8, 6]
];

export function rulesPage(app) {
  const edition = app.board.round ? app.board.edition : app.ui.setup ? app.ui.setup.edition : app.board.edition;
  const down = edition === "de";
  return [
    h(
      "main",
      { key: "rules", class: "sheet rules" },
      h(
        "header",
        { class: "sheet-head" },
        h("h1", {}, t("rules.title")),
        h("p", { class: "soft" }, t("edition." + edition)),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
      ),
      h("p", { class: "lead" }, t("rules.aim")),
      h(
        "div",
        { class: "two" },
        h(
          "section",
          { key: "roles" },
          h("h2", {}, t("rules.roles")),
          ["daydreamer", "lookout", "spectator"].map((r) =>
            h(
              "div",
              { key: r, class: "role-card" },
              sign({ daydreamer: "moon", lookout: "telescope", spectator: "sun" }[r]),
              h("div", {}, h("h3", {}, t("role." + r)), h("p", {}, t("rules." + r)))
            )
          ),
          h("h2", {}, t("rules.how_many")),
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", { scope: "col" }, t("rules.players")),
                h("th", { scope: "col" }, t("rules.cards")),
                h("th", { scope: "col" }, t("rules.attempts"))
              )
            ),
            h(
              "tbody",
              {},
              TABLE.map((row) =>
                h(
                  "tr",
                  { key: row[0], class: app.people.length === row[0] ? "ours" : null },
                  h("th", { scope: "row" }, row[0]),
                  h("td", {}, row[1]),
                  h("td", {}, row[2])
                )
              )
            )
          )
        ),
        h(
          "section",
          { key: "round" },
          h("h2", {}, t("rules.round")),
          h(
            "ol",
            { class: "steps" },
            STEPS.map((s) =>
              h(
                "li",
                { key: s },
                sign(STEP_SIGNS[s]),
                h("p", {}, t("rules." + s + (s === "wrong" ? (down ? "_down" : "_aside") : "")))
              )
            )
          )
        ),
        h(
          "section",
          { key: "example" },
          h("h2", {}, t("rules.example")),
          h("p", {}, t(down ? "rules.example_down" : "rules.example_aside")),
          h("h2", {}, t("rules.end")),
          h("p", {}, t("rules.end_words"))
        )
      )
    )
  ];
}
