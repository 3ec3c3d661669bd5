// Every version of a round: when, by whom, what; what was taken back is struck out and says so.

import { onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { get } from "../core/requests.js";
import { showToast } from "../core/toast.js";
import { say, t, writingHabits } from "../core/words.js";
import { textButton } from "../parts/buttons.js";
import { deviceName } from "../screen/this_screen.js";
import { draft } from "./draft.js";

// What is shown is of now: it is asked for again with every change.
onScoreboard((before, board) => {
  const { open, history } = draft.get();
  if (before && history && open !== null && before.version !== board.version) load(open);
});

async function load(number) {
  const answer = await get(`/api/history/${number}`).catch(() => null);
  if (!answer && !draft.get().history) showToast("said.unsent");
  if (answer && draft.get().open === number) draft.set({ history: answer.entries });
}

export function roundHistory(number) {
  const entries = draft.get().history;
  const toggle = () => (entries ? draft.set({ history: null }) : load(number));
  return html`
    <div key="history">
      ${textButton("history", t("history.title"), toggle, !!entries)}
      ${entries && html`<ol class="history">${entries.map(entryLine)}</ol>`}
    </div>`;
}

function entryLine(entry) {
  const { what, card } = entry;
  const key = what === "set_aside" && card === null ? "history.wrong" : `history.${what}`;
  const words = say(key, { n: entry.attempt, card });
  return html`
    <li key=${entry.number} class=${entry.gone ? "gone" : null}>
      <span class="soft">${clock(entry.at_s)} </span>
      <strong>${author(entry)}</strong> ${entry.gone ? html`<del>${words}</del>` : words}
      ${entry.gone && html`<span class="soft"> ${t("history.gone")}</span>`}
    </li>`;
}

function clock(at_s) {
  return new Date(at_s * 1000).toLocaleTimeString(writingHabits(), {
    hour: "2-digit",
    minute: "2-digit",
  });
}

function author(entry) {
  if (entry.source === "person")
    return html`<bdi>${deviceName(entry.author) || t("ledger.this_tablet")}</bdi>`;
  return t(entry.source === "rule" ? "history.rule" : "history.camera");
}
