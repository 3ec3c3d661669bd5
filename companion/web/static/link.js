// The line to the table: the stream of states in, commands out.
//
// Every message is the whole state, so nothing can be missed. A screen that slept asks anew when it wakes; a stream that
// went silent is opened again; a server with no place for another stream is asked every two seconds instead.

const SILENT_MS = 7000;
const POLL_MS = 2000;

let source = null;
let lastHeard = 0;
let polling = null;
let listener = null;
let lostSince = 0;
const tab = Math.random().toString(36).slice(2, 10);

// Call `onState(state)` with every new state and `onLine(true|false)` when the line comes or goes.
export function connect(onState, onLine) {
  listener = { state: onState, line: onLine, up: null };
  open();
  setInterval(watch, 500);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) reopen();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) reopen();
  });
  window.addEventListener("online", reopen);
}

function heard(up) {
  lastHeard = Date.now();
  if (up) lostSince = 0;
  tell(true);
}

function tell(up) {
  if (listener.up !== up) {
    listener.up = up;
    listener.line(up);
  }
}

function open() {
  lastHeard = Date.now();
  source = new EventSource("/api/stream?tab=" + tab);
  source.onmessage = (event) => {
    stopPolling();
    heard(true);
    listener.state(JSON.parse(event.data));
  };
  source.addEventListener("beat", () => heard(true));
  source.addEventListener("closed", () => {
    source.close();
    pollSoon();
    setTimeout(ask, 300);
  });
  source.onerror = () => {
    if (!lostSince) lostSince = Date.now();
    pollSoon();
  };
}

function reopen() {
  if (source) source.close();
  open();
  ask();
}

function watch() {
  if (lostSince && Date.now() - lostSince > 1000) tell(false);
  if (Date.now() - lastHeard > SILENT_MS) {
    if (!lostSince) lostSince = Date.now();
    reopen();
  }
}

function pollSoon() {
  if (polling === null) polling = setInterval(ask, POLL_MS);
}

function stopPolling() {
  if (polling !== null) clearInterval(polling);
  polling = null;
}

function ask() {
  fetch("/api/scoreboard", { credentials: "same-origin" })
    .then((answer) => {
      if (answer.status === 401) {
        location.reload();
        return null;
      }
      return answer.ok ? answer.json() : null;
    })
    .then((state) => {
      if (!state) return;
      heard(true);
      listener.state(state);
      if (source && source.readyState === 2) open();
    })
    .catch(() => {
      if (!lostSince) lostSince = Date.now();
    });
}

export function newId() {
  const bytes = new Uint8Array(12);
  (window.crypto || window.msCrypto).getRandomValues(bytes);
  return Array.from(bytes)
    .map((b) => ("0" + b.toString(16)).slice(-2))
    .join("");
}

// Send one command; the answer is {status, body}. A lost answer is asked for again under the same id, so nothing is done twice.
export function send(version, what) {
  const body = JSON.stringify(Object.assign({ id: newId(), version: version }, what));
  return attempt(body, 4);
}

function attempt(body, left) {
  return post("/api/command", body).catch((error) => {
    if (left <= 0) throw error;
    return new Promise((done) => setTimeout(done, 700)).then(() => attempt(body, left - 1));
  });
}

export function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return fetch(path, { method: "POST", credentials: "same-origin", headers: headers, body: body }).then((answer) =>
    answer
      .json()
      .catch(() => ({}))
      .then((json) => ({ status: answer.status, body: json }))
  );
}

export function get(path) {
  return fetch(path, { credentials: "same-origin" }).then((answer) =>
    answer.ok ? answer.json() : Promise.reject(new Error(answer.status))
  );
}
