// From the scoreboard to what the window shows: one "look" for each phase. Reads the board, decides no rule.

import { h } from "./vtree.js";
import { cloud, emptyPlace, harvest, ownersOf } from "./clouds.js";
import { cloudSize, gathered, grid, onMoon, pushedApart, sunflower, toUnits } from "./places.js";
import { outcome, shownRound } from "./consequence.js";
import { onRim, peopleOf, seatAngle } from "./people.js";
import { hour } from "./sky.js";
import { hoursFor, skyText } from "./window.js";
import { t } from "./words.js";

// Where each cloud of the round lay last: places of clouds that left stay as dotted circles.
const memory = { round: 0, places: {}, order: [] };

export function facesDown(board) {
  return board.handling === "face-down" || (board.handling === "auto" && board.edition === "de");
}

export function base(app) {
  const board = app.board;
  const round = board.round;
  const over = board.phase === "over";
  const t1 = over ? 1 : round ? hour(round.number, round.of) : 0;
  return {
    cls: "",
    people: peopleOf(board.players),
    side: app.side % Math.max(1, board.players.length),
    day: app.day,
    phone: app.phone,
    page: app.day ? "#E2EBF1" : "#1A1730",
    t: t1,
    hours: hoursFor(t1),
    sun: null,
    scores: true,
    winners: [],
    ledgeAway: facesDown(board) ? 34 : 112,
    daydreamer: round ? round.daydreamer : null,
    lookout: round ? round.lookout : null,
    closed: false,
    handover: null,
    clouds: [],
    empties: [],
    rings: [],
    words: [],
    label: "",
    title: t("window.title"),
    dimmed: null
  };
}

export function secretLook(app) {
  const look = base(app);
  const round = app.board.round;
  return Object.assign(look, { closed: true, handover: round.draw, sun: round.daydreamer, label: t(app.board.practice ? "label.secret_practice" : "label.secret") });
}

export function guessLook(app) {
  const look = base(app);
  const board = app.board;
  const round = board.round;
  const angles = look.people.map((p, i) => seatAngle(i, look.people.length, look.side));
  const lying = remember(round, look);
  const size = cloudSize(memory.order.length || round.expected);
  const down = facesDown(board);
  const ledge = { angle: seatAngle(round.daydreamer, look.people.length, look.side), away: look.ledgeAway };
  const keys = memory.order;
  const spots = {};
  pushedApart(
    keys.map((k) => toUnits(memory.places[k], (-360 * look.side) / look.people.length)),
    size,
    angles,
    ledge
  ).forEach((p, i) => {
    spots[keys[i]] = p;
  });
  const wrong = {};
  round.guesses.forEach((g) => {
    if (!g.right && g.card !== null) wrong[g.card] = true;
  });
  const turn = (-360 * look.side) / look.people.length;
  const here = {};
  lying.forEach((c) => {
    here[c.key] = true;
    look.clouds.push(
      cloud(
        c.key,
        c.card,
        spots[c.key],
        size,
        (c.heading_deg || 0) + turn,
        c.down || (down && wrong[c.card]) ? "down" : "up",
        c.down ? {} : pickable(app, c)
      )
    );
  });
  const aside = round.tray
    .map((c, i) => ({ card: c.card, key: c.card === null ? "t" + i : "c" + c.card }))
    .filter((c) => !here[c.key] && !(down && c.card === null));
  const moonPlaces = onMoon(aside.length, ledge.angle);
  aside.forEach((c, i) => {
    if (down && spots[c.key]) look.clouds.push(cloud(c.key, c.card, spots[c.key], size, turn, "down"));
    else look.clouds.push(cloud(c.key, c.card, moonPlaces[i], 98, 0, down ? "down" : "small"));
    here[c.key] = true;
  });
  keys.forEach((k) => {
    if (!lying.some((c) => c.key === k) && !(down && here[k])) look.empties.push(emptyPlace("e" + k, spots[k], size));
  });
  look.clouds.sort((a, b) => (a.key < b.key ? -1 : 1));
  look.rings = rings(app, spots, size, look, turn);
  look.sun = round.turn;
  look.label = t("label.guess", { n: lying.filter((c) => !c.down).length, aside: round.tray.length });
  if (app.onPick) look.label = "";
  return look;
}

function remember(round, look) {
  if (memory.round !== round.number) {
    memory.round = round.number;
    memory.places = {};
    memory.order = [];
  }
  const loose = grid(Math.max(round.middle.length, round.expected || 0));
  const lying = round.middle.map((c, i) =>
    Object.assign({ key: c.card === null || c.card === undefined ? "u" + i : "c" + c.card }, c)
  );
  lying.forEach((c, i) => {
    const old = memory.places[c.key];
    const at = c.x === null || c.x === undefined ? old || loose[i] : c;
    if (!old) memory.order.push(c.key);
    if (!old || Math.abs(old.x - at.x) + Math.abs(old.y - at.y) > 0.05) memory.places[c.key] = { x: at.x, y: at.y };
  });
  const named = lying.some((c) => c.key[0] === "c");
  memory.order = memory.order.filter((k) => k[0] !== "u" || !named || lying.some((c) => c.key === k));
  return lying;
}

// By hand, a touched cloud is the one the next "wrong" or "right" is about.
function pickable(app, c) {
  if (!app.onPick || c.card === null || c.card === undefined) return {};
  const picked = app.ui.picked === c.card;
  return { cls: "touchable" + (picked ? " picked" : ""), on: { click: () => app.onPick(c.card) } };
}

function rings(app, spots, size, look, turn) {
  const out = [];
  const question = app.board.question;
  if (question && app.ui.later !== question.id) {
    let at = question.card !== null && question.card !== undefined ? spots["c" + question.card] : null;
    if (!at && question.at) at = toUnits(question.at, turn);
    if (at)
      out.push(
        h(
          "g",
          { key: "ring" },
          h("circle", { class: "casing", cx: at.x, cy: at.y, r: size / 2 + 10 }),
          h("circle", { class: "ring", cx: at.x, cy: at.y, r: size / 2 + 10 })
        )
      );
  }
  const picked = app.ui.picked !== null && spots["c" + app.ui.picked];
  if (picked)
    out.push(
      h(
        "g",
        { key: "picked" },
        h("circle", { class: "casing", cx: picked.x, cy: picked.y, r: size / 2 + 8 }),
        h("circle", { class: "ring pale", cx: picked.x, cy: picked.y, r: size / 2 + 8 })
      )
    );
  return out;
}

export function resultLook(app) {
  const look = base(app);
  const round = shownRound(app);
  look.ledgeAway = 34;
  if (!round) return look;
  const last = outcome(round);
  if (app.ui.again !== null) look.t = hour(round.number, app.board.round.of);
  look.hours = hoursFor(look.t);
  look.daydreamer = round.daydreamer;
  look.lookout = round.lookout;
  look.sun = last.seat;
  const owned = ownersOf(round);
  const seats = look.people.map((p, i) => i).filter((i) => owned.some((o) => o.seat === i));
  seats.sort((a, b) => (a === last.seat ? -1 : b === last.seat ? 1 : 0));
  const groups = seats.map((seat) => ({
    seat: seat,
    angle: seatAngle(seat, look.people.length, look.side),
    count: owned.filter((o) => o.seat === seat).length
  }));
  const set = gathered(groups);
  groups.forEach((group, g) => {
    owned
      .filter((o) => o.seat === group.seat)
      .forEach((own, i) => {
        const key = own.card === null ? "u" + round.cards.indexOf(own.card) + g + i : "c" + own.card;
        look.clouds.push(
          cloud(key, own.card, set.places[g][i], set.size, 0, "small", { style: { "transition-delay": i * 60 + "ms" } })
        );
      });
    const p = onRim(set.centres[g], groups.length === 1 ? 0 : 112);
    look.words.push(
      skyText(
        "gain" + group.seat,
        "+" + group.count,
        p.x.toFixed(0),
        p.y.toFixed(0),
        groups.length === 1 ? 150 : 104,
        look.t,
        "strong"
      )
    );
  });
  look.clouds.sort((a, b) => (a.key < b.key ? -1 : 1));
  look.label = t("label.result");
  return look;
}

export function endLook(app) {
  const look = base(app);
  const all = harvest(app.board.rounds);
  const set = sunflower(all.length);
  look.daydreamer = null;
  look.lookout = null;
  look.winners = app.board.winners || [];
  look.dimmed = app.ui.highlight === null ? null : app.ui.highlight + 1;
  look.clouds = all.map((c, i) =>
    cloud(c.key, c.card, set.places[i], set.size, 0, "small", {
      cls: "won" + (app.ui.highlight !== null && app.ui.highlight !== c.seat ? " faint" : ""),
      style: { "animation-delay": i * 30 + "ms" }
    })
  );
  look.seatProps = (person) => ({
    role: "button",
    tabindex: 0,
    "aria-pressed": app.ui.highlight === person.seat ? "true" : "false",
    "aria-label": t("label.highlight", { name: person.name, n: person.cards }),
    on: pressed(() => app.set({ highlight: app.ui.highlight === person.seat ? null : person.seat }))
  });
  return look;
}

export function pausedLook(app) {
  const look = base(app);
  look.closed = true;
  look.label = t("label.paused");
  return look;
}

// Click, Enter and space for something drawn.
export function pressed(act) {
  return {
    click: act,
    keydown: (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        act(event);
      }
    }
  };
}
