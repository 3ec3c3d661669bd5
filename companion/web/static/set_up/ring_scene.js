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

const ROOM = 220; // units that a line of a name may take: thirteen letters, on a phone eight
const ROOM_CROWDED = 160; // seven letters, larger, round a phone's full table
const NAMES_APART = 24; // units between two names at one height
const RAISED = { 5: 0.5, 8: 0.5 }; // how much of it the left one is raised where two are parted

export function ringScene(evening) {
  const { names, first, dragged } = openRing(evening.board);
  const { watching } = screen.get();
  const phone = isPhone();
  const people = peopleOf(seated());
  const asked = watching ? "watch" : names.length < LEAST_PLAYERS ? "who" : "sky";
  const isAnswered = asked === "sky" && first !== null;
  const words = isAnswered ? answered(people, phone) : question(asked, people.length, phone);
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

// What the sky asks, and how it is answered.
function question(asked, n, phone) {
  const { lines, middle, low } = inTheSky(`setup.ask_${asked}`, n, phone);
  const words = stacked("ask", lines, middle, 70, 72, "asks");
  if (!phone || !n)
    words.push(skyText("hint", t(`setup.hint_${asked}`), { x: 0, y: low }, hintSize(phone)));
  return words;
}

// Who begins stands in the column then, with the sun at that seat; the sky says how it is changed.
function answered({ length: n }, phone) {
  const { lines, middle } = inTheSky("setup.hint_answered", n, phone);
  return stacked("answered", lines, middle, hintSize(phone), hintSize(phone) * 1.2);
}

function hintSize(phone) {
  return phone ? 46 : 34;
}

// The lines of these words and where they stand among the names of `n` people.
function inTheSky(key, n, phone) {
  const lines = t(key).split("\n");
  const at = (phone && LINES_ON_PHONE[n]) || LINES_AT[n];
  const [middle, low] = at || [-26, lines.length * 36 + 22];
  return { lines, middle, low };
}

function stacked(key, lines, middle, size, apart, cls) {
  return lines.map((line, i) => {
    const y = (i - (lines.length - 1) / 2) * apart + middle;
    return skyText(`${key}${i}`, line, { x: 0, y }, size, { cls });
  });
}

// The names before their seats, on two lines where they are long; two that face each other and are too
// wide for one height stand one below the other.
function seatNames(people, phone) {
  const n = people.length;
  const crowded = phone && n > 6;
  const size = crowded ? 44 : phone ? 54 : 34;
  const lines = people.map((person) => linesOf(person, size, crowded ? ROOM_CROWDED : ROOM));
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

function widest(lines, size) {
  return Math.max(...lines.map((line) => widthOf(line, size)));
}

let ink = null;

function widthOf(text, size) {
  ink = ink || document.createElement("canvas").getContext("2d");
  ink.font = `800 ${size}px "Alegreya Sans", "Noto Sans", sans-serif`;
  return ink.measureText(text).width;
}

// A name on one line where it has room, or on two that end where a word does; else shortened, in two lines
// where another name begins alike.
function linesOf({ name: whole, parts }, size, room) {
  const fits = (text) => widthOf(text, size) <= room;
  if (fits(whole)) return [whole];
  const all = lettersOf(whole);
  const halves = all
    .map((letter, at) => /[\s-]/.test(letter) && [all.slice(0, at + 1), all.slice(at + 1)])
    .filter(Boolean)
    .map((two) => two.map((half) => half.join("").trim()));
  const two = halves.find((both) => both.every(fits));
  if (two) return two;
  if (parts.length === 1) return [shortenedTo(all, fits)];
  return [shortenedTo(parts[0], fits), shortenedTo(parts[1].concat(parts[2]), fits)];
}

// As many of these letters as fit.
function shortenedTo(letters, fits) {
  let most = letters.length;
  while (most > 1 && !fits(shortened(letters, most))) most -= 1;
  return shortened(letters, most);
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
