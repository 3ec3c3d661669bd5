// The tablet: takes states from the line, keeps this screen's own choices, draws one page, sends commands.

import { h, patch } from "./vtree.js";
import { connect, get, send } from "./link.js";
import { keep, recall } from "./keep.js";
import { peopleOf } from "./people.js";
import { chooseLanguage, currentLanguage, has, loadLanguage, preferredLanguage, t } from "./words.js";
import { announce } from "./announce.js";
import { fit, refit } from "./fit.js";
import { guessLook, pausedLook, resultLook, secretLook, endLook } from "./looks.js";
import { roundWindow } from "./window.js";
import { toast as toastLine } from "./foot.js";
import { ribbon } from "./parts.js";
import { overColumn, pausedColumn, resultColumn } from "./after.js";
import { guessColumn, secretColumn } from "./column.js";
import { setupLook } from "./ring.js";
import { setupColumn } from "./setup.js";
import { ledgerPage } from "./ledger.js";
import { morePage } from "./more.js";
import { rulesPage } from "./rules.js";
import { cameraPage } from "./camera.js";
import { leave, lensPage } from "./lens.js";
import { screensPage } from "./screens.js";
import { picturesPage } from "./pictures.js";
import { printPage } from "./print.js";
import { pilesPage } from "./piles.js";
import { deckPage } from "./deck.js";
import { expertPage } from "./expert.js";
import { practiceFrame } from "./picture.js";
import { sounds } from "./sound.js";
import { stayAwake } from "./awake.js";
import { applyTheme, followTheme } from "./light.js";

const QUIET_MS = 650; // a second tap of the same finger lands on the next player's button: it is not meant
const RESULT_MS = 10000; // the result stays so long when a round was entered by hand; then the next one is waited for
const RESEND = { name: true, answer: true, camera: true, pause: true, resume: true, end: true, players: true, deck: true, learn_back: true, forget_back: true };

const app = {
  board: null,
  people: [],
  online: true,
  me: { role: "control", name: "" },
  version: "",
  ui: {
    picked: null,
    later: null,
    hand: false,
    naming: false,
    highlight: null,
    toast: null,
    setup: null,
    ledger: {},
    invite: null,
    devices: null,
    calibration: null,
    lens: null,
    print: null,
    piles: null,
    deckCheck: null,
    expert: null,
    again: null
  },
  day: false,
  side: Number(recall("side", "0")) || 0,
  watch: false,
  busy: false,
  quietUntil: 0,
  hasWord: has,
  onPick: null,
  set: function (patchUi) {
    Object.assign(app.ui, patchUi);
    draw();
  },
  command: command,
  say: (key) => toast(key),
  draw: draw,
  language: currentLanguage,
  page: pageName,
  go: (where) => {
    location.hash = where;
  },
  choose: function (name, value) {
    keep(name, value);
    if (name === "side") app.side = Number(value) || 0;
    if (name === "theme") applyTheme(app);
    draw();
  },
  chooseLanguage: (wanted) => chooseLanguage(wanted).then(draw)
};

const PAGES = {
  ledger: ledgerPage,
  more: morePage,
  rules: rulesPage,
  camera: cameraPage,
  lens: lensPage,
  screens: screensPage,
  print: printPage,
  piles: pilesPage,
  pictures: picturesPage,
  deck: deckPage,
  expert: expertPage
};
const LOOKS = {
  setup: setupLook,
  secret: secretLook,
  guessing: guessLook,
  result: resultLook,
  over: endLook,
  paused: pausedLook
};
const COLUMNS = {
  setup: setupColumn,
  secret: secretColumn,
  guessing: guessColumn,
  result: resultColumn,
  over: overColumn,
  paused: pausedColumn
};

function pageName() {
  const name = location.hash.replace("#", "");
  return PAGES[name] ? name : "";
}

let answeredAt = 0; // a state still under way when an answer came may be older than the answer

function receive(board) {
  if (app.board && board.version < app.board.version && Date.now() - answeredAt < 1000) return;
  const before = app.board;
  app.board = board;
  app.people = peopleOf(board.players);
  if (
    before &&
    before.round &&
    board.round &&
    (before.round.number !== board.round.number || before.round.attempt !== board.round.attempt)
  )
    app.ui.picked = null;
  if (board.phase !== "over") app.ui.piles = null;
  if (before && (before.phase !== board.phase || before.rounds.length !== board.rounds.length)) app.ui.again = null;
  if (before && before.phase !== board.phase) {
    app.ui.naming = false;
    app.ui.highlight = null;
  }
  if (before && !app.busy && wentOn(before, board)) settle(QUIET_MS);
  draw();
  announce(before, app);
  sounds(before, board);
}

// Somebody else, or the camera, went on: a finger on its way to a button meant the player before.
function wentOn(before, board) {
  const was = before.round || {};
  const now = board.round || {};
  return before.phase !== board.phase || was.number !== now.number || was.attempt !== now.attempt || was.turn !== now.turn;
}

function settle(ms) {
  app.quietUntil = Math.max(app.quietUntil, Date.now() + ms);
  setTimeout(draw, app.quietUntil - Date.now() + 10);
}

function draw() {
  if (!app.board) return;
  const host = document.getElementById("app");
  app.phone = window.matchMedia("(max-width: 600px)").matches;
  const name = pageName();
  const again = app.ui.again !== null && app.board.rounds.some((r) => r.number === app.ui.again && r.ending !== "open");
  const phase = again ? "result" : app.board.phase;
  if (name !== "lens") leave(app);
  app.byHand = app.ui.hand || ["off", "stopped", "searching", "waiting"].indexOf(app.board.camera.state) >= 0;
  app.onPick =
    phase === "guessing" && app.byHand && !app.watch ? (card) => app.set({ picked: app.ui.picked === card ? null : card }) : null;
  const classes = ["page", name ? "whole" : "table", "phase-" + phase, "n" + app.board.players.length];
  if (app.watch) classes.push("watching");
  if (app.byHand) classes.push("by-hand");
  if (!app.online) classes.push("offline");
  if (app.board.practice) classes.push("practice-on");
  if (app.busy || Date.now() < app.quietUntil) classes.push("settling");
  if (!name && app.ui.naming && !app.watch) classes.push("naming");
  if (!name && phase === "guessing" && app.board.question && app.ui.later !== app.board.question.id) classes.push("asking");
  const main = name
    ? PAGES[name](app)
    : [
        h("div", { key: "window", class: "window-box" }, roundWindow(LOOKS[phase](app)), practiceFrame(app)),
        h("main", { key: "column", class: "column" }, COLUMNS[phase](app))
      ];
  patch(host, [h("div", { key: "page", class: classes.join(" ") }, shapes(), main, name ? toastLine(app) : null, ribbon(app.board))]);
  document.title = title();
  fit(host);
}

// The round cut-out that every picture of a card uses, in the window and in the text.
function shapes() {
  return h(
    "svg",
    { key: "shapes", class: "unseen", width: 0, height: 0, "aria-hidden": "true" },
    h("defs", {}, h("clipPath", { id: "disc", clipPathUnits: "objectBoundingBox" }, h("circle", { cx: 0.5, cy: 0.5, r: 0.5 })))
  );
}

function title() {
  const round = app.board.round;
  const turn = round && round.turn !== null && app.people[round.turn];
  return (turn && app.board.phase === "guessing" ? app.people[round.turn].name + " – " : "") + "Cloud Mine Companion";
}

let toastTimer = null;
function toast(key, params) {
  clearTimeout(toastTimer);
  app.ui.toast = { key: key, params: params || {} };
  document.getElementById("alert").textContent = t(key, params);
  toastTimer = setTimeout(() => app.set({ toast: null }), 7000);
  draw();
}

function command(what, again) {
  const now = Date.now();
  if (app.watch || (!again && (app.busy || now < app.quietUntil))) return Promise.resolve(false);
  app.busy = true;
  return send(app.board.version, what)
    .then((answer) => {
      app.busy = false;
      settle(what.do === "wrong" || what.do === "right" || what.do === "laid" || what.do === "undo" ? QUIET_MS : 150);
      if (answer.body.scoreboard) {
        answeredAt = 0;
        receive(answer.body.scoreboard);
        answeredAt = Date.now();
      }
      if (answer.status === 200) {
        leaveResultLater();
        return true;
      }
      if (answer.status === 409 && RESEND[what.do] && !again) return command(what, true);
      if (answer.status === 409) toast("said.stale");
      else if (answer.status === 401) location.reload();
      else toast(has("refused." + answer.body.reason) ? "refused." + answer.body.reason : "refused.any", answer.body.params);
      return false;
    })
    .catch(() => {
      app.busy = false;
      toast("said.unsent");
      return false;
    });
}

// By touch nobody should have to tap a result away: the tablet that entered it goes on by itself.
let leaving = null;
function leaveResultLater() {
  clearTimeout(leaving);
  const version = app.board.version;
  if (app.board.phase !== "result" || !app.byHand) return;
  leaving = setTimeout(() => {
    if (app.board.phase === "result" && app.board.version === version && !pageName()) command({ do: "next" });
  }, RESULT_MS);
}

function begin() {
  followTheme(app);
  app.watch = /[?&](watch|tv)\b/.test(location.search);
  window.addEventListener("hashchange", () => {
    if (pageName()) app.ui.again = null;
    draw();
    window.scrollTo(0, 0);
  });
  window.addEventListener("resize", draw);
  const anew = () => {
    refit();
    draw();
  };
  window.addEventListener("load", anew);
  if (document.fonts && document.fonts.addEventListener) document.fonts.addEventListener("loadingdone", anew);
  else setTimeout(anew, 1500);
  Promise.all([loadLanguage(preferredLanguage()), get("/api/hello").catch(() => null)]).then((both) => {
    if (both[1]) {
      app.me = both[1].device;
      app.version = both[1].version;
    }
    if (app.me.role === "watch") app.watch = true;
    connect(receive, (up) => {
      const was = app.online;
      app.online = up;
      draw();
      if (was && !up)
        document.getElementById("alert").textContent = t(
          app.board && app.board.camera.state === "off" ? "lost.by_hand" : "lost.camera"
        );
      if (!was && up) {
        document.getElementById("alert").textContent = "";
        document.getElementById("say").textContent = t("said.back");
      }
    });
    stayAwake();
  });
}

begin();
