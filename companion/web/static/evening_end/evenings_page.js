// Other evenings: who had the sky when, and of each its ledger and its pictures. Nothing of them can
// be changed here.

import { html } from "../core/html.js";
import { get } from "../core/requests.js";
import { goToTable } from "../core/route.js";
import { createStore } from "../core/store.js";
import { currentLanguage, t } from "../core/words.js";
import { ledgerTable } from "../ledger/ledger_page.js";
import { button } from "../parts/buttons.js";
import { backButton, heading, page } from "../parts/page.js";
import { name, peopleOf } from "../parts/people.js";
import { standings } from "../round/standings.js";
import { gallery } from "./pictures_page.js";

// The finished evenings (null: not asked yet), and the one that is looked at.
const past = createStore({ evenings: null, shown: null, board: null });

function askEvenings() {
  if (past.get().evenings !== null) return;
  past.put({ evenings: [] });
  get("/api/evenings").then(
    ({ evenings }) => past.set({ evenings }),
    () => undefined
  );
}

function show(evening) {
  get(`/api/evenings/${evening.number}`).then(
    (board) => past.set({ shown: evening, board }),
    () => undefined
  );
}

function leave() {
  past.reset();
  goToTable();
}

export function eveningsPage() {
  askEvenings();
  const { evenings, shown, board } = past.get();
  if (board) return oneEvening(shown, board);
  return page(
    "evenings",
    heading(t("evenings.title")),
    { back: backButton(t("back_to_table"), leave) },
    evenings && evenings.length
      ? html`<ul class="evening-list">${evenings.map(eveningLine)}</ul>`
      : html`<p class="soft">${t("evenings.none")}</p>`
  );
}

function dayOf({ began_s }) {
  const how = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
  return new Date(began_s * 1000).toLocaleDateString(currentLanguage(), how);
}

function eveningLine(evening) {
  const most = Math.max(...evening.totals);
  const winners = evening.players.filter((_name, seat) => evening.totals[seat] === most);
  const names = winners.map((one, i) => [i > 0 && ", ", name({ name: one })]);
  return html`
    <li key=${evening.number}>
      ${button(`evening-${evening.number}`, dayOf(evening), () => show(evening), { cls: "evening", below: html`<span>${names} · ${t("end.clouds", { n: most })}</span>` })}
    </li>`;
}

function oneEvening(shown, board) {
  const people = peopleOf(board.players);
  const back = backButton(t("evenings.back"), () => past.set({ shown: null, board: null }));
  return page(
    "evenings",
    heading(dayOf(shown)),
    {
      back,
      cls: `evenings ledger cols${people.length} ${people.length > 4 ? "many-columns" : ""}`,
    },
    html`
      ${standings(people, null)}
      ${gallery(board, people)}
      ${ledgerTable(board, people, false)}`
  );
}
