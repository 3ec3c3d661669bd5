// Every version of a round: when, by whom, what; what was taken back is struck out and says so.

import { h } from "./vtree.js";
import { textButton } from "./parts.js";
import { get } from "./link.js";
import { currentLanguage, say, t } from "./words.js";

function clock(at) {
  return new Date(at * 1000).toLocaleTimeString(currentLanguage(), { hour: "2-digit", minute: "2-digit" });
}

function who(entry) {
  if (entry.source === "person") return h("bdi", {}, entry.author || t("ledger.this_tablet"));
  return t(entry.source === "rule" ? "history.rule" : "history.camera");
}

function line(entry) {
  const words = say("history." + entry.what, { n: entry.attempt, card: entry.card === null ? "?" : entry.card });
  return h(
    "li",
    { key: entry.number, class: entry.gone ? "gone" : null },
    h("span", { class: "soft" }, clock(entry.at_s) + " "),
    h("strong", {}, who(entry)),
    " ",
    entry.gone ? h("del", {}, words) : words,
    entry.gone ? h("span", { class: "soft" }, " " + t("history.gone")) : null
  );
}

export function historyOf(app, number) {
  const shown = app.ui.ledger.history;
  const put = (list) => app.set({ ledger: Object.assign({}, app.ui.ledger, { history: list }) });
  const load = () =>
    get("/api/history/" + number).then(
      (answer) => put(answer.entries),
      () => undefined
    );
  return h(
    "div",
    { key: "history" },
    textButton("history", t("history.title"), () => (shown ? put(null) : load()), { open: !!shown }),
    shown ? h("ol", { class: "history" }, shown.map(line)) : null
  );
}
