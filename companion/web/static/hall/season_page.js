// The season: people over many evenings, by rating, by clouds, or by clouds found.

import { html } from "../core/html.js";
import { getAnyway } from "../core/requests.js";
import { currentPage, go } from "../core/route.js";
import { createStore } from "../core/store.js";
import { t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { backButton, heading, page } from "../parts/page.js";
import { notReached, reachLines } from "./reach.js";

const FRESH_MS = 15000;
const AGAIN_MS = 3000; // a hall that did not answer
const ORDERS = ["rating", "clouds", "found", "evenings"];

// Everybody's season (null: not asked yet), by what it is ordered, and whether the hall is silent.
const season = createStore({ people: null, by: "rating", silent: false });

let askedAt = 0;

async function ask() {
  if (Date.now() - askedAt < FRESH_MS) return;
  askedAt = Date.now();
  const { status, body } = await getAnyway("/api/season").catch(notReached);
  if (status === 200) season.set({ people: body.people, silent: false });
  else {
    setTimeout(() => {
      askedAt = 0;
      if (currentPage() === "season") ask();
    }, AGAIN_MS);
    season.set({ silent: true });
  }
}

// A rating counts by what it is at least: a lucky first evening is none of the best.
function worth(person, by) {
  return by === "rating" ? person.rating - person.unsure : person[by];
}

export function seasonPage({ online }) {
  ask();
  const { people, by, silent } = season.get();
  const ordered = (people || []).slice().sort((a, b) => worth(b, by) - worth(a, by));
  return page(
    "season",
    heading(t("season.title")),
    { lead: t("season.lead"), back: backButton(t("board.back"), () => go("")) },
    reachLines(silent || !online, false),
    html`
      <p class="season-orders">
        ${ORDERS.map((one) => button(one, t(`season.by_${one}`), () => season.set({ by: one }), { pressed: one === by }))}
        <a class="button" href="/api/season.csv" download>${t("season.file")}</a>
      </p>
      ${people && people.length === 0 && html`<p key="none" class="soft">${t("season.none")}</p>`}
      ${ordered.length > 0 && seasonTable(ordered, by)}`
  );
}

// Equal ones share a place, as in a tournament.
function seasonTable(people, by) {
  const shown = people.map((person) => tenths(worth(person, by)));
  return html`
    <table key="table" class="season-table">
      <thead>
        <tr>
          <td></td><th class="who">${t("season.who")}</th><th>${t("season.rating")}</th><th>${t("season.by_clouds")}</th>
          <th>${t("season.by_found")}</th><th>${t("season.by_evenings")}</th>
        </tr>
      </thead>
      <tbody>${people.map((person, at) => personLine(person, at, shown.indexOf(shown[at]) + 1))}</tbody>
    </table>`;
}

// With one place, as this language writes it.
function tenths(number) {
  const places = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return number.toLocaleString(document.documentElement.lang, places);
}

function personLine(person, at, place) {
  return html`
    <tr key=${at}>
      <td class="soft">${place}</td>
      <td class="who"><bdi>${person.name}</bdi></td>
      <td>${t("season.rated", { rating: tenths(person.rating), unsure: tenths(person.unsure) })}</td>
      <td>${person.clouds}</td>
      <td>${person.found}</td>
      <td>${person.evenings}</td>
    </tr>`;
}
