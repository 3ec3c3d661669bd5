// The expert's page: the whole lens from views of the printed test sheet, judged by two halves of
// the views, never by how small the residual is. The camera looks by itself; the sheet only needs
// to be held still.

import { evening } from "../core/evening.js";
import { html } from "../core/html.js";
import { createPoll } from "../core/poll.js";
import { post, postTap } from "../core/requests.js";
import { currentPage, go } from "../core/route.js";
import { createStore } from "../core/store.js";
import { has, t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { givesPictures, largePicture } from "../parts/live_picture.js";
import { backButton, page, smallHeading } from "../parts/page.js";
import { screen } from "../screen/this_screen.js";

const POLL_MS = 700;

// What the server found so far: how many `views`, which twelfths of the picture they `cover`, the
// judgement.
const NOTHING_YET = { why: "moving", views: 0, wanted: 8, cover: [] };
const found = createStore({ answer: NOTHING_YET });

const poll = createPoll(
  () => currentPage() === "expert" && !screen.get().watching,
  async () => {
    const answer = await post("/api/expert", {});
    found.set({ answer: answer.status === 200 ? answer.body : refused() });
  },
  POLL_MS
);

function refused() {
  const why = evening.get().board.practice ? "practice" : "game";
  return Object.assign({}, NOTHING_YET, { why });
}

export function lensPage({ board }) {
  poll();
  const { answer } = found.get();
  const sees = givesPictures(board.camera);
  const why = `expert.why.${answer.why}`;
  return page(
    "expert",
    smallHeading(t("expert.title")),
    { cls: "camera", back: backButton(t("expert.back"), () => go("camera")) },
    html`
      <div class="camera-two">
        ${
          sees &&
          html`
          <div key="view" class="view">
            <div class="frame">${largePicture("big-live", t("camera.alt"))}${coverMap(answer.cover || [])}</div>
          </div>`
        }
        <div key="words" class="camera-words">
          <h1 class="fit instruct" data-steps="3.5 3 2.5 2.125">${t("expert.views", { n: answer.views })}</h1>
          <p class="second">${has(why) && t(why)}</p>
          ${
            answer.accepted === undefined
              ? html`<p class="soft">${t("expert.how", { n: answer.wanted || 8 })}</p>`
              : verdict(answer)
          }
          <p class="soft">${t("expert.needless")}</p>
          <div class="buttons">${button("expert-anew", t("expert.anew"), beginAnew, { disabled: !answer.views })}</div>
        </div>
      </div>`
  );
}

async function beginAnew() {
  const answer = await postTap("/api/expert/anew", {});
  if (answer.status === 200) found.set({ answer: answer.body });
}

// The picture in twelve parts: those that a view has reached are filled.
function coverMap(cover) {
  const part = (reached, i) => html`
    <rect key=${i} class=${reached ? "reached" : "wanted"} x=${(i % 4) * 40 + 1} y=${Math.floor(i / 4) * 30 + 1}
      width="38" height="28" rx="3" />`;
  return html`
    <svg class="map" viewBox="0 0 160 90" preserveAspectRatio="none" aria-hidden="true">${cover.map(part)}</svg>`;
}

function verdict({ accepted, halves_px, rms_px, residuals }) {
  const words = t(accepted ? "expert.known" : "expert.lazy", {
    px: halves_px === null ? "∞" : halves_px,
  });
  return html`
    <div key="verdict" class="lens-verdict">
      <p class="second">${accepted ? "✓ " : "✕ "}${words}</p>
      <p class="soft">${t("expert.residual", { px: rms_px })}</p>
      <img class="residuals" src=${residuals} alt=${t("expert.residuals_alt")} />
    </div>`;
}
