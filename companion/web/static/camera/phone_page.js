// The page on which this device is lent as the camera: its own picture, and what to do with it.

import { html } from "../core/html.js";
import { redraw } from "../core/store.js";
import { t } from "../core/words.js";
import { button, holdButton } from "../parts/buttons.js";
import { drawing } from "../parts/drawings.js";
import { page, smallHeading } from "../parts/page.js";
import {
  askWhetherCamera,
  canBeCamera,
  isRunning,
  leaveCamera,
  phoneCamera,
  runningStream,
  showIn,
  start,
  turnRound,
} from "./phone_camera.js";

const CANNOT = ["insecure", "impossible"]; // no picture will come from this device

export function phonePage({ board }) {
  if (!phoneCamera.get().state) askWhetherCamera();
  const on = isRunning();
  const shut = board.phase === "secret" && !board.practice;
  const state = shownState(board.camera.state);
  return page(
    "phone-camera",
    smallHeading(t("phone_camera.title")),
    { cls: "camera phone-camera" },
    html`
      <div class="camera-two">
        <div key="view" class=${["view", on && shut && "shut"]}>${CANNOT.indexOf(state) >= 0 ? drawing("cameraAbove") : preview(on, shut)}</div>
        <div key="words" class="camera-words">
          <h1 class="fit instruct" data-steps="4.25 3.5 3 2.5 2.125">${t(`phone_camera.${state}`)}</h1>
          <p class="second">${t(`phone_camera.${state}_why`)}</p>
          ${on && html`<p class="soft">${t("phone_camera.stay")}</p>`}
          <div class="pair">${on ? runningButtons() : startButton(state, board.camera.state)}</div>
        </div>
      </div>`
  );
}

// Where another device took it, and has left it since, none is the camera.
function shownState(cameraState) {
  if (!canBeCamera()) return "insecure";
  const { state } = phoneCamera.get();
  return state === "other" && cameraState === "waiting" ? "off" : state;
}

// The picture stays on the page also while it is covered: a video that is taken out of a page
// stops.
function preview(on, shut) {
  const covered = !on || shut;
  const stream = runningStream();
  return html`
    <div key="frame" class=${["frame", covered ? "covered" : "seen"]}>
      ${on && html`<video key="video${stream.id}" class="phone-camera-video" playsinline mounted=${showIn}></video>`}
      ${covered && html`<p key="shut" class="shut-words">${t(on ? "secret.eye" : "phone_camera.dark")}</p>`}
    </div>`;
}

function startButton(state, cameraState) {
  if (["insecure", "impossible", "asking"].indexOf(state) >= 0) return null;
  const taken = cameraState === "live" || cameraState === "closed";
  return taken
    ? holdButton("take-over", t("phone_camera.take_over"), start, { cls: "primary" })
    : button("take", t("phone_camera.take"), start, { cls: "primary" });
}

function runningButtons() {
  const leave = () => {
    leaveCamera();
    redraw();
  };
  return [
    button("other", t("phone_camera.turn"), turnRound),
    button("leave", t("phone_camera.leave"), leave),
  ];
}
