// Set-up beside the ring: who else, which deck and rules, what the camera says. Under a minute.

import { PHONE_CAMERA_PAGE } from "../camera/phone_camera.js";
import { judgement, pollReportSlowly, reportNow, whyStopped } from "../camera/report.js";
import { html } from "../core/html.js";
import { notice } from "../core/notice.js";
import { go } from "../core/route.js";
import { toastLine } from "../core/toast.js";
import { say, t } from "../core/words.js";
import { button, textButton } from "../parts/buttons.js";
import { deckStepper, editionRow, handlingRow } from "../parts/fields.js";
import { smallPicture } from "../parts/live_picture.js";
import { moreButton } from "../round/footer.js";
import { isPhone, screen } from "../screen/this_screen.js";
import { stillsRow } from "../stills/stills.js";
import { fairStart } from "./fair_start.js";
import { whoElse } from "./new_player.js";
import {
  beginEvening,
  changeRing,
  chooseFirst,
  isSetUpAnew,
  LEAST_PLAYERS,
  leaveSetUp,
  openRing,
  ring,
  sitTypedDown,
} from "./ring.js";

export function setUpColumn(evening) {
  const { names, first } = openRing(evening.board);
  if (screen.get().watching) return watchingColumn();
  const { words, why } = answer(names, first);
  const steps = isPhone() ? "4.25 3.5 3 2.5 2.125" : "3.5 3 2.5 2.125";
  return html`
    <div key="head" class="head top">
      <h1 key="begins" class="fit instruct" data-steps=${steps}>${words}</h1>
      <p class="second soft">${why}</p>
      ${fairLine(names, first, evening.board)}
      ${toastLine()}
    </div>
    ${whoElse()}
    ${settings(evening)}
    <footer key="buttons" class="buttons">
      ${beginButton(names, first)}
      ${isSetUpAnew(evening.board) && button("back", t("setup.back"), leaveSetUp)}
      ${moreButton()}
    </footer>`;
}

// What the column says to what the sky asks.
function answer(names, first) {
  const n = names.length;
  if (first !== null)
    return { words: say("setup.begins", { name: first }), why: t("setup.begins_why") };
  if (n === 0) return { words: t("setup.nobody"), why: t("setup.nobody_why") };
  const missing = LEAST_PLAYERS - n;
  const why = missing > 0 ? t("setup.here_why", { n: missing }) : t("setup.first_why");
  return { words: t("setup.here", { n }), why };
}

// Quietly, who has begun least, where nobody else has as seldom: one touch lets them begin.
function fairLine(names, first, board) {
  const fair = names.length >= LEAST_PLAYERS && first === null && fairStart(names, board);
  if (!fair || !fair.alone) return null;
  const words = say("setup.fair", { name: fair.name, begun: fair.begun, n: fair.games });
  return html`<p key="fair" class="fair-start">${textButton("fair", words, () => chooseFirst(fair.name))}</p>`;
}

// It says what it still waits for; a name that is still in its field can be what it waits for.
function beginButton(names, first) {
  const missing = LEAST_PLAYERS - names.length;
  if (missing <= 0 && first !== null)
    return button("begin", t("setup.begin"), beginEvening, { cls: "primary wide", sends: true });
  const words = missing > 0 ? t("setup.begin_more", { n: missing }) : t("setup.begin_first");
  return button("begin", words, sitTypedDown, {
    cls: "wide waits",
    disabled: !ring.get().typed.trim(),
  });
}

function watchingColumn() {
  return html`
    <div key="head" class="head">
      <h1 key="watch" class="fit instruct" data-steps="4.25 3.5 3">${t("setup.watch_title")}</h1>
      <p class="second">${t("setup.watch_why")}</p>
    </div>
    <div key="low" class="low"></div>`;
}

function settings(evening) {
  const { edition, handling, deckSize } = ring.get();
  const { phase, learnt_deck: learnt } = evening.board;
  const cards = learnt || t("setup.coded");
  const mayLookAtCards = phase === "setup" || phase === "over"; // set up anew, the first cards may be a secret
  return html`
    <section key="settings" class="settings">
      <div key="deck" class="row">
        <span id="deck-label">${t("setup.deck")}</span>
        ${deckStepper("deck-label", deckSize, (size) => changeRing({ deckSize: size }))}
        ${mayLookAtCards && !learnt && textButton("count", t("deck.title"), () => go("deck"))}
      </div>
      <div key="cards" class="row">
        <span>${t("setup.cards")}</span>
        ${mayLookAtCards ? textButton("learn", cards, () => go("learn")) : html`<strong>${cards}</strong>`}
      </div>
      ${editionRow("set-edition", edition, (one) => changeRing({ edition: one }))}
      ${handlingRow("set-handling", edition, handling, (one) => changeRing({ handling: one }))}
      ${stillsRow(evening.board)}
      ${cameraRow(evening)}
    </section>`;
}

function cameraRow(evening) {
  const { online, board } = evening;
  const { camera, practice } = board;
  const looks = camera.state === "live" || camera.state === "searching";
  const sees = online && (looks || camera.state === "practice");
  const found = looks ? reportNow(evening) : { verdict: null };
  const judged = found.verdict || !(online || camera.state === "off") ? judgement(evening) : null;
  if (looks) pollReportSlowly();
  const state = judged ? judged.words : t(`camera.${camera.shows || camera.state}`);
  const why = judged ? judged.advice : t(practice ? "practice.why" : `camera.${camera.state}_why`);
  return html`
    <a key="camera" class=${["camera-row", looks && "judged", camera.state === "off" && "none"]} href=${camera.state === "waiting" ? `#${PHONE_CAMERA_PAGE}` : "#camera"}>
      ${judged && found.picture && html`<img key="seen" class="live small" src=${found.picture.src} decoding="sync" alt="" />`}
      ${sees && !judged && smallPicture("setup-live")}
      <span><strong>${state}</strong> <span class="soft">${whyStopped(evening) || notice(evening) || why}</span></span>
    </a>`;
}
