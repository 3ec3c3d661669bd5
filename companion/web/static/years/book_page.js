// The book of evenings: every evening as a small sky, the newest first, found by player, year and
// place. Opened, it is the page of one evening.

import { evening as atTable } from "../core/evening.js";
import { html } from "../core/html.js";
import { go } from "../core/route.js";
import { say, t } from "../core/words.js";
import { button, holdButton, textButton } from "../parts/buttons.js";
import { aboutWith } from "../parts/drawings.js";
import { chooser, options } from "../parts/fields.js";
import { bringPages } from "../parts/late_pages.js";
import { heading, page } from "../parts/page.js";
import { badge, isSameName, name } from "../parts/people.js";
import { screen } from "../screen/this_screen.js";
import { albumPage } from "./album_page.js";
import { act, book, choose, find, open } from "./book.js";
import { called, dayOf, gameOf, lengthOf, peopleOfEvening } from "./evening_words.js";
import { film, filmPage } from "./film.js";
import { openedEvening } from "./opened_evening.js";
import { smallSky } from "./small_sky.js";
import { takeAlong, wayBack } from "./take_along.js";

// How an evening will lie here, before there is one.
const SHOWN = {
  number: 0,
  rounds: 11,
  deck: null,
  sky: [3, 17, 24, 31, 45, 52, 60, 66, 8, 12, 71].map((card, i) => [card, i + 1]),
};
const NO_BREAK = "\u00a0";

function bookPage(evening) {
  const { found, opened, album, asking } = book.get();
  if (film.get().frames) return filmPage(evening);
  if (opened) return album ? albumPage(opened) : openedEvening(opened);
  if (!found && !asking) find();
  return page(
    "evenings",
    heading(t("evenings.title")),
    {
      lead: found && found.total > 0 && t("book.count", { n: found.total }),
    },
    found
      ? html`${wayBack(found.acts)}${found.total || isChosen() ? shelf(found) : nothing(found)}`
      : html`<p class="soft">${t("book.looking")}</p>`
  );
}

function isChosen() {
  const { chosen } = book.get();
  return Object.keys(chosen).some((key) => chosen[key] !== "");
}

function nothing({ reading }) {
  return reading
    ? html`<p class="soft">${t("book.reading", { n: reading })}</p>`
    : aboutWith(
        html`<div key="sky" class="drawing">${smallSky(SHOWN)}</div>`,
        t("evenings.none"),
        t("evenings.will")
      );
}

function shelf(found) {
  const { chosen, asking } = book.get();
  const left = found.total - found.evenings.length;
  return html`
    <div class="book-finder" role="search" aria-label=${t("book.find")}>
      ${finder(
        "person",
        t("book.person"),
        t("book.everybody"),
        found.people.map((one) => [one.name, `${called(one)} (${one.evenings})`])
      )}
      ${finder(
        "year",
        t("book.year"),
        t("book.every_year"),
        found.years.map((year) => [String(year), String(year)])
      )}
      ${
        found.places.length > 0 &&
        finder(
          "place",
          t("book.place"),
          t("book.every_place"),
          found.places.map((place) => [place, place])
        )
      }
      ${button("findings", t("findings.title"), () => go("findings"), { sign: "ribbon" })}
    </div>
    ${found.reading > 0 && html`<p class="note">${t("book.reading", { n: found.reading })}</p>`}
    ${
      chosen.person &&
      personRow(
        found.people.find((one) => one.name === chosen.person),
        found
      )
    }
    ${found.evenings.length ? html`<ul class="book">${found.evenings.map(eveningCard)}</ul>` : html`<p class="soft">${t("book.none_fits")}</p>`}
    ${left > 0 && html`<p class="book-more">${button("more-evenings", t("book.more", { n: left }), () => !asking && find(true))}</p>`}
    ${!found.reading && takeAlong(null)}`;
}

function finder(key, label, all, choices) {
  const { chosen } = book.get();
  const change = ({ target }) => choose({ [key]: target.value });
  return html`
    <span key=${key} class="found-by">
      <label for=${`by-${key}`} class="soft small">${label}</label>
      ${chooser({ id: `by-${key}`, onchange: change }, options(chosen[key], [["", all]].concat(choices)))}
    </span>`;
}

function eveningCard(evening) {
  const people = peopleOfEvening(evening);
  const winners = people.filter((one) => one.winner);
  const most = winners.length ? winners[0].cards : 0;
  const facts = [t("book.rounds", { n: evening.rounds }), lengthOf(evening)];
  return html`
    <li key=${evening.number}>
      <button type="button" class="book-evening" onclick=${() => open(evening.number)}>
        ${smallSky(evening)}
        <span class="book-day">${dayOf(evening.began_s, "short")}</span>
        ${evening.night && html`<span class="soft small">${gameOf(evening.night)}</span>`}
        <span class="book-winners">
          ${winners.slice(0, 3).map((one, i, shown) => html`<span key=${one.seat}>${badge(one)}${NO_BREAK}${name(one)}${i === shown.length - 1 && html`${NO_BREAK}<strong>${most}</strong>`}</span>`)}
          ${!evening.over && html`<span class="soft small">${t("book.not_over")}</span>`}
        </span>
        <span class="soft small">${facts.join(" · ")}</span>
        ${evening.place && html`<span class="soft small">${evening.place}</span>`}
      </button>
    </li>`;
}

// True for who plays, or has just played, the game that lies on the table.
function sitsAtTheTable(person) {
  const { board, people } = atTable.get();
  return board.phase !== "setup" && people.some((one) => isSameName(one.name, person.name));
}

// What can be done about the person that is chosen.
function personRow(person, found) {
  if (!person || screen.get().watching) return null;
  const { doing, typed } = book.get();
  const others = found.people.filter((one) => one.name !== person.name);
  const toggle = (what) => () =>
    book.set({ doing: doing === what ? null : what, typed: what === "rename" ? person.name : "" });
  const rename = async (event) => {
    event.preventDefault();
    const to = typed.trim();
    if (await act({ do: "rename", person: person.name, name: to })) choose({ person: to });
  };
  const merge = async () => {
    if (await act({ do: "merge", person: person.name, into: typed })) choose({ person: typed });
  };
  const forget = async () => {
    if (await act({ do: "forget", person: person.name })) choose({ person: "" });
  };
  return html`
    <div key="person" class="book-person">
      <p class="ways-of">
        ${textButton("rename", t("book.rename"), toggle("rename"), doing === "rename")}
        ${others.length > 0 && textButton("merge", t("book.merge"), toggle("merge"), doing === "merge")}
        ${textButton("forget", t("book.forget"), toggle("forget"), doing === "forget")}
      </p>
      ${
        doing === "rename" &&
        html`
        <form key="rename" class="book-do" onsubmit=${rename}>
          <label for="new-name">${t("book.new_name")}</label>
          <input id="new-name" class="print-input" value=${typed} maxlength="40" autocomplete="off" oninput=${(event) => book.set({ typed: event.target.value })} />
          <button type="submit" class="button" disabled=${!typed.trim() || typed.trim() === person.name}><span class="label">${t("book.do_rename")}</span></button>
          ${sitsAtTheTable(person) && html`<p class="soft">${t("book.rename_table")}</p>`}
        </form>`
      }
      ${
        doing === "merge" &&
        html`
        <p key="merge" class="book-do">
          <label for="same-as">${say("book.same_as", { name: person.name })}</label>
          ${chooser({ id: "same-as", onchange: (event) => book.set({ typed: event.target.value }) }, options(typed, [["", t("book.who")]].concat(others.map((one) => [one.name, one.name]))))}
          ${button("do-merge", t("book.do_merge"), merge, { disabled: !typed })}
        </p>`
      }
      ${
        doing === "forget" &&
        html`
        <p key="forget" class="book-do">
          <span>${say("book.forget_why", { name: person.name })}</span>
          ${holdButton("do-forget", t("book.do_forget"), forget)}
        </p>`
      }
    </div>`;
}

bringPages({ evenings: bookPage });
