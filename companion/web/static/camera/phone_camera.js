// This device as the camera: single JPEGs to the table, as many and as large as the line carries.

import { get, post, upload } from "../core/requests.js";
import { keep, recall } from "../core/storage.js";
import { createStore } from "../core/store.js";
import { firstPace, paceAfter, waitFor } from "./pace.js";

// A phone lent as camera has had this address from the first release on; in the house "lens" means
// the camera's optics.
const ADDRESS = "/api/lens";
export const PHONE_CAMERA_PAGE = "lens";

const NOT_READY_MS = 30;
const NO_PICTURE_MS = 500;
const FAILED_MS = 1000;
const UNANSWERED_MS = 4000;

// "" nobody asked, "off", "asking", "on", "cut" (the table does not answer), "lost", "other", "failed", "forbidden", "impossible"
export const phoneCamera = createStore({ state: "" });

// What runs while this device is the camera: the stream, its video, the pace; null while it is not.
let running = null;

export function isRunning() {
  return running !== null;
}

export function canBeCamera() {
  return !!(
    window.isSecureContext &&
    navigator.mediaDevices &&
    navigator.mediaDevices.getUserMedia
  );
}

// The first time the page is shown: whether this device may be the camera, or is it already.
export async function askWhetherCamera() {
  phoneCamera.put({ state: "off" });
  const answer = await get(ADDRESS).catch(() => null);
  if (!answer) return;
  if (answer.mine && canBeCamera() && !running)
    start(); // the page was loaded anew: it goes on being the camera
  else if (!answer.possible) phoneCamera.set({ state: "impossible" });
}

// Ask the browser for the camera, then the table whether this device may be it.
export async function start() {
  stop();
  phoneCamera.set({ state: "asking" });
  const facingMode = recall("facing", "environment");
  const video = {
    facingMode,
    width: { ideal: 1920 },
    height: { ideal: 1080 },
    frameRate: { ideal: 30 },
  };
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
    const answer = await post(ADDRESS, { do: "take" });
    if (answer.status === 200) run(stream);
    else {
      stopTracks(stream);
      phoneCamera.set({ state: answer.status === 404 ? "impossible" : "failed" });
    }
  } catch (error) {
    phoneCamera.set({ state: error && error.name === "NotAllowedError" ? "forbidden" : "failed" });
  }
}

function run(stream) {
  running = {
    stream,
    video: null,
    canvas: document.createElement("canvas"),
    pace: firstPace(),
    frame: null,
  };
  stream.getVideoTracks()[0].addEventListener("ended", loseCamera);
  phoneCamera.set({ state: "on" });
}

// The stream that is shown on the page, for as long as it runs.
export function runningStream() {
  return running && running.stream;
}

// The video element has come onto the page: let it play, and send its pictures.
export function showIn(video) {
  const mine = running;
  mine.video = video;
  video.muted = true;
  video.srcObject = mine.stream;
  setTimeout(() => {
    if (running !== mine) return;
    Promise.resolve(video.play()).then(() => sendPicture(mine), loseCamera);
  }, 0);
}

// The phone slept or another program took the camera: begin again when the page is looked at.
function loseCamera() {
  if (!running) return;
  stop();
  phoneCamera.set({ state: "lost" });
}

function stopTracks(stream) {
  stream.getTracks().forEach((track) => {
    track.stop();
  });
}

function stop() {
  if (!running) return;
  stopTracks(running.stream);
  if (running.video) running.video.srcObject = null;
  running = null;
}

// Be the camera no longer; leaving the page does the same, so that nobody is filmed without seeing
// it.
export function leaveCamera() {
  if (!running) return;
  stop();
  post(ADDRESS, { do: "leave" });
  phoneCamera.put({ state: "off" });
}

export function turnRound() {
  keep("facing", recall("facing", "environment") === "user" ? "environment" : "user");
  start();
}

// How many pictures the camera has given: the same one is never sent twice. Null where the browser
// does not count.
function frameNumber(video) {
  if (!video.getVideoPlaybackQuality) return null;
  const count = video.getVideoPlaybackQuality().totalVideoFrames;
  return count > 0 ? count : null;
}

// One picture: drawn in the pace's size, sent, answered; then the next one.
function sendPicture(mine) {
  if (running !== mine) return;
  const { video, canvas, pace } = mine;
  const frame = frameNumber(video);
  const again = (ms) => setTimeout(() => sendPicture(mine), ms);
  if (!video.videoWidth || video.readyState < 2 || (frame !== null && frame === mine.frame)) {
    again(NOT_READY_MS);
    return;
  }
  mine.frame = frame;
  const width = Math.min(pace.width, video.videoWidth);
  const height = Math.round((video.videoHeight * width) / video.videoWidth);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext("2d").drawImage(video, 0, 0, width, height);
  canvas.toBlob(
    (blob) => (blob ? deliver(mine, blob, again) : again(NO_PICTURE_MS)),
    "image/jpeg",
    pace.quality
  );
}

// The table began anew, or heard nothing for long: no device is its camera now, and this one, which still
// is on its page, goes on being it. True where it is.
async function takeWhereNobodyIs(mine) {
  const { taken } = await get(ADDRESS);
  if (taken || running !== mine) return false;
  const { status } = await post(ADDRESS, { do: "take" });
  if (running === mine) return status === 200;
  if (!running) post(ADDRESS, { do: "leave" }); // the page was left meanwhile
  return false;
}

function sayReached(mine, reached) {
  const state = reached ? "on" : "cut";
  if (running === mine && phoneCamera.get().state !== state) phoneCamera.set({ state });
}

async function deliver(mine, picture, again) {
  const begun = Date.now();
  const unanswered = setTimeout(() => sayReached(mine, false), UNANSWERED_MS);
  try {
    const answer = await upload(`${ADDRESS}/frame`, picture);
    if (running !== mine) return;
    sayReached(mine, answer.status < 500);
    if (answer.status === 409 && (await takeWhereNobodyIs(mine))) {
      again(0);
      return;
    }
    if (running !== mine) return;
    if ([401, 403, 409].indexOf(answer.status) >= 0) {
      stop();
      phoneCamera.set({ state: "other" });
      return;
    }
    mine.pace = paceAfter(mine.pace, Date.now() - begun, answer.body.every_ms);
    again(waitFor(mine.pace, Date.now() - begun));
  } catch (_error) {
    sayReached(mine, false);
    again(FAILED_MS);
  } finally {
    clearTimeout(unanswered);
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !running) return;
  const track = running.stream.getVideoTracks()[0];
  if (track && track.readyState === "ended") start();
  else if (running.video) running.video.play();
});
