// This one screen: who it is at the table, which side it lies on, whether it only watches, how it
// is lit.

import { recall } from "../core/storage.js";
import { createStore } from "../core/store.js";
import { has, t } from "../core/words.js";

export const screen = createStore({
  device: { role: "control", name: "" },
  version: "", // the companion's own
  watching: /[?&](watch|tv)\b/.test(location.search),
  side: Number(recall("side", "0")) || 0, // the seat at this screen's lower edge
  day: false,
});

// Take what the server says of this device.
export function introduce(hello) {
  screen.put({ device: hello.device, version: hello.version });
  if (hello.device.role === "watch") screen.put({ watching: true });
}

export function isPhone() {
  return window.matchMedia("(max-width: 600px)").matches;
}

// An old phone, where an evening's end has no room on one screen.
export function isSmallPhone() {
  return isPhone() && window.matchMedia("(orientation: portrait) and (max-height: 700px)").matches;
}

// A phone, upright or on its side.
export function isHandheld() {
  return isPhone() || window.matchMedia("(orientation: landscape) and (max-height: 560px)").matches;
}

// What the door calls a device by its kind ("Computer", then "Computer 2") is said in the screen's
// language; a name people gave stays.
export function deviceName(name) {
  const [, kind, number] = /^(\S+)( \d+)?$/.exec(name) || [];
  const key = `device.${kind}`;
  return has(key) ? t(key) + (number || "") : name;
}
