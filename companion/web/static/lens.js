// This device as the camera: its own picture here, single JPEGs to the table, as many and as large as the line carries.

import { h } from "./vtree.js";
import { button, holdButton } from "./parts.js";
import { begun, paced, sent } from "./adapt.js";
import { get, post } from "./link.js";
import { keep, recall } from "./keep.js";
import { t } from "./words.js";

// What runs while this device is the camera: the stream, its video, the pace; null while it is not.
let running = null;

function lensPossible() {
  return !!(window.isSecureContext && navigator.mediaDevices && navigator.mediaDevices.getUserMedia);
}

function tell(app, what) {
  app.set({ lens: Object.assign({}, app.ui.lens, what) });
}

// Ask the browser for the camera, then the table whether this device may be it.
function start(app) {
  stop();
  tell(app, { state: "asking" });
  const facing = recall("facing", "environment");
  const wanted = { facingMode: facing, width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 30 } };
  navigator.mediaDevices
    .getUserMedia({ video: wanted, audio: false })
    .then((stream) =>
      post("/api/lens", JSON.stringify({ do: "take" })).then((answer) => {
        if (answer.status !== 200) {
          stream.getTracks().forEach((track) => track.stop());
          tell(app, { state: answer.status === 404 ? "impossible" : "failed" });
          return;
        }
        run(app, stream);
      })
    )
    .catch((error) => tell(app, { state: error && error.name === "NotAllowedError" ? "forbidden" : "failed" }));
}

function run(app, stream) {
  running = { stream: stream, video: null, canvas: document.createElement("canvas"), pace: begun(), app: app };
  stream.getVideoTracks()[0].addEventListener("ended", () => lost(app));
  tell(app, { state: "on" });
}

// The video element has come onto the page: let it play, and send its pictures.
function show(mine, video) {
  mine.video = video;
  video.muted = true;
  video.srcObject = mine.stream;
  setTimeout(() => {
    if (running !== mine) return;
    Promise.resolve(video.play()).then(
      () => shoot(mine),
      () => lost(mine.app)
    );
  }, 0);
}

// The phone slept or another program took the camera: begin again when the page is looked at.
function lost(app) {
  if (!running) return;
  stop();
  tell(app, { state: "lost" });
}

function stop() {
  if (!running) return;
  running.stream.getTracks().forEach((track) => track.stop());
  if (running.video) running.video.srcObject = null;
  running = null;
}

// Be the camera no longer; leaving the page does the same, so that nobody is filmed without seeing it.
export function leave(app) {
  if (!running) return;
  stop();
  post("/api/lens", JSON.stringify({ do: "leave" }));
  app.ui.lens = { state: "off" };
}

// How many pictures the camera has given: the same one is never sent twice. Null where the browser does not count.
function framesOf(video) {
  if (!video.getVideoPlaybackQuality) return null;
  const count = video.getVideoPlaybackQuality().totalVideoFrames;
  return count > 0 ? count : null;
}

// One picture: drawn in the pace's size, sent, answered; then the next one.
function shoot(mine) {
  if (running !== mine) return;
  const video = mine.video;
  const shown = framesOf(video);
  if (!video.videoWidth || video.readyState < 2 || (shown !== null && shown === mine.shown)) {
    setTimeout(() => shoot(mine), 30);
    return;
  }
  mine.shown = shown;
  const width = Math.min(mine.pace.width, video.videoWidth);
  const height = Math.round((video.videoHeight * width) / video.videoWidth);
  if (mine.canvas.width !== width || mine.canvas.height !== height) {
    mine.canvas.width = width;
    mine.canvas.height = height;
  }
  mine.canvas.getContext("2d").drawImage(video, 0, 0, width, height);
  mine.canvas.toBlob((blob) => (blob ? deliver(mine, blob) : setTimeout(() => shoot(mine), 500)), "image/jpeg", mine.pace.quality);
}

function deliver(mine, blob) {
  const from = Date.now();
  fetch("/api/lens/frame", { method: "POST", credentials: "same-origin", headers: { "Content-Type": "image/jpeg" }, body: blob })
    .then((answer) => answer.json().then((body) => ({ status: answer.status, body: body })))
    .then((answer) => {
      if (running !== mine) return;
      if (answer.status === 409 || answer.status === 401 || answer.status === 403) {
        stop();
        tell(mine.app, { state: "other" });
        return;
      }
      mine.pace = sent(mine.pace, Date.now() - from, answer.body.every_ms);
      setTimeout(() => shoot(mine), paced(mine.pace, Date.now() - from));
    })
    .catch(() => setTimeout(() => shoot(mine), 1000));
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !running) return;
  const track = running.stream.getVideoTracks()[0];
  if (track && track.readyState === "ended") start(running.app);
  else if (running.video) running.video.play();
});

function other(app) {
  keep("facing", recall("facing", "environment") === "user" ? "environment" : "user");
  start(app);
}

// The picture stays on the page also while it is covered: a video that is taken out of a page stops.
function preview(app, shut) {
  const covered = !running || shut;
  return h(
    "div",
    { key: "frame", class: "frame" + (covered ? " covered" : " seen") },
    running
      ? h("video", { key: "video" + running.stream.id, class: "lens-video", playsinline: true, born: (node) => show(running, node) })
      : null,
    covered ? h("p", { key: "shut", class: "shut-words" }, t(running ? "secret.eye" : "lens.dark")) : null
  );
}

export function lensPage(app) {
  const ui = app.ui.lens || {};
  const on = !!running;
  const shut = app.board.phase === "secret" && !app.board.practice;
  const taken = ["live", "closed"].indexOf(app.board.camera.state) >= 0 && !on;
  const possible = lensPossible();
  if (!app.ui.lens) {
    app.ui.lens = { state: "off" };
    get("/api/lens").then((answer) => {
      if (answer.mine && possible && !running) start(app); // the page was loaded anew: it goes on being the camera
      else tell(app, answer.possible ? {} : { state: "impossible" });
    }, () => undefined);
  }
  const state = possible ? ui.state || "off" : "insecure";
  const able = possible && ["impossible", "asking"].indexOf(state) < 0;
  return [
    h(
      "main",
      { key: "lens", class: "sheet camera lens" },
      h(
        "header",
        { class: "sheet-head" },
        h("p", {}, h("strong", {}, t("lens.title"))),
        h("p", { class: "soft" }),
        button("back", t("back_to_table"), () => app.go(""), { sign: "back", cls: "back" })
      ),
      h(
        "div",
        { class: "camera-two" },
        h("div", { key: "view", class: "view" + (on && shut ? " shut" : "") }, preview(app, shut)),
        h(
          "div",
          { key: "words", class: "camera-words" },
          h("h1", { class: "fit instruct", "data-steps": "4.25 3.5 3 2.5 2.125" }, t("lens." + state)),
          h("p", { class: "second" }, t("lens." + state + "_why")),
          on ? h("p", { class: "soft" }, t("lens.stay")) : null,
          h(
            "div",
            { class: "pair" },
            !on && able && !taken ? button("take", t("lens.take"), () => start(app), { cls: "primary" }) : null,
            !on && able && taken ? holdButton("take-over", t("lens.take_over"), () => start(app), { cls: "primary" }) : null,
            on ? button("other", t("lens.turn"), () => other(app)) : null,
            on
              ? button("leave", t("lens.leave"), () => {
                  leave(app);
                  app.draw();
                })
              : null
          )
        )
      )
    )
  ];
}
