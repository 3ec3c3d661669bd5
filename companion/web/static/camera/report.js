// How well the camera reads the table: the server's report, asked for while somebody looks, and its
// words.

import { html } from "../core/html.js";
import { createPoll } from "../core/poll.js";
import { get } from "../core/requests.js";
import { currentPage } from "../core/route.js";
import { createStore, redraw } from "../core/store.js";
import { has, t } from "../core/words.js";
import { notice } from "../round/header.js";
import { screen } from "../screen/this_screen.js";

const POLL_MS = 1300;
const SLOW_POLL_MS = 15000;
const MOST_PROBLEMS = 3;

// The report as the server sends it; nothing is known without a `verdict`.
export const report = createStore({ verdict: null });

async function ask() {
  try {
    report.reset(await get("/api/calibration"));
  } catch (_error) {
    report.reset({});
  }
}

// Ask again and again while the camera's page is shown.
export const pollReport = createPoll(() => currentPage() === "camera", ask, POLL_MS);

let askedAt = 0;

// Now and then, while the table is set, the camera says how well it reads it.
export function pollReportSlowly(board) {
  if (screen.get().watching || board.practice || Date.now() - askedAt < SLOW_POLL_MS) return;
  askedAt = Date.now();
  get("/api/calibration").then(
    (answer) => report.reset(answer),
    () => undefined
  );
  setTimeout(redraw, SLOW_POLL_MS + 100);
}

// What the camera makes of the table: one line of words and one piece of advice.
export function judgement(evening) {
  const { verdict, advice_key: key, params, advice, headline } = report.get();
  const { camera, practice } = evening.board;
  if (verdict && has(`calibration.${verdict}`))
    return {
      words: t(`calibration.${verdict}`),
      advice: has(`advice.${key}`) ? t(`advice.${key}`, inWords(params)) : advice || "",
    };
  if (headline) return { words: headline, advice: advice || "" };
  if (practice) return { words: t("practice.title"), advice: t("practice.why") };
  return {
    words: t(`camera.${camera.state}`),
    advice: notice(evening) || t(`camera.${camera.state}_why`),
  };
}

// What else is not as it should be.
export function problems() {
  const { problems: all = [], advice_key: told } = report.get();
  return all
    .filter(
      ({ key }, i) =>
        key !== told && has(`advice.${key}`) && all.findIndex((one) => one.key === key) === i
    )
    .slice(0, MOST_PROBLEMS)
    .map(
      ({ key, params }, i) =>
        html`<p key="problem${i}" class="soft">${t(`advice.${key}`, inWords(params))}</p>`
    );
}

// A piece of the table set, and a place of the picture, in this language's words.
function inWords(params) {
  const found = Object.assign({}, params);
  const piece = `piece.${String(found.piece || "").replace("token-", "")}`;
  const where = `piece.${String(found.where || "").replace(" ", "-")}`;
  if (has(piece)) found.piece = t(piece);
  if (has(where)) found.where = t(where);
  return found;
}
