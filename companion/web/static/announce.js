// What a screen reader says of a change: whose turn, what was entered, a question. Short, and only when it changed.

import { t } from "./words.js";

export function announce(before, app) {
  const text = changed(before, app);
  if (text) document.getElementById("say").textContent = text;
}

function changed(before, app) {
  const now = app.board;
  if (now.question && (!before || !before.question || before.question.id !== now.question.id)) return t("said.question");
  if (
    before &&
    before.phase === now.phase &&
    before.round &&
    now.round &&
    before.round.turn === now.round.turn &&
    before.round.attempt === now.round.attempt &&
    before.round.number === now.round.number
  )
    return "";
  const round = now.round;
  if (now.phase === "guessing" && round.turn !== null && app.people[round.turn])
    return t("said.turn", { name: app.people[round.turn].name, n: round.attempt, of: round.attempts });
  if (now.phase === "secret")
    return t("said.secret", {
      n: round.draw,
      daydreamer: app.people[round.daydreamer].name,
      lookout: app.people[round.lookout].name
    });
  if (now.phase === "result" && now.last && app.people[now.last.seat])
    return t("said.result", { name: app.people[now.last.seat].name, gain: now.last.gain });
  if (now.phase === "over" && now.winners)
    return t("said.over", { names: now.winners.map((s) => app.people[s].name).join(", ") });
  return "";
}
