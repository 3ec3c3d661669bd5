// The head of the column: "Round 5 of 13 · 8 more to come", then what happened last, or what needs
// a word now, or the question that waits.

import { lostKey } from "../core/evening.js";
import { html } from "../core/html.js";
import { has, say, t } from "../core/words.js";
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

const CAMERA_NOTICES = { waiting: "camera_waiting", searching: "camera_searching" };

// The one thing that needs a word now: a lost line, a stopped camera, a covered card, too few
// cards; null for nothing. On the camera's own page nobody is sent there.
export function notice({ board, people, online }, onCameraPage = false) {
  const { camera } = board;
  if (!online) return say(lostKey(board));
  const sendsThere = camera.state === "waiting";
  const notices = [
    camera.state === "stopped" && { key: `camera_${camera.shows || "stopped"}` },
    ...(board.notices || []),
    ...(camera.notices || []).map(readNotice),
    !(onCameraPage && sendsThere) &&
      CAMERA_NOTICES[camera.state] && { key: CAMERA_NOTICES[camera.state] },
  ];
  const first = notices.find((one) => one && has(`notice.${one.key}`));
  if (!first) return null;
  const params = Object.assign({}, first.params);
  if (params.seat !== undefined && people[params.seat]) params.name = people[params.seat].name;
  return say(`notice.${first.key}`, params);
}

// The camera's own notices are texts: "covered:7".
function readNotice(text) {
  const [key, card] = String(text).split(":");
  return { key, params: { card, n: Number(card) } };
}
