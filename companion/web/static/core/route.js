// Which page this screen shows: the table ("") or one of the whole pages, by the address after #.

let pages = {};

// Called by main.js once: {name: what draws it}.
export function definePages(all) {
  pages = all;
}

export function currentPage() {
  const name = location.hash.replace("#", "");
  return Object.keys(pages).indexOf(name) >= 0 ? name : "";
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
