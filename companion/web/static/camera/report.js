// How well the camera reads the table: the server's report, asked for while somebody looks, its words,
// and the very picture that it is told of. All that is shown of it is of one moment.

import { html } from "../core/html.js";
import { notice } from "../core/notice.js";
import { createPoll } from "../core/poll.js";
import { get } from "../core/requests.js";
import { currentPage } from "../core/route.js";
import { createStore } from "../core/store.js";
import { has, t } from "../core/words.js";

const POLL_MS = 800;
const SLOW_POLL_MS = 4000;
const LATE_S = 5; // what is told of a picture so old says so
const TICK_MS = 1000;
const OLD_MS = 10000; // nobody asked for so long: it tells of a table of before
const MOST_PROBLEMS = 3;
const LARGE_PX = 1280;
const SMALL_PX = 320;
// The camera's states in which it looks at the table; the practice table's picture stays open also
// while its cards are a secret.
const LOOKS = ["live", "searching", "practice"];

// The report as the server sends it, with when it came and its `picture` as an image that is loaded;
// nothing is known without a `verdict`.
const report = createStore({ verdict: null, picture: null, at: 0 });

async function ask(width) {
  const before = report.get().picture;
  try {
    const answer = await get(`/api/calibration?w=${width}`);
    const picture = answer.picture ? await loaded(jpegOf(answer.picture)) : null;
    report.reset(
      Object.assign(answer, {
        picture,
        at: Date.now(),
        seenAt: Date.now() - 1000 * (answer.age_s || 0),
      })
    );
  } catch (_error) {
    report.reset({});
  }
  if (before) setTimeout(() => URL.revokeObjectURL(before.src), 1000);
}

// The image of a picture once it can be shown: an element that is given an address which is still to
// be loaded shows its old picture on, beside the new words.
function loaded(blob) {
  return new Promise((done) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => done(null);
    image.src = URL.createObjectURL(blob);
  });
}

function jpegOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type: "image/jpeg" });
}

// While the camera's page is shown, what is told there grows older also between two answers.
export const growOlder = createPoll(
  () => currentPage() === "camera",
  async () => report.set({ now: Date.now() }),
  TICK_MS
);

// How old, in whole seconds, the picture is that is reported on; 0 while that needs no word.
export function lateBy(found) {
  const seconds = found.verdict ? Math.floor((Date.now() - found.seenAt) / 1000) : 0;
  return seconds >= LATE_S ? seconds : 0;
}

// Ask again and again while the camera's page is shown.
export const pollReport = createPoll(
  () => currentPage() === "camera",
  () => ask(LARGE_PX),
  POLL_MS
);

// Now and then, while the table is set, the camera says how well it reads it.
export const pollReportSlowly = createPoll(
  () => !currentPage() && document.querySelector(".camera-row.judged") !== null,
  () => ask(SMALL_PX),
  SLOW_POLL_MS
);

// What was reported of the table as it is now; nothing while the camera does not look, or nobody can
// tell whether it does.
export function reportNow({ board: { camera, practice }, online }) {
  const found = report.get();
  const looks = LOOKS.indexOf(camera.state) >= 0 || (practice && camera.state === "closed");
  const now = online && looks && Date.now() - found.at < OLD_MS;
  return now ? found : { verdict: null };
}

// What the camera makes of the table: one line of words and one piece of advice.
export function judgement(evening) {
  const { camera, practice, learnt_deck: learnt } = evening.board;
  const { verdict, advice_key: key, params, advice, headline } = reportNow(evening);
  if (verdict && has(`calibration.${verdict}`)) {
    const told = learnt && has(`uncoded.${key}`) ? `uncoded.${key}` : `advice.${key}`;
    return {
      words: t(`calibration.${verdict}`),
      advice: has(told) ? t(told, inWords(params)) : advice || "",
    };
  }
  if (headline) return { words: headline, advice: advice || "" };
  if (!evening.online && camera.state !== "off")
    return { words: t("camera.unknown"), advice: notice(evening, true) };
  if (practice) return { words: t("practice.title"), advice: t("practice.why") };
  return {
    words: t(`camera.${camera.shows || camera.state}`),
    advice: whyStopped(evening) || notice(evening, true) || whatToDo(camera.state),
  };
}

// What stands below a headline that says already that the camera has stopped; "" where it has not.
export function whyStopped({ online, board: { camera } }) {
  const stopped = online && camera.state === "stopped";
  return stopped ? t(`camera.${camera.shows || "stopped"}_why`) : "";
}

// What this page itself can do about the camera's state.
function whatToDo(state) {
  if (state === "waiting") return t("camera.waiting_here", { button: t("phone_camera.title") });
  return t(`camera.${state}_why`);
}

// What else is not as it should be.
export function problems({ problems: all = [], advice_key: told }) {
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

// Pieces of the table set, and places of the picture, in this language's words.
function inWords(params) {
  const found = Object.assign({}, params);
  for (const name of ["piece", "where"]) if (found[name]) found[name] = placed(found[name]);
  if (found.pieces) found.pieces = found.pieces.map(placed).join(", ");
  return found;
}

function placed(place) {
  const key = `piece.${place.replace("token-", "").replace(" ", "-")}`;
  return has(key) ? t(key) : place;
}
