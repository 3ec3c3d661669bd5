// Where the hall's page begins: the board, and for the host a second page. What is drawn comes from
// the hall's stream.

import { html } from "../core/html.js";
import { get } from "../core/requests.js";
import { currentPage, definePages, drawingOf } from "../core/route.js";
import { createStore, drawWith, redraw } from "../core/store.js";
import { titleOfPage } from "../core/title.js";
import { patch } from "../core/tree.js";
import { loadLanguage, preferredLanguage } from "../core/words.js";
import { followTheme } from "../screen/theme.js";
import { stayAwake } from "../screen/wake_lock.js";
import { boardPage, scrollOn } from "./board.js";
import { followBoard } from "./board_stream.js";
import { hostPage } from "./host_page.js";
import { seasonPage } from "./season_page.js";
import { leadPage } from "./tournament_host.js";
import { tournamentPage } from "./tournament_page.js";

// All tables of this page by number, whether the line is there, and what kind of screen this is.
const hall = createStore({ tables: {}, online: true, host: false, page: 1, pages: 1 });

definePages({ host: hostPage, lead: leadPage, season: seasonPage, tournament: tournamentPage });

const ASK_MS = 30000;
const FOR_ALL = ["season", "tournament"];

function draw() {
  const now = hall.get();
  const page = now.host || FOR_ALL.indexOf(currentPage()) >= 0 ? currentPage() : "";
  patch(
    document.getElementById("app"),
    html`
      <div key="hall" class=${["page hall-page", !now.online && "offline"]}>
        ${page ? drawingOf(page)(now) : boardPage(now)}
      </div>`
  );
  document.title = titleOfPage();
}

function receive({ whole, tables, gone }) {
  const kept = whole ? {} : Object.assign({}, hall.get().tables);
  for (const table of tables) kept[table.table] = table;
  for (const number of gone || []) delete kept[number];
  hall.set({ tables: kept });
}

function askedPage() {
  const found = /[?&]page=(\d+)/.exec(location.search);
  return found ? Number(found[1]) : 1;
}

// Whether this screen is the host's, and how many pages of tables there are by now.
async function askAgain() {
  const told = await get("/api/hall").catch(() => null);
  if (told) hall.set({ host: told.host, pages: told.pages });
}

async function begin() {
  drawWith(draw);
  followTheme();
  window.addEventListener("hashchange", redraw);
  window.addEventListener("resize", redraw);
  await loadLanguage(preferredLanguage());
  const page = askedPage();
  hall.set({ page });
  await askAgain();
  setInterval(askAgain, ASK_MS);
  followBoard(page, receive, (online) => hall.set({ online }));
  stayAwake();
  scrollOn();
}

begin();
