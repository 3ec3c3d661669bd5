// Where the page begins: which page or phase is drawn by what, the drawing itself, and the line to
// the table.

import { cameraPage } from "./camera/camera_page.js";
import { lensPage } from "./camera/lens_page.js";
import { leaveCamera, PHONE_CAMERA_PAGE } from "./camera/phone_camera.js";
import { phonePage } from "./camera/phone_page.js";
import { isSettling } from "./core/commands.js";
import { evening, receiveScoreboard } from "./core/evening.js";
import { html } from "./core/html.js";
import { get } from "./core/requests.js";
import { setRoundSizes } from "./core/round_sizes.js";
import { currentPage, definePages, drawingOf, onStep, tellFollowers } from "./core/route.js";
import { drawWith, redraw } from "./core/store.js";
import { connect } from "./core/stream.js";
import { titleOfPage } from "./core/title.js";
import { toastLine } from "./core/toast.js";
import { patch } from "./core/tree.js";
import { loadLanguage, preferredLanguage } from "./core/words.js";
import { endColumn, endScene } from "./evening_end/end.js";
import { picturesPage } from "./evening_end/pictures_page.js";
import { pilesPage } from "./evening_end/piles_page.js";
import { ledgerPage } from "./ledger/ledger_page.js";
import { askAboutNames, hallLinkPage } from "./pages/hall_link_page.js";
import { eveningPage, morePage, seatsPage } from "./pages/more_page.js";
import { privacyPage } from "./pages/privacy_page.js";
import { recordingMark, recordingPage } from "./pages/recording_page.js";
import { rulesPage } from "./pages/rules_page.js";
import { screensPage } from "./pages/screens_page.js";
import { cardCutOut } from "./parts/cards.js";
import { latePage } from "./parts/late_pages.js";
import { isAsking, questionColumn } from "./questions/question.js";
import { isByHand } from "./round/by_hand.js";
import { isNaming } from "./round/cloud_name.js";
import { guessingColumn } from "./round/guessing.js";
import { guessingScene } from "./round/guessing_scene.js";
import { isLookedAtAgain, lookedAt } from "./round/outcome.js";
import { pausedColumn, pausedScene } from "./round/paused.js";
import { practiceFrame } from "./round/practice.js";
import { resultColumn } from "./round/result.js";
import { resultScene } from "./round/result_scene.js";
import { secretColumn, secretScene } from "./round/secret.js";
import { ribbon } from "./round/standings.js";
import { announceLine } from "./screen/announce.js";
import { fitText, forgetMeasures } from "./screen/fitted_text.js";
import { followTheme } from "./screen/theme.js";
import { introduce, screen } from "./screen/this_screen.js";
import { stayAwake } from "./screen/wake_lock.js";
import { setUpColumn } from "./set_up/column.js";
import { isSetUpAnew, morningOf } from "./set_up/ring.js";
import { ringScene } from "./set_up/ring_scene.js";
import { stillsMark } from "./stills/stills.js";
import { roundWindow } from "./window/window.js";

// Whole pages, by what stands after # in the address.
definePages({
  ledger: ledgerPage,
  more: morePage,
  evening: eveningPage,
  seats: seatsPage,
  evenings: latePage("evenings", "years/book_page.js"),
  kept: latePage("kept", "years/kept_page.js"),
  findings: latePage("findings", "years/findings_page.js"),
  rules: rulesPage,
  privacy: privacyPage,
  recording: recordingPage,
  stills: latePage("stills", "stills/stills_page.js"),
  camera: cameraPage,
  [PHONE_CAMERA_PAGE]: phonePage,
  screens: screensPage,
  hall: hallLinkPage,
  print: latePage("print", "print/print_page.js"),
  piles: pilesPage,
  pictures: picturesPage,
  deck: latePage("deck", "deck_check/deck_page.js"),
  learn: latePage("learn", "learnt_decks/learn_page.js"),
  expert: lensPage,
});

// The table, by phase: what the window shows, and the column beside it.
const PHASES = {
  setup: [ringScene, setUpColumn],
  secret: [secretScene, secretColumn],
  guessing: [guessingScene, guessingColumn],
  result: [resultScene, resultColumn],
  over: [endScene, endColumn],
  paused: [pausedScene, pausedColumn],
};

function draw() {
  const now = evening.get();
  const { board } = now;
  if (!board) return;
  const host = document.getElementById("app");
  const page = currentPage();
  const phase = shownPhase(board);
  if (page !== PHONE_CAMERA_PAGE) leaveCamera();
  const held = document.activeElement;
  patch(
    host,
    html`
      <div key="page" class=${pageClasses(now, page, phase)}>
        ${cardCutOut()}
        ${page ? drawingOf(page)(now) : table(now, phase)}
        ${page && toastLine()}
        ${ribbon(phase === "setup" ? morningOf(board) : board)}
      </div>`
  );
  document.title = page ? titleOfPage() : title(now);
  fitText(host);
  const isLost = held && !held.isConnected && document.activeElement === document.body;
  if (isLost) focusPage();
}

// Whose button is gone goes on where its page begins, not at the head of the document.
function focusPage() {
  const main = document.querySelector("main");
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

function shownPhase(board) {
  if (isLookedAtAgain(board)) return "result";
  return isSetUpAnew(board) ? "setup" : board.phase;
}

function table(now, phase) {
  const [scene, phaseColumn] = PHASES[phase];
  const column = isAsking(now.board) ? questionColumn : phaseColumn;
  return html`
    <div key="window" class="window-box">${roundWindow(scene(now))}${practiceFrame(now.board)}${recordingMark(now.board)}${stillsMark(now.board)}</div>
    <main key="column" class="column">${column(now)}</main>`;
}

// What the style sheets know of the state.
function pageClasses({ board, online }, page, phase) {
  return [
    "page",
    page ? "whole" : "table",
    `phase-${phase}`,
    `n${board.players.length}`,
    screen.get().watching && "watching",
    isByHand(board) && "by-hand",
    !online && "offline",
    board.practice && "practice-on",
    isSettling() && "settling",
    !page && isNaming() && "naming",
    !page && isAsking(board) && "asking",
  ];
}

function title({ board, people }) {
  const person = board.phase === "guessing" && people[board.round.turn];
  return `${person ? `${person.name} – ` : ""}Cloud Mine Companion`;
}

function onOnline(online) {
  const { online: before } = evening.get();
  evening.set({ online });
  if (before !== online) announceLine(online);
}

function onPageChange() {
  tellFollowers();
  if (currentPage()) lookedAt.put({ round: null });
  redraw();
  window.scrollTo(0, 0);
}

// Escape is the page's way back, where it closes nothing on it.
function onKey(event) {
  const back =
    event.key === "Escape" && !event.defaultPrevented && document.querySelector("button.back");
  if (back && currentPage() && !event.target.closest("input, select, textarea")) back.click();
}

function measureAnew() {
  forgetMeasures();
  redraw();
}

async function begin() {
  drawWith(draw);
  followTheme();
  window.addEventListener("hashchange", onPageChange);
  window.addEventListener("popstate", onStep);
  window.addEventListener("keydown", onKey);
  window.addEventListener("resize", redraw);
  window.addEventListener("load", measureAnew);
  if (document.fonts && document.fonts.addEventListener)
    document.fonts.addEventListener("loadingdone", measureAnew);
  else setTimeout(measureAnew, 1500);
  const [hello] = await Promise.all([
    get("/api/hello").catch(() => null),
    loadLanguage(preferredLanguage()),
  ]);
  if (hello) {
    introduce(hello);
    setRoundSizes(hello.round_sizes);
  }
  connect(receiveScoreboard, onOnline);
  askAboutNames();
  stayAwake();
}

begin();
