// Set-up: who sits where, who looked at the sky last, which deck and rules, what the camera says. Under a minute.
//
// The ring is this tablet's own until "Begin"; then it becomes the evening's.

import { h } from "./vtree.js";
import { badge, onRim, peopleOf, seatAngle } from "./people.js";
import { button, notice, practiceLine, textButton } from "./parts.js";
import { base, pressed } from "./looks.js";
import { skyText } from "./window.js";
import { livePicture } from "./picture.js";
import { get } from "./link.js";
import { keep, recall } from "./keep.js";
import { currentLanguage, say, t } from "./words.js";

const MOST = 8;
const EDITIONS = ["en", "de", "cs"];
const HANDLINGS = ["auto", "tray", "away", "face-down"];

function ring(app) {
  if (!app.ui.setup) {
    app.ui.setup = { names: [], first: null, edition: recall("edition", currentLanguage()), handling: recall("handling", "auto"), deck: app.board.deck_size || 80, adding: false, known: [], dragged: null };
    if (!app.watch) get("/api/people").then((answer) => change(app, { known: answer.people })).catch(() => undefined);
  }
  return app.ui.setup;
}

function change(app, what) {
  Object.assign(app.ui.setup, what);
  app.draw();
}

function add(app, name) {
  const set = app.ui.setup;
  const clean = name.replace(/\s+/g, " ").trim().slice(0, 40);
  if (!clean || set.names.length >= MOST || set.names.indexOf(clean) >= 0) return false;
  change(app, { names: set.names.concat([clean]), adding: false });
  return true;
}

function drop(app, name) {
  const set = app.ui.setup;
  const known = set.known.indexOf(name) < 0 ? [name].concat(set.known) : set.known;
  change(app, { names: set.names.filter((n) => n !== name), first: set.first === name ? null : set.first, known: known, dragged: null });
}

function moveTo(app, name, index) {
  const names = app.ui.setup.names.filter((n) => n !== name);
  const n = names.length + 1;
  names.splice(((index % n) + n) % n, 0, name);
  change(app, { names: names, dragged: null });
}

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
  look.words = lines.map((line, i) => skyText("ask" + i, line, 0, (i - (lines.length - 1) / 2) * 72 - 26, 70, 0, "asks"))
    .concat(app.phone && look.people.length ? [] : [skyText("hint", t(app.watch ? "setup.hint_watch" : few ? "setup.hint_who" : "setup.hint_sky"), 0, lines.length * 36 + 22, app.phone ? 46 : 34, 0)])
    .concat(look.people.map((p, i) => seatName(app, p, i, look.people.length)));
  if (!app.watch) look.seatProps = (person, i) => seatProps(app, person, i);
  return look;
}

function seatName(app, person, i, n) {
  const most = app.phone ? (n > 6 ? 5 : 8) : 13;
  const angle = seatAngle(i, n, 0);
  const at = onRim(angle, 316);
  const side = Math.cos((angle * Math.PI) / 180);
  const node = skyText("name-" + person.name, person.name.length > most ? Array.from(person.name).slice(0, most - 1).join("") + "…" : person.name, at.x.toFixed(0), at.y.toFixed(0), app.phone ? 54 : 34, 0, "strong");
  node.props["text-anchor"] = side < -0.3 ? "start" : side > 0.3 ? "end" : "middle";
  return node;
}

// A seat in the ring: touch = looked at the sky last; drag = another place, out of the ring = gone; arrows and Delete too.
function seatProps(app, person, i) {
  const set = app.ui.setup;
  const on = pressed(() => change(app, { first: person.name }));
  const enter = on.keydown;
  on.keydown = (event) => {
    if (event.key === "ArrowLeft" || event.key === "ArrowUp") { event.preventDefault(); moveTo(app, person.name, i - 1); }
    else if (event.key === "ArrowRight" || event.key === "ArrowDown") { event.preventDefault(); moveTo(app, person.name, i + 1); }
    else if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); drop(app, person.name); }
    else enter(event);
  };
  on.pointerdown = (event, node) => startDrag(app, person.name, i, event, node);
  on.pointermove = (event, node) => drag(app, event, node);
  on.pointerup = (event, node) => endDrag(app, event, node);
  on.pointercancel = () => { dragging = null; change(app, { dragged: null }); };
  on.click = () => { if (!justDragged) change(app, { first: person.name }); };
  return { role: "button", tabindex: 0, "aria-pressed": set.first === person.name ? "true" : "false", "aria-label": t("setup.seat", { name: person.name, n: i + 1 }), on: on };
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
  setTimeout(() => { justDragged = false; }, 50);
  const at = unitsOf(event, node);
  const r = Math.sqrt(at.x * at.x + at.y * at.y);
  if (r < 280 || r > 560) { drop(app, moved.name); return; }
  const n = app.ui.setup.names.length;
  const turn = ((Math.atan2(at.y, at.x) * 180) / Math.PI - 90 + 720) % 360;
  moveTo(app, moved.name, Math.round((turn / 360) * n) % n);
}

export function setupColumn(app) {
  const set = ring(app);
  if (app.watch) return [h("div", { key: "head", class: "head" }, h("h1", { key: "watch", class: "fit instruct", "data-steps": "4.25 3.5 3" }, t("setup.watch_title")), h("p", { class: "second" }, t("setup.watch_why"))), h("div", { key: "low", class: "low" })];
  const few = set.names.length < 3;
  const ready = !few && set.first !== null;
  const head = few ? [t("setup.gather"), t("setup.gather_why")] : set.first === null ? [t("setup.who_begins"), t("setup.who_begins_why")] : [say("setup.begins", { name: set.first }), t("setup.begins_why")];
  return [h("div", { key: "head", class: "head top" }, h("h1", { key: "begins", class: "fit instruct", "data-steps": "4.25 3.5 3 2.5 2.125" }, head[0]), h("p", { class: "second soft" }, head[1]), app.ui.toast ? h("p", { class: "toast" }, say(app.ui.toast.key, app.ui.toast.params)) : null),
    whoElse(app, set), settings(app, set), h("footer", { key: "buttons", class: "buttons" },
      button("begin", t("setup.begin"), () => begin(app), { cls: "primary wide", disabled: !ready }), button("more", null, () => app.go("more"), { sign: "more", cls: "bare", label: t("more") }))];
}

function begin(app) {
  const set = app.ui.setup;
  keep("edition", set.edition);
  keep("handling", set.handling);
  app.command({ do: "begin", players: set.names, daydreamer: set.names.indexOf(set.first), edition: set.edition, deck_size: set.deck, handling: set.handling });
}

function whoElse(app, set) {
  const absent = set.known.filter((n) => set.names.indexOf(n) < 0).slice(0, 12);
  const shapes = peopleOf(set.names.concat(absent).slice(0, MOST).map((name) => ({ name: name })));
  const full = set.names.length >= MOST;
  return h("section", { key: "who", class: "who-else" }, h("h2", {}, t(set.names.length ? "setup.who_else" : "setup.who")),
    full ? h("p", { class: "soft" }, t("setup.full")) : h("div", { class: "chips" },
      absent.map((name) => h("button", { key: "chip-" + name, type: "button", class: "chip", on: { click: () => add(app, name) } }, shapes.some((s) => s.name === name) ? badge(shapes.find((s) => s.name === name)) : null, h("bdi", { class: "name" }, name))),
      set.adding ? newPlayer(app) : h("button", { key: "new", type: "button", class: "chip", on: { click: () => change(app, { adding: true }) } }, t("setup.new"))),
    set.names.length ? h("p", { class: "soft hint" }, t("setup.drag")) : null);
}

function newPlayer(app) {
  const submit = (event) => {
    event.preventDefault();
    const field = event.target.elements.player;
    if (add(app, field.value)) { field.value = ""; change(app, { adding: app.ui.setup.names.length < MOST }); field.focus(); }
  };
  return h("form", { key: "newform", class: "new-form", on: { submit: submit } },
    h("input", { name: "player", class: "player-input", "aria-label": t("setup.name"), placeholder: t("setup.name"), maxlength: 40, autocomplete: "off", enterkeyhint: "done", dir: "auto", born: (node) => node.focus(), on: { keydown: (e) => { if (e.key === "Escape") change(app, { adding: false }); } } }),
    h("button", { type: "submit", class: "chip" }, t("setup.add")));
}

function choice(key, label, value, options, act) {
  return h("div", { key: key, class: "row" }, h("label", { for: "set-" + key }, label), h("select", { id: "set-" + key, on: { change: (e) => act(e.target.value) } },
    options.map((o) => h("option", { key: o[0], value: o[0], selected: o[0] === value }, o[1]))));
}

function settings(app, set) {
  const step = (by) => change(app, { deck: Math.max(8, Math.min(99, set.deck + by)) });
  return h("section", { key: "settings", class: "settings" },
    h("div", { key: "deck", class: "row" }, h("span", { id: "deck-label" }, t("setup.deck")), h("span", { class: "stepper", role: "group", "aria-labelledby": "deck-label" },
      h("button", { type: "button", key: "less", class: "round", "aria-label": t("setup.fewer"), on: { click: () => step(-1) } }, "−"), h("strong", { key: "n", "aria-live": "polite" }, t("setup.clouds", { n: set.deck })),
      h("button", { type: "button", key: "plus", class: "round", "aria-label": t("setup.more_cards"), on: { click: () => step(1) } }, "+"))),
    choice("edition", t("setup.rules"), set.edition, EDITIONS.map((e) => [e, t("edition." + e)]), (value) => change(app, { edition: value })),
    choice("handling", t("setup.handling"), set.handling, HANDLINGS.map((k) => [k, t("handling." + k + (k === "auto" ? "_" + (set.edition === "de" ? "de" : "en") : ""))]), (value) => change(app, { handling: value })),
    cameraRow(app));
}

function cameraRow(app) {
  const state = app.board.camera.state;
  const sees = state === "live" || state === "practice";
  const note = notice(app);
  return h("a", { key: "camera", class: "camera-row", href: "#camera" }, sees ? livePicture("setup-live", 320, "small", "") : null,
    h("span", {}, h("strong", {}, t("camera." + state)), h("span", { class: "soft" }, note || (app.board.practice ? t("practice.why") : t("camera." + state + "_why")))));
}
