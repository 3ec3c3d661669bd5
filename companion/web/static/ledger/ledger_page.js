// The ledger: every round from the newest, a stripe of its sky, columns by seat; a round opens, a
// guess can be changed.

import { roundsOf } from "../core/evening.js";
import { html } from "../core/html.js";
import { quoted, say, t } from "../core/words.js";
import { heading, page } from "../parts/page.js";
import { badge, listed } from "../parts/people.js";
import { sign } from "../parts/signs.js";
import { leaveLedgersField } from "../round/cloud_name.js";
import { endedRounds, isOpen, isUnseen, isVoid } from "../round/outcome.js";
import { screen } from "../screen/this_screen.js";
import { hour, sky } from "../window/sky.js";
import { draft, openRound } from "./draft.js";
import { openedRound } from "./opened_round.js";
import { repairs } from "./repairs.js";

export function ledgerPage({ board, people }) {
  const { watching } = screen.get();
  const more = {
    lead: t(watching ? "ledger.watch" : "ledger.how"),
    cls: `ledger cols${people.length} ${people.length > 4 ? "many-columns" : ""}`,
  };
  if (!people.length)
    return page(
      "ledger",
      heading(t("ledger")),
      more,
      html`<p class="soft">${t("ledger.empty")}</p>`
    );
  return page(
    "ledger",
    heading(t("ledger")),
    more,
    html`
      ${ledgerTable(board, people, true)}
      ${!watching && repairs(board, people)}
      <p class="take-home">
        <a href="/api/export/csv" class="text-button" download>${t("ledger.csv")}</a>
        <a href="/api/export/json" class="text-button" download>${t("ledger.json")}</a>
      </p>`
  );
}

// Every round, the newest first; `opens` where a touched round shows its guesses.
export function ledgerTable(board, people, opens) {
  const shown = board.rounds
    .filter((round) => !isOpen(round) || round.guesses.length > 0)
    .reverse();
  return html`
    <div class="grid" role="table" aria-label=${t("ledger")}>
      ${topLine(people)}
      ${shown.map((round) => [roundRow(round, board, people, opens), whoCame(round, board, people)])}
      ${!shown.length && html`<p class="soft empty">${t("ledger.empty")}</p>`}
      ${sumLine(board, people)}
    </div>`;
}

function topLine(people) {
  return html`
    <div key="top" class="line top" role="row">
      <span class="stripe" role="presentation"></span>
      <span class="number" role="columnheader"><span class="unseen">${t("ledger.round")}</span></span>
      <span class="who" role="columnheader">${t("ledger.roles")}</span>
      <span class="called" role="columnheader">${t("ledger.name")}</span>
      ${people.map(
        (person) => html`
          <span key="p${person.seat}" class="cell" role="columnheader">
            ${badge(person)}
            <span class="unseen">${person.name}</span>
          </span>`
      )}
    </div>`;
}

function sumLine(board, people) {
  return html`
    <div key="sum" class="line sum" role="row">
      <span class="stripe" role="presentation"></span>
      <span class="number" role="cell"></span>
      <span class="who" role="cell"></span>
      <strong class="called" role="rowheader">${t("ledger.standing", { n: endedRounds(board).length })}</strong>
      ${people.map((person) => html`<strong key="t${person.seat}" class="cell" role="cell">${person.cards}</strong>`)}
    </div>`;
}

function roundRow(round, board, people, opens) {
  const open = opens && draft.get().open === round.number;
  const toggle = () => {
    if (!leaveLedgersField()) return;
    openRound(open ? null : round.number);
    const opened = document.querySelector(".ledger .round.open");
    if (opened) opened.scrollIntoView({ block: "nearest" }); // the standing covers the page's foot
  };
  const stripe = { "background-color": sky(hour(round.number, roundsOf(board))).ribbon };
  return html`
    <div key="r${round.number}" class=${["round", open && "open"]} role="rowgroup">
      <span class="stripe" role="presentation" style=${stripe}></span>
      <div class="line" role="row">
        <span class="number" role="rowheader">
          ${opens ? opener(round, open, toggle) : round.number}
        </span>
        <span class="who" role="cell">
          ${sign("moon")}
          ${roleBadge(people[round.daydreamer], "role.daydreamer")}
          ${sign("telescope")}
          ${roleBadge(people[round.lookout], "role.lookout")}
        </span>
        <span class="called" role="cell">
          ${called(round)}
          ${round.corrected && html`<span class="soft small">${called(round) ? " · " : ""}${t("ledger.corrected")}</span>`}
        </span>
        ${people.map((person) => gainCell(person, round.gains[person.seat] || 0))}
      </div>
      ${open && openedRound(round, board, people)}
    </div>`;
}

// Below the first round of another circle: who came and who left before it, and what that meant.
function whoCame(round, board, people) {
  const before = board.rounds[round.number - 2];
  if (!before) return null;
  const namesOf = (one, other) =>
    one.circle.filter((seat) => other.circle.indexOf(seat) < 0).map((seat) => people[seat].name);
  const come = namesOf(round, before);
  const left = namesOf(before, round);
  if (!come.length && !left.length) return null;
  const said = (key, names) =>
    names.length > 0 && say(key, { name: listed(names), n: names.length, round: round.number });
  const size = t("seats.size", { n: round.circle.length, cards: round.cards.length });
  return html`
    <p key="w${round.number}" class="who-came soft small" role="row"><span role="cell">
      ${said("ledger.come", come)} ${said("ledger.gone", left)} ${size}
    </span></p>`;
}

function opener(round, open, toggle) {
  return html`
    <button type="button" class="opener" aria-expanded="${open}"
      aria-label=${t("ledger.open", { n: round.number })} onclick=${toggle}>
      ${round.number}
    </button>`;
}

function called(round) {
  if (isVoid(round))
    return html`<span class="soft">${t(isUnseen(round) ? "ledger.unseen" : "ledger.void")}</span>`;
  return round.name && html`<span class="cloud-name">${quoted(round.name)}</span>`;
}

function gainCell(person, gain) {
  return html`
    <span key="g${person.seat}" class=${["cell", gain && "some"]} role="cell">
      ${gain ? `+${gain}` : html`<span aria-label="0">·</span>`}
    </span>`;
}

function roleBadge(person, key) {
  return (
    person &&
    html`<span>${badge(person)}<span class="unseen">${t(key)} ${person.name}</span></span>`
  );
}
