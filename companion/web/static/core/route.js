// Which page this screen shows: the table ("") or one of the whole pages, by the address after #.

let pages = {};
const followers = [];
const inside = []; // how each view is left that was opened inside the page, the innermost last

// Called by main.js once: {name: what draws it}.
export function definePages(all) {
  pages = all;
}

export function currentPage() {
  const name = location.hash.replace("#", "");
  return Object.keys(pages).indexOf(name) >= 0 ? name : "";
}

// `act` is told that another page is shown, before it is drawn: also where the script that says so came
// late.
export function followPage(act) {
  followers.push(act);
}

// Called by main.js at each change of the page.
export function tellFollowers() {
  followers.forEach((act) => {
    act();
  });
}

export function drawingOf(name) {
  return pages[name];
}

export function go(page) {
  location.hash = page;
}

export function goToTable() {
  go("");
}

// A view is opened inside the page: what the browser's own way back leaves first, by `leave`.
export function stepIn(leave) {
  inside.push(leave);
  history.pushState({ inside: inside.length }, "");
}

// The innermost view is left by its own button: as by the browser's way back.
export function stepOut() {
  if (inside.length) history.back();
}

// All of them are left.
export function stepOutOfAll() {
  if (inside.length) history.go(-inside.length);
}

// Called by main.js where the browser went back or on, also to another page.
export function onStep({ state }) {
  const depth = (state && state.inside) || 0;
  while (inside.length > depth) inside.pop()();
}
