// The one thing that needs a word now: a lost line, a stopped camera, a covered card, too few cards.

import { lostKey } from "./evening.js";
import { has, say, t } from "./words.js";

const CAMERA_NOTICES = { waiting: "camera_waiting", searching: "camera_searching" };

// What is shown of it, null for nothing. On the camera's own page nobody is sent there.
export function notice({ board, people, online }, onCameraPage = false) {
  if (!online) return say(lostKey(board));
  const first = firstNotice(board, people, onCameraPage);
  return first && say(first.key, first.params);
}

// What is read aloud of it while the line holds, "" for nothing.
export function spokenNotice(board, people, onCameraPage) {
  const first = firstNotice(board, people, onCameraPage);
  return first ? t(first.key, first.params) : "";
}

function firstNotice(board, people, onCameraPage) {
  const { camera } = board;
  const sendsThere = camera.state === "waiting";
  const told = board.notices || [];
  const isCount = (one) => one.key === "expected_seen";
  // Why there is another number of cards comes before the number.
  const notices = [
    camera.state === "stopped" && { key: `camera_${camera.shows || "stopped"}` },
    ...told.filter((one) => !isCount(one)),
    ...(camera.notices || []).map(readNotice),
    ...told.filter(isCount),
    !(onCameraPage && sendsThere) &&
      CAMERA_NOTICES[camera.state] && { key: CAMERA_NOTICES[camera.state] },
  ];
  const first = notices.find((one) => one && has(`notice.${one.key}`));
  if (!first) return null;
  const params = Object.assign({}, first.params);
  if (params.seat !== undefined && people[params.seat]) params.name = people[params.seat].name;
  return { key: `notice.${first.key}`, params };
}

// The camera's own notices are texts: "covered:7".
function readNotice(text) {
  const [key, card] = String(text).split(":");
  return { key, params: { card, n: Number(card) } };
}
