// The book of evenings as this screen knows it: what was found, what is chosen, which evening is
// open; and the questions to the table about it.

import { onScoreboard } from "../core/evening.js";
import { get, getAnyway, post, troubleOf } from "../core/requests.js";
import { currentPage, followPage, stepIn, stepOutOfAll } from "../core/route.js";
import { createStore, redraw } from "../core/store.js";
import { endToast, showToast } from "../core/toast.js";

const PAGE = 24;
const READING_AGAIN_MS = 1500;
const SECOND_MS = 1000;

// `found` is null until the table has answered; `opened` is one evening with its board.
export const book = createStore({
  found: null,
  chosen: { person: "", year: "", place: "" },
  opened: null,
  album: false, // of the opened evening the album is shown
  asking: false,
  doing: null, // which of a person's or an evening's changes is open: "rename", "merge", "place"
  typed: "",
});

let wayBackTimer = null;
let ticking = null;
let asked = 0;
let acting = false;
let missed = false;

// Who comes again finds the book as it is then.
followPage(() => {
  clearTimeout(wayBackTimer);
  clearTimeout(ticking);
  asked += 1;
  book.put({ found: null, opened: null, album: false, asking: false, doing: null, typed: "" });
});

// What another screen did to the book is followed, and what is entered in the evening that is open here;
// what this one does to the book it looks up itself.
onScoreboard((before, board) => {
  if (!before || currentPage() !== "evenings") return;
  const { opened } = book.get();
  const isOpened = opened && opened.evening.number === board.evening;
  if (before.book_acts === board.book_acts) {
    if (isOpened && before.version !== board.version) openAnew(board.evening);
  } else if (acting) missed = true;
  else follow();
});

function follow() {
  const { opened } = book.get();
  find();
  if (opened) openAnew(opened.evening.number);
}

// The evening that is open as it is now; one that was deleted is shut.
async function openAnew(number) {
  const { status, body } = await getAnyway(`/api/book/${number}`).catch(() => ({ status: 0 }));
  const { opened } = book.get();
  if (!opened || opened.evening.number !== number) return;
  if (status === 404) {
    showToast("book.gone");
    stepOutOfAll();
  }
  if (status !== 200) return;
  body.evening.acts = untilWhen(body.evening.acts);
  book.set({ opened: body });
  tick();
}

// Ask for the evenings that fit what is chosen; `more` behind those that are shown already.
export async function find(more) {
  const { found, chosen } = book.get();
  const shown = more && found ? found.evenings : [];
  const words = Object.keys(chosen)
    .filter((name) => chosen[name] !== "")
    .map((name) => `&${name}=${encodeURIComponent(chosen[name])}`);
  asked += 1;
  const mine = asked;
  book.put({ asking: true });
  try {
    const came = await get(`/api/book?after=${shown.length}&count=${PAGE}${words.join("")}`);
    if (mine !== asked) return;
    if (forgetWhatIsGone(came)) {
      find();
      return;
    }
    came.evenings = shown.concat(came.evenings);
    came.acts = untilWhen(came.acts);
    book.set({ found: came, asking: false });
    tick();
    lookAgain(came);
  } catch (_error) {
    if (mine !== asked) return;
    if (found) book.set({ asking: false });
    else wayBackTimer = setTimeout(() => book.set({ asking: false }), READING_AGAIN_MS);
  }
}

// A name that was taken back, a place or a year that no evening has any more, is chosen no longer; true
// where there was one.
function forgetWhatIsGone({ people, years, places }) {
  const { chosen } = book.get();
  const there = {
    person: people.map((one) => one.name),
    year: years.map(String),
    place: places,
  };
  const gone = Object.keys(there).filter(
    (key) => chosen[key] !== "" && there[key].indexOf(chosen[key]) < 0
  );
  if (!gone.length) return false;
  const left = Object.assign({}, chosen);
  gone.forEach((key) => {
    left[key] = "";
  });
  book.put({ chosen: left, doing: null });
  return true;
}

// While evenings are still being read, and when a way back ends, the page asks again by itself.
function lookAgain({ reading, acts }) {
  clearTimeout(wayBackTimer);
  if (reading) wayBackTimer = setTimeout(() => find(), READING_AGAIN_MS);
  else if (acts.length)
    wayBackTimer = setTimeout(
      () => find(),
      (Math.min(...acts.map((act) => act.left_s)) + 1) * 1000
    );
}

// What was done, each with the moment of this page's clock at which its way back ends.
function untilWhen(acts) {
  const now = Date.now();
  return acts.map((act) => Object.assign({}, act, { until: now + act.left_s * SECOND_MS }));
}

// Seconds for which something that was done can still be taken back; 0 where its minute is over.
export function leftOf(act) {
  return Math.max(0, Math.ceil((act.until - Date.now()) / SECOND_MS));
}

// Each second, while what is shown can be taken back, the page is drawn with what is left.
function tick() {
  clearTimeout(ticking);
  const { found, opened } = book.get();
  const shown = opened ? opened.evening.acts : found ? found.acts : [];
  if (!shown.some(leftOf)) return;
  ticking = setTimeout(() => {
    redraw();
    tick();
  }, SECOND_MS);
}

function leave() {
  book.set({ opened: null, album: false, doing: null });
  tick();
}

export function choose(changed) {
  book.put({ chosen: Object.assign({}, book.get().chosen, changed), doing: null, found: null });
  find();
}

export async function open(number) {
  try {
    const opened = await get(`/api/book/${number}`);
    opened.evening.acts = untilWhen(opened.evening.acts);
    if (!book.get().opened) stepIn(leave);
    book.set({ opened, album: false, doing: null });
    tick();
    window.scrollTo(0, 0);
  } catch (_error) {
    showToast("book.not_there");
  }
}

// The album of the evening that is open.
export function showAlbum() {
  stepIn(() => book.set({ album: false }));
  book.set({ album: true });
  window.scrollTo(0, 0);
}

// A file of an evening is asked for: where somebody deleted it meanwhile, that is said.
export async function sayIfGone(number) {
  const { status } = await getAnyway(`/api/book/${number}`).catch(() => ({ status: 0 }));
  if (status === 404) showToast("book.gone");
}

// Do something to the book; true when it was done. What cannot be is said.
export async function act(asking) {
  acting = true;
  try {
    const { status, body } = await post("/api/book", asking);
    if (status === 200) {
      book.put({ doing: null, typed: "" });
      endToast();
      await find();
      return true;
    }
    if (status === 422) showToast(`book.refused.${body.reason}`);
    else showToast(status === 429 ? `refused.${body.reason}` : troubleOf({ body }));
  } catch (_error) {
    showToast("said.unsent");
  } finally {
    acting = false;
    if (missed) setTimeout(follow);
    missed = false;
  }
  return false;
}
