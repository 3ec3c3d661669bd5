// The stream of states from the table.
//
// Every message is the whole state, so nothing can be missed. A screen that slept asks anew when it
// wakes; a stream that went silent is opened again; a server with no place for another stream is
// asked every two seconds instead.

const SILENT_MS = 7000;
const POLL_MS = 2000;
const WATCH_MS = 500;
const LOST_MS = 1000; // so long without a line before anybody is told

const tab = Math.random().toString(36).slice(2, 10);
let source = null;
let lastHeardAt = 0;
let lostSince = 0;
let polling = null;
let told = { scoreboard: null, online: null };
let online = null;

// Call `onScoreboard(board)` with every new state and `onOnline(true|false)` when the line comes or
// goes.
export function connect(onScoreboard, onOnline) {
  told = { scoreboard: onScoreboard, online: onOnline };
  open();
  setInterval(watchLine, WATCH_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) reopen();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) reopen();
  });
  window.addEventListener("online", reopen);
}

function heard() {
  lastHeardAt = Date.now();
  lostSince = 0;
  setOnline(true);
}

function lost() {
  if (!lostSince) lostSince = Date.now();
}

function setOnline(now) {
  if (online === now) return;
  online = now;
  told.online(now);
}

function open() {
  lastHeardAt = Date.now();
  source = new EventSource(`/api/stream?tab=${tab}`);
  source.onmessage = (event) => {
    stopPolling();
    heard();
    told.scoreboard(JSON.parse(event.data));
  };
  source.addEventListener("beat", heard);
  source.addEventListener("closed", () => {
    source.close();
    startPolling();
    setTimeout(ask, 300);
  });
  source.onerror = () => {
    lost();
    startPolling();
  };
}

function reopen() {
  if (source) source.close();
  open();
  ask();
}

function watchLine() {
  if (lostSince && Date.now() - lostSince > LOST_MS) setOnline(false);
  if (Date.now() - lastHeardAt > SILENT_MS) {
    lost();
    reopen();
  }
}

function startPolling() {
  if (polling === null) polling = setInterval(ask, POLL_MS);
}

function stopPolling() {
  if (polling !== null) clearInterval(polling);
  polling = null;
}

async function ask() {
  try {
    const answer = await fetch("/api/scoreboard", { credentials: "same-origin" });
    if (answer.status === 401) location.reload();
    if (!answer.ok) return;
    const board = await answer.json();
    heard();
    told.scoreboard(board);
    if (source && source.readyState === 2) open();
  } catch (_error) {
    lost();
  }
}
