// Which page this screen shows: the table ("") or one of the whole pages, by the address after #.

let pages = {};
const followers = [];

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
