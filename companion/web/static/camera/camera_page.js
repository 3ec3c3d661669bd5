// The camera's page: its picture with the table drawn on it, how well it reads each place (good
// ones quiet, bad ones loud), one headline, one advice, what is still to do. It looks again by
// itself for as long as it is open; picture, drawing and words are of one moment.

import { command } from "../core/commands.js";
import { html } from "../core/html.js";
import { go, goToTable } from "../core/route.js";
import { showToast } from "../core/toast.js";
import { has, t } from "../core/words.js";
import { button, textButton } from "../parts/buttons.js";
import { about } from "../parts/drawings.js";
import { givesPictures } from "../parts/live_picture.js";
import { page, smallHeading } from "../parts/page.js";
import { isOpen } from "../round/outcome.js";
import { screen } from "../screen/this_screen.js";
import { PHONE_CAMERA_PAGE } from "./phone_camera.js";
import { growOlder, judgement, lateBy, pollReport, problems, reportNow } from "./report.js";
import { seatTags, tableMap } from "./table_map.js";

export function cameraPage(evening) {
  pollReport();
  growOlder();
  const { board, people } = evening;
  const found = reportNow(evening);
  const { words, advice } = judgement(evening);
  const shut = !isPictureOpen(board) && givesPictures(board.camera);
  const seen = found.picture && !shut;
  const late = lateBy(found);
  const ready = found.verdict === "ready";
  const none = board.camera.state === "off";
  const where = screen.get().watching ? "camera.none_view_watch" : "camera.none_view";
  const mayChange = !screen.get().watching && !board.practice;
  return page(
    "camera",
    smallHeading(t("camera.title")),
    {},
    html`
      <div class=${["camera-two", (seen || shut) && "with-more"]}>
        ${
          (seen || shut) &&
          html`
          <div key="view" class=${["view", shut && "shut"]}>
            <div class="frame">
              ${seen && html`<img key="seen" class="live large" src=${found.picture.src} decoding="sync" alt=${t("camera.alt")} />`}
              ${seen && tableMap(found)}
              ${shut && html`<p class="shut-words">${t("secret.eye")}</p>`}
            </div>
            ${seen && html`<div key="seats" class="seat-tags">${seatTags(found, people)}</div>`}
            ${seen && found.places && found.places.length > 0 && legend()}
          </div>`
        }
        <div key="words" class="camera-words">
          <h1 class="fit instruct" data-steps="4.25 3.5 3 2.5 2.125">${words}</h1>
          ${late > 0 && html`<p key="late" class="note late">${t("camera.seen_ago", { n: late })}</p>`}
          <p class="second">${advice}</p>
          ${lastTime(found.last)}
          ${found.verdict && steps(found)}
          ${problems(found)}
          <div class="buttons">
            ${button("play", t(found.verdict && !ready ? "set_up.anyway" : "set_up.play"), goToTable, { cls: ready && !late && "primary" })}
            ${mayChange && button("phone-camera", t("phone_camera.title"), () => go(PHONE_CAMERA_PAGE), { sign: "eye" })}
          </div>
        </div>
        ${none && about("cameraAbove", t("camera.none_where"), t(where), t("camera.none_which"))}
        <div key="more" class="camera-more">
          ${grantedWords(board, found)}
          ${mayChange && backLesson(board.camera)}
          ${mayChange && givesPictures(board.camera) && expertOpener()}
        </div>
      </div>`
  );
}

// True while a picture of the table shows nobody's secret; the server sends none at other times.
function isPictureOpen(board) {
  const newest = board.rounds[board.rounds.length - 1];
  const lies =
    newest && isOpen(newest) && !(board.question && board.question.round === newest.number);
  return board.practice || board.phase === "setup" || board.phase === "over" || lies;
}

function legend() {
  return html`
    <p class="legend">
      <span class="key reads">${t("calibration.reads")}</span>
      <span class="key some">${t("calibration.some")}</span>
      <span class="key no">${t("calibration.no")}</span>
    </p>`;
}

// Whether it stands as it did last time.
function lastTime(last) {
  if (!last || !has(`last.${last.key}`)) return null;
  const words = t(`last.${last.key}`);
  return last.same
    ? html`<p key="last" class="same-as-last">✓ ${words}</p>`
    : html`<p key="last" class="soft">${words}</p>`;
}

// What a good set-up needs, each with its sign and its words.
function steps({ tokens = [], places = [], read_at_once: atOnce }) {
  const seen = tokens.filter((token) => token.seen).length;
  const read = places.filter((place) => place.read).length;
  const step = (key, done, words) => html`
    <li key=${key} class=${done ? "done" : "todo"}>
      <span class="tick" aria-hidden="true">${done ? "✓" : "○"}</span>
      <span>${words}</span>
    </li>`;
  return html`
    <ul key="steps" class="set-up-steps">
      ${step("tokens", seen === 4, t("set_up.tokens", { n: seen }))}
      ${atOnce && step("places", atOnce.n === atOnce.all, t("set_up.places", atOnce))}
      ${step("slide", read >= 9, read > 0 ? t("set_up.tried", { n: read }) : t("set_up.try"))}
    </ul>`;
}

// The camera's own words: its name, size, pictures a second, what is locked.
function grantedWords({ camera: boardCamera, practice }, { camera = {} }) {
  const { mode = {} } = camera;
  const fps = mode.fps || camera.fps;
  const locked = (mode.locked || []).map((one) => t(`set_up.lock.${one.replace(" ", "_")}`));
  const parts = [
    camera.width > 1 && `${camera.width} × ${camera.height}`,
    fps && t("set_up.fps", { n: Math.round(fps) }),
    locked.length > 0 && t("set_up.locked", { what: locked.join(", ") }),
  ].filter(Boolean);
  const name = practice ? t("practice.title").replace(/\.$/, "") : boardCamera.name;
  return html`
    <p key="granted" class="soft">
      ${name && html`<bdi>${name}</bdi>`}
      ${name && parts.length > 0 && " · "}
      ${parts.join(" · ")}
    </p>`;
}

// The way to the expert's page.
function expertOpener() {
  const opener = textButton("expert-open", t("expert.title"), () => go("expert"));
  return html`<p key="expert" class="quiet">${opener}</p>`;
}

// The bought game's own card back, shown to the camera once; our printed back is known by its code.
function backLesson(camera) {
  if (camera.state !== "live" && camera.state !== "closed") return null;
  const send = (what) => async () => {
    if (await command({ do: what })) showToast(`back.${what}`);
  };
  return html`
    <div key="back" class="back-lesson">
      <h2>${t("back.title")}</h2>
      <p class="soft">${t("back.why")}</p>
      <p class="quiet">
        ${textButton("learn", t("back.learn"), send("learn_back"))}
        ${camera.back_known && textButton("forget", t("back.forget"), send("forget_back"))}
      </p>
    </div>`;
}
