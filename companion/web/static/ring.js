// Set-up in the window: the ring of people, touched and dragged into place; who looked at the sky last.
//
// The ring is this tablet's own until "Begin"; then it becomes the evening's.

import { onRim, peopleOf, seatAngle } from "./people.js";
import { base, pressed } from "./looks.js";
import { skyText } from "./window.js";
import { get } from "./link.js";
import { recall } from "./keep.js";
import { currentLanguage, t } from "./words.js";

export const MOST = 8;

export function ring(app) {
  if (!app.ui.setup) {
    app.ui.setup = {
      names: [],
      first: null,
      edition: recall("edition", currentLanguage()),
      handling: recall("handling", "auto"),
      deck: app.board.deck_size || 80,
      adding: false,
      twice: null,
      known: [],
      dragged: null
    };
    if (!app.watch)
      get("/api/people")
        .then((answer) => change(app, { known: answer.people }))
        .catch(() => undefined);
  }
  return app.ui.setup;
}

export function change(app, what) {
  Object.assign(app.ui.setup, what);
  app.draw();
}

// A name as it is kept: 40 letters at most, no spaces but single ones inside, nothing that cannot be seen (what joins an
// emoji or a Persian word stays).
export function tidy(name) {
  return name.replace(/[\u00ad\u200b\u2060\ufeff]/g, "").replace(/\s+/g, " ").trim().slice(0, 40);
}

// True for two ways to write one name: "Ada" and "ada", as the table compares them at "Begin".
export function same(a, b) {
  const plain = (name) => tidy(name).normalize("NFC").toUpperCase().toLowerCase();
  return plain(a) === plain(b);
}

// Sit somebody down; "twice" when that name sits there already, "" when there is nothing to add, else "added".
export function add(app, name, adding) {
  const set = app.ui.setup;
  const clean = tidy(name);
  if (!clean || set.names.length >= MOST) return "";
  if (set.names.some((other) => same(other, clean))) return "twice";
  const names = set.names.concat([clean]);
  change(app, { names: names, adding: !!adding && names.length < MOST, twice: null });
  return "added";
}

function drop(app, name) {
  const set = app.ui.setup;
  const known = set.known.indexOf(name) < 0 ? [name].concat(set.known) : set.known;
  change(app, {
    names: set.names.filter((n) => n !== name),
    first: set.first === name ? null : set.first,
    known: known,
    dragged: null
  });
}

function moveTo(app, name, index) {
  const names = app.ui.setup.names.filter((n) => n !== name);
  const n = names.length + 1;
  names.splice(((index % n) + n) % n, 0, name);
  change(app, { names: names, dragged: null });
}

// Where the question's middle and the hint stand, in units, so that no seat's name is in the way: by the number of people.
const ROOM = { 4: [-108, 92], 5: [-110, 6], 7: [56, 146], 8: [-108, 92] };

export function setupLook(app) {
  const set = ring(app);
  const look = base(app);
  look.people = peopleOf(set.names.map((name, i) => ({ name: name, seat: i, cards: 0, away: false })));
  look.side = 0;
  look.scores = false;
  look.daydreamer = null;
  look.lookout = null;
  look.sun = set.first === null ? null : set.names.indexOf(set.first);
  look.dragged = set.dragged;
  const few = set.names.length < 3;
  const lines = t(app.watch ? "setup.ask_watch" : few ? "setup.ask_who" : "setup.ask_sky").split("\n");
  const room = ROOM[look.people.length] || [-26, lines.length * 36 + 22];
  look.words = lines
    .map((line, i) => skyText("ask" + i, line, 0, (i - (lines.length - 1) / 2) * 72 + room[0], 70, 0, "asks"))
    .concat(
      app.phone && look.people.length
        ? []
        : [
            skyText(
              "hint",
              t(app.watch ? "setup.hint_watch" : few ? "setup.hint_who" : "setup.hint_sky"),
              0,
              room[1],
              app.phone ? 46 : 34,
              0
            )
          ]
    )
    .concat(look.people.map((p, i) => seatName(app, p, i, look.people.length)));
  if (!app.watch) look.seatProps = (person, i) => seatProps(app, person, i);
  return look;
}

function seatName(app, person, i, n) {
  const most = app.phone ? (n > 6 ? 5 : 8) : 13;
  const angle = seatAngle(i, n, 0);
  const at = onRim(angle, 316);
  const side = Math.cos((angle * Math.PI) / 180);
  const node = skyText(
    "name-" + person.name,
    person.name.length > most
      ? Array.from(person.name)
          .slice(0, most - 1)
          .join("") + "…"
      : person.name,
    at.x.toFixed(0),
    at.y.toFixed(0),
    app.phone ? 54 : 34,
    0,
    "strong"
  );
  node.props["text-anchor"] = side < -0.3 ? "start" : side > 0.3 ? "end" : "middle";
  return node;
}

// A seat in the ring: touch = looked at the sky last; drag = another place, out of the ring = gone; arrows and Delete too.
function seatProps(app, person, i) {
  const set = app.ui.setup;
  const on = pressed(() => change(app, { first: person.name }));
  const enter = on.keydown;
  on.keydown = (event) => {
    if (event.key === "ArrowLeft" || event.key === "ArrowUp") {
      event.preventDefault();
      moveTo(app, person.name, i - 1);
    } else if (event.key === "ArrowRight" || event.key === "ArrowDown") {
      event.preventDefault();
      moveTo(app, person.name, i + 1);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      drop(app, person.name);
    } else enter(event);
  };
  on.pointerdown = (event, node) => startDrag(app, person.name, i, event, node);
  on.pointermove = (event, node) => drag(app, event, node);
  on.pointerup = (event, node) => endDrag(app, event, node);
  on.pointercancel = () => {
    dragging = null;
    change(app, { dragged: null });
  };
  on.click = () => {
    if (!justDragged) change(app, { first: person.name });
  };
  return {
    role: "button",
    tabindex: 0,
    "aria-pressed": set.first === person.name ? "true" : "false",
    "aria-label": t("setup.seat", { name: person.name, n: i + 1 }),
    on: on
  };
}

let dragging = null;
let justDragged = false;

function startDrag(app, name, seat, event, node) {
  justDragged = false;
  dragging = { name: name, seat: seat, x: event.clientX, y: event.clientY, far: false };
  if (node.setPointerCapture) node.setPointerCapture(event.pointerId);
}

function unitsOf(event, node) {
  const svg = node.ownerSVGElement;
  const box = svg.getBoundingClientRect();
  return { x: ((event.clientX - box.left) / box.width) * 1000 - 500, y: ((event.clientY - box.top) / box.height) * 1000 - 500 };
}

function drag(app, event, node) {
  if (!dragging) return;
  if (!dragging.far && Math.abs(event.clientX - dragging.x) + Math.abs(event.clientY - dragging.y) < 14) return;
  dragging.far = true;
  const at = unitsOf(event, node);
  change(app, { dragged: { seat: dragging.seat, x: at.x, y: at.y } });
}

function endDrag(app, event, node) {
  const moved = dragging;
  dragging = null;
  if (!moved || !moved.far) return;
  justDragged = true;
  setTimeout(() => {
    justDragged = false;
  }, 50);
  const at = unitsOf(event, node);
  const r = Math.sqrt(at.x * at.x + at.y * at.y);
  if (r < 280 || r > 560) {
    drop(app, moved.name);
    return;
  }
  const n = app.ui.setup.names.length;
  const turn = ((Math.atan2(at.y, at.x) * 180) / Math.PI - 90 + 720) % 360;
  moveTo(app, moved.name, Math.round((turn / 360) * n) % n);
}
