// The head of the column: "Round 5 of 13 · 8 more to come", then what happened last, or what needs
// a word now, or the question that waits.

import { html } from "../core/html.js";
import { notice } from "../core/notice.js";
import { say, t } from "../core/words.js";
import { sign } from "../parts/signs.js";
import { questionLine } from "../questions/question.js";
import { isPhone } from "../screen/this_screen.js";
import { rightAtKey } from "./outcome.js";

export function roundHeader(evening) {
  const { round, phase, practice } = evening.board;
  const note = notice(evening);
  const question = questionLine(evening.board);
  const more = round.more > 0 ? t("more_to_come", { n: round.more }) : t("last_one");
  return html`
    <header key="where" class="where">
      <p key="round" class="round-line">
        <strong>${t("round", { n: round.number, of: round.of })}</strong><span class="soft"> · ${more}</span>
      </p>
      ${note && html`<p key="note" class="note">${note}</p>`}
      ${question || (!note && phase !== "result" && lastLine(evening))}
      ${practice && practiceLine()}
    </header>`;
}

// What the round before this one came to.
export function lastLine({ board, people }) {
  return (
    board.last && html`<p key="last" class="soft last-line">${lastWords(board.last, people)}</p>`
  );
}

function lastWords(last, people) {
  const person = people[last.seat];
  if (!person) return t(`last.${last.text_key}`);
  return say((isPhone() ? "last.short_" : "last.") + last.text_key, {
    name: person.name,
    gain: last.gain,
    how: t(rightAtKey(last.guess || 1)),
  });
}

function practiceLine() {
  return html`
    <p key="practice" class="practice-line">
      ${sign("eye")}
      <span><strong>${t("practice.title")}</strong> <span class="soft">${t("practice.why")}</span></span>
    </p>`;
}
