// The foot of the column: undo (which says what it undoes), redo, the ledger, more; above them the
// one large button.

import { command } from "../core/commands.js";
import { html } from "../core/html.js";
import { go } from "../core/route.js";
import { has, t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { name } from "../parts/people.js";
import { screen } from "../screen/this_screen.js";
import { canSetUpAnew, setUpAnew } from "../set_up/ring.js";

export function footer({ board, people }, first) {
  if (screen.get().watching) return null;
  const { undo, redo } = board;
  return [
    first && html`<div key="first" class="first">${first}</div>`,
    html`
      <footer key="buttons" class=${["buttons", redo && "crowded"]}>
        ${!undo && canSetUpAnew(board) && beginAgainButton(board)}
        ${undo && button("undo", t("undo"), undoLast, { sign: "undo", below: undoWords(undo, redo ? [] : people), cls: "undo", sends: true })}
        ${redo && redoButton()}
        ${redo ? ledgerButton() : ledgerButton(t("ledger"), "short")}
        ${moreButton()}
      </footer>`,
  ];
}

// What is taken back; whose it was where there is room for both.
function undoWords({ what, seat }, people) {
  const key = `undo.${what}`;
  const words = t(has(key) ? key : "undo.any");
  const person = people[seat];
  return person
    ? html`<span class="cuts">${name(person)}</span>${" "}<span class="what">· ${words}</span>`
    : words;
}

// Before the first cards lie "Begin" itself is taken back: the ring opens as it was.
function beginAgainButton(board) {
  const more = { sign: "undo", below: t("undo.begin"), cls: "undo" };
  return button("undo", t("undo"), () => setUpAnew(board), more);
}

const undoLast = () => command({ do: "undo" });

// Without the second line, where the foot has other things to say.
export function shortUndoButton() {
  return button("undo", t("undo"), undoLast, { sign: "undo", cls: "short", sends: true });
}

export function redoButton() {
  return button("redo", t("redo"), () => command({ do: "redo" }), {
    sign: "redo",
    cls: "short redo",
    sends: true,
  });
}

// With words where there is room for them.
export function ledgerButton(words = null, cls = "bare") {
  return button("ledger", words, () => go("ledger"), { sign: "ledger", cls, label: t("ledger") });
}

export function moreButton() {
  return button("more", null, () => go("more"), { sign: "more", cls: "bare", label: t("more") });
}
