// The foot of the column: undo (which says what it undoes), the ledger, more; and the short sentence that answers a tap.

import { h } from "./vtree.js";
import { button } from "./parts.js";
import { say, t } from "./words.js";

function undoWords(app) {
  const undo = app.board.undo;
  if (!undo) return null;
  const who = undo.seat !== null && undo.seat !== undefined && app.people[undo.seat] ? app.people[undo.seat].name : null;
  const what = app.hasWord("undo." + undo.what) ? t("undo." + undo.what) : t("undo.any");
  return who ? [h("bdi", {}, who), h("span", { class: "what" }, ", " + what)] : what;
}

// Undo says what it undoes; Ledger; More.
export function footer(app, first) {
  if (app.watch) return null;
  const undo = undoWords(app);
  const redo = app.board.redo;
  return [
    first ? h("p", { key: "first", class: "first" }, first) : null,
    h(
      "footer",
      { key: "buttons", class: "buttons" + (redo ? " crowded" : "") },
      undo ? button("undo", t("undo"), () => app.command({ do: "undo" }), { sign: "undo", below: undo, cls: "undo" }) : null,
      redo ? button("redo", t("redo"), () => app.command({ do: "redo" }), { sign: "redo", cls: "short" }) : null,
      button("ledger", redo ? null : t("ledger"), () => app.go("ledger"), { sign: "ledger", cls: redo ? "bare" : "short", label: t("ledger") }),
      button("more", null, () => app.go("more"), { sign: "more", cls: "bare", label: t("more") })
    )
  ];
}

export function toast(app) {
  return app.ui.toast ? h("p", { key: "toast", class: "toast" }, say(app.ui.toast.key, app.ui.toast.params)) : null;
}
