// The window before the evening: the ring of people, touched and dragged into place; who looked at
// the sky last.

import { t } from "../core/words.js";
import { pressed } from "../parts/buttons.js";
import { lettersOf, peopleOf, shortened } from "../parts/people.js";
import { isPhone, screen } from "../screen/this_screen.js";
import { onRim, seatAngle } from "../window/geometry.js";
import { baseScene } from "../window/scene.js";
import { skyText } from "../window/window.js";
import {
  chooseFirst,
  LEAST_PLAYERS,
  morningOf,
  moveSeat,
  openRing,
  ring,
  seated,
  standUp,
} from "./ring.js";

const DRAG_PX = 14; // a finger that moves less only touches
const CLICK_AFTER_DRAG_MS = 50; // the browser's own click after a drag

// Where the question's middle and the hint stand, in units, so that no seat's name is in the way:
// by the number of people.
const LINES_AT = { 4: [-108, 92], 5: [-110, 6], 7: [56, 146], 8: [-108, 92] };
const LINES_ON_PHONE = { 4: [-120], 5: [-70] }; // where there is no hint

const NAMES_APART = 24; // units between two names at one height
const RAISED = { 5: 0.5, 8: 0.5 }; // how much of it the left one is raised where two are parted

export function ringScene(evening) {
  const { names, first, dragged } = openRing(evening.board);
  const { watching } = screen.get();
  const phone = isPhone();
  const people = peopleOf(seated());
  const asked = watching ? "watch" : names.length < LEAST_PLAYERS ? "who" : "sky";
  const lines = t(`setup.ask_${asked}`).split("\n");
  const at = (phone && LINES_ON_PHONE[people.length]) || LINES_AT[people.length];
  const [middle, low] = at || [-26, lines.length * 36 + 22];
  const words = lines.map((line, i) => {
    const y = (i - (lines.length - 1) / 2) * 72 + middle;
    return skyText(`ask${i}`, line, { x: 0, y }, 70, { cls: "asks" });
  });
  if (!phone || !people.length)
    words.push(skyText("hint", t(`setup.hint_${asked}`), { x: 0, y: low }, phone ? 46 : 34));
  return Object.assign(baseScene({ board: morningOf(evening.board), people }), {
    people,
    side: 0,
    scores: false,
    daydreamer: null,
    lookout: null,
    sun: first === null ? null : names.indexOf(first),
    dragged,
    words: words.concat(...seatNames(people, phone)),
    seatProps: watching ? null : seatProps,
  });
}

// The names before their seats, on two lines where they are long; two that face each other and are too
// wide for one height stand one below the other.
function seatNames(people, phone) {
  const n = people.length;
  const size = phone ? (n > 6 ? 44 : 54) : 34;
  const lines = people.map((person) => linesOf(person, phone ? (n > 6 ? 7 : 8) : 13));
  return people.map((person, i) => {
    const at = onRim(seatAngle(i, n, 0), 316);
    const across = at.x / 316;
    const anchor = across < -0.3 ? "start" : across > 0.3 ? "end" : "middle";
    const facing = n - i;
    const parted = anchor !== "middle" && overlap(lines[i], lines[facing], size, at.x);
    const height = parted ? ((lines[i].length + lines[facing].length) / 2) * size : 0;
    const lower = height * (across > 0 ? 1 - RAISED[n] || 1 : -RAISED[n] || 0);
    return lines[i].map((line, k) => {
      const y = at.y + lower + (k - (lines[i].length - 1) / 2) * size;
      const place = { x: at.x.toFixed(0), y: y.toFixed(0) };
      return skyText(`name${k}-${person.name}`, line, place, size, { cls: "strong", anchor });
    });
  });
}

function overlap(some, others, size, x) {
  return widest(some, size) + widest(others, size) > 2 * Math.abs(x) - NAMES_APART;
}

let ink = null;

function widest(lines, size) {
  ink = ink || document.createElement("canvas").getContext("2d");
  ink.font = `800 ${size}px "Alegreya Sans", "Noto Sans", sans-serif`;
  return Math.max(...lines.map((line) => ink.measureText(line).width));
}

// A name on one line of at most so many letters, or on two that end where a word does; else shortened, in
// two lines where another name begins alike.
function linesOf(person, most) {
  const { name: whole, parts } = person;
  const all = lettersOf(whole);
  if (all.length <= most) return [whole];
  const ends = all.map((letter, at) => (/[\s-]/.test(letter) ? at + 1 : 0)).filter(Boolean);
  const end = ends.find((at) => at <= most && all.length - at <= most);
  if (!end && parts.length > 1)
    return [shortened(parts[0], most), shortened(parts[1].concat(parts[2]), most)];
  if (!end) return [shortened(all, most)];
  return [all.slice(0, end).join("").trim(), all.slice(end).join("")];
}

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

// A seat in the ring: touch = looked at the sky last; drag = another place, out of the ring = gone;
// arrows and Delete too.
function seatProps({ name }, i) {
  const choose = () => chooseFirst(name);
  const { keydown: enter } = pressed(choose);
  const keydown = (event) => {
    const step = STEPS[event.key];
    const leaves = event.key === "Delete" || event.key === "Backspace";
    if (step || leaves) event.preventDefault();
    if (step) moveSeat(name, i + step);
    else if (leaves) standUp(name);
    else enter(event);
  };
  return {
    role: "button",
    tabindex: 0,
    "aria-pressed": String(ring.get().first === name),
    "aria-label": t("setup.seat", { name, n: i + 1 }),
    on: {
      click: () => !justDragged && choose(),
      keydown,
      pointerdown: (event, node) => startDrag(name, i, event, node),
      pointermove: drag,
      pointerup: endDrag,
      pointercancel: () => {
        dragging = null;
        ring.set({ dragged: null });
      },
    },
  };
}

let dragging = null;
let justDragged = false;

function startDrag(name, seat, event, node) {
  justDragged = false;
  dragging = { name, seat, x: event.clientX, y: event.clientY, far: false };
  if (node.setPointerCapture) node.setPointerCapture(event.pointerId);
}

// Where the finger is, in the window's units.
function unitsOf(event, node) {
  const box = node.ownerSVGElement.getBoundingClientRect();
  return {
    x: ((event.clientX - box.left) / box.width) * 1000 - 500,
    y: ((event.clientY - box.top) / box.height) * 1000 - 500,
  };
}

function drag(event, node) {
  if (!dragging) return;
  const moved = Math.abs(event.clientX - dragging.x) + Math.abs(event.clientY - dragging.y);
  if (!dragging.far && moved < DRAG_PX) return;
  dragging.far = true;
  ring.set({ dragged: Object.assign({ seat: dragging.seat }, unitsOf(event, node)) });
}

function endDrag(event, node) {
  const moved = dragging;
  dragging = null;
  if (!moved || !moved.far) return;
  justDragged = true;
  setTimeout(() => {
    justDragged = false;
  }, CLICK_AFTER_DRAG_MS);
  const { x, y } = unitsOf(event, node);
  const r = Math.sqrt(x * x + y * y);
  if (r < 280 || r > 560) {
    standUp(moved.name);
    return;
  }
  const n = ring.get().names.length;
  const turn = ((Math.atan2(y, x) * 180) / Math.PI - 90 + 720) % 360;
  moveSeat(moved.name, Math.round((turn / 360) * n) % n);
}
