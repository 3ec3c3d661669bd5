// The tournament on the board: the heat with its tables and seats, the places, and while people may
// check in the code for their phones.

import { html } from "../core/html.js";
import { getAnyway } from "../core/requests.js";
import { currentPage, go } from "../core/route.js";
import { createStore } from "../core/store.js";
import { t, written } from "../core/words.js";
import { backButton, heading, page } from "../parts/page.js";
import { bitsPath } from "../parts/signs.js";
import { notReached, reachLines } from "./reach.js";

const ASK_MS = 3000;
const MANY = 14; // from so many people on their lines are lower

// The tournament as the hall told it last (undefined: not asked yet, null: there is none), and whether
// the hall is silent.
const shown = createStore({ told: undefined, silent: false });

let asking = null;

async function ask() {
  const { status, body } = await getAnyway("/api/tournament").catch(notReached);
  if (status === 200) shown.set({ told: body.tournament, silent: false });
  else shown.set({ silent: true });
}

function keepAsking() {
  if (asking !== null) return;
  ask();
  asking = setInterval(() => {
    if (currentPage() === "tournament") ask();
    else {
      clearInterval(asking);
      asking = null;
    }
  }, ASK_MS);
}

export function tournamentPage({ online }) {
  keepAsking();
  const { told, silent } = shown.get();
  return page(
    "tournament",
    heading(told ? html`<bdi>${told.name}</bdi>` : t("tournament.title")),
    { lead: leadOf(told), back: backButton(t("board.back"), () => go("")) },
    reachLines(silent || !online, false),
    told === null && html`<p key="none" class="soft">${t("tournament.none")}</p>`,
    told &&
      html`
      <div class="tournament-board">
        <section key="heat">${told.check_in && checkInCode(told.check_in)}${heatNow(told)}</section>
        <section key="places">${placesTable(told)}</section>
      </div>`
  );
}

function leadOf(told) {
  if (!told) return "";
  if (told.ended) return t("tournament.final");
  if (!told.heat) return t("tournament.first");
  return t(told.heat.closed ? "tournament.heat_closed" : "tournament.heat", {
    number: told.heat.number,
  });
}

export function checkInCode({ rows, address }) {
  const side = rows.length + 8;
  return html`
    <div key="code" class="invited check-in-code">
      <svg class="qr" viewBox="-4 -4 ${side} ${side}" role="img" aria-label=${t("screens.qr")}>
        <rect x="-4" y="-4" width=${side} height=${side} fill="#fff" />
        <path d=${bitsPath(rows)} fill="#000" />
      </svg>
      <div>
        <p><strong>${t("tournament.check_in")}</strong></p>
        <p>${t("tournament.check_in_how")}</p>
        <p class="soft small address">${address}</p>
      </div>
    </div>`;
}

function heatNow({ heat, ended }) {
  if (!heat || ended) return null;
  return html`
    <div key="tables">
      ${!heat.closed && html`<p class="soft">${t("tournament.seat_how")}</p>`}
      <ul class="heat-tables">${heat.tables.map((one) => heatTable(heat, one))}</ul>
      ${
        heat.byes.length > 0 &&
        html`<p><strong>${t("tournament.bye")}</strong> ${listed(heat.byes)}</p>`
      }
    </div>`;
}

// How it stands with a table of a heat; of one that told nothing before the heat was closed, that; and
// whether anybody can still decide.
export function stateWords(heat, table, ended) {
  const { state } = table;
  const words = t(`tournament.${heat.closed && state === "waiting" ? "untold" : state}`);
  if (!waitsForHost(table)) return words;
  return `${words}: ${t(ended ? "tournament.undecided" : "tournament.decides")}`;
}

// True where a table told what does not fit the draw, and the host has not said what it came to.
export function waitsForHost({ state, people }) {
  const unsure = state === "early" || state === "unclear";
  return unsure && people.some((person) => person.clouds === null);
}

function heatTable(heat, one) {
  return html`
    <li key=${one.table}>
      <p class="heat-head">
        <strong>${called(one)}</strong> <span class="soft">${stateWords(heat, one)}</span>
      </p>
      <ol>
        ${one.people.map(
          (person) => html`
          <li key=${person.id}>
            <bdi>${person.name}</bdi>
            ${person.versions.length > 1 && html` <s class="soft">${person.versions[0][0]}</s>`}
            ${person.clouds !== null && html` <strong>${person.clouds}</strong>`}
          </li>`
        )}
      </ol>
    </li>`;
}

export function called(table) {
  const number = t("board.table", { number: table.table });
  return table.name ? [number, " · ", html`<bdi>${table.name}</bdi>`] : number;
}

export function listed(names) {
  return names.map((one, at) => [at > 0 && ", ", html`<bdi>${one}</bdi>`]);
}

export function placesTable({ lines }) {
  return html`
    <table class=${["season-table", lines.length > MANY && "many"]}>
      <thead>
        <tr>
          <td></td><th class="who">${t("season.who")}</th><th>${t("tournament.points")}</th><th>${t("season.by_clouds")}</th>
          <th>${t("tournament.heats")}</th>
        </tr>
      </thead>
      <tbody>${lines.map(placeLine)}</tbody>
    </table>
    <p class="soft small">${t("tournament.points_how")}</p>`;
}

function placeLine(line) {
  return html`
    <tr key=${line.id}>
      <td class="soft">${line.place}</td>
      <td class="who"><bdi>${line.name}</bdi>${line.gone && html` <span class="soft">${t("tournament.gone")}</span>`}</td>
      <td>${written(line.points)}</td>
      <td>${line.clouds}</td>
      <td>${line.heats + line.byes}</td>
    </tr>`;
}
