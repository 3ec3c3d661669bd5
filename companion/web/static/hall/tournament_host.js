// The tournament as its host leads it: who is here, drawing and closing heats, results with every
// version that was told, and corrections.

import { html } from "../core/html.js";
import { getAnyway, post } from "../core/requests.js";
import { currentPage, go } from "../core/route.js";
import { createStore } from "../core/store.js";
import { has, t } from "../core/words.js";
import { button, holdButton, textButton } from "../parts/buttons.js";
import { chooser, options } from "../parts/fields.js";
import { backButton, heading, page } from "../parts/page.js";
import { notReached, reachLines } from "./reach.js";
import {
  called,
  checkInCode,
  listed,
  placesTable,
  stateWords,
  waitsForHost,
} from "./tournament_page.js";

const ASK_MS = 3000;
const SIZES = [3, 4, 5, 6, 7, 8];

// The tournament with all its heats (undefined: not asked yet, null: none), why the last wish was
// refused, what is typed, how heats are drawn, whose result is being corrected, and whether the hall is
// silent.
const lead = createStore({
  told: undefined,
  no: null,
  typed: "",
  size: 5,
  exact: false,
  fixing: null,
  clouds: "",
  found: "",
  silent: false,
});

let asking = null;

async function ask() {
  const { status, body } = await getAnyway("/api/host/tournament").catch(notReached);
  if (status === 200) lead.set({ told: body.tournament, silent: false });
  else lead.set({ silent: true });
}

function keepAsking() {
  if (asking !== null) return;
  ask();
  asking = setInterval(() => {
    if (currentPage() === "lead") ask();
    else {
      clearInterval(asking);
      asking = null;
    }
  }, ASK_MS);
}

async function wish(asked) {
  const { status, body } = await post("/api/host/tournament", asked).catch(notReached);
  if (status === 200) lead.set({ told: body.tournament, no: null });
  else lead.set({ no: has(`tournament.no_${body.reason}`) ? body.reason : "away" });
  return status === 200;
}

async function withTyped(what) {
  const name = lead.get().typed;
  if ((await wish({ do: what, name })) && lead.get().typed === name) lead.set({ typed: "" });
}

// A name and what is done with it: by the button, or by the keyboard's own key.
function nameForm(what, label) {
  const enter = (event) => {
    event.preventDefault();
    withTyped(what);
  };
  return html`
    <form key=${what} class="pair" onsubmit=${enter}>
      <input key="typed" id="typed" class="print-input wide" maxlength="40" autocomplete="off" aria-label=${label} placeholder=${label}
        value=${lead.get().typed} oninput=${(event) => lead.set({ typed: event.target.value })} />
      <button type="submit" class="button"><span class="label"><span class="main">${t(`tournament.${what}`)}</span></span></button>
    </form>`;
}

function leave() {
  lead.set({ no: null });
  go("host");
}

export function leadPage({ online }) {
  keepAsking();
  const { told, no, silent } = lead.get();
  const lost = no === "away";
  const runs = told && !told.ended;
  return page(
    "host",
    heading(told ? html`<bdi>${told.name}</bdi>` : t("tournament.title")),
    { lead: t("host.lead"), back: backButton(t("host.back"), leave), cls: "host lead" },
    reachLines(silent || !online, lost),
    no && !lost && html`<p key="no" role="alert">${t(`tournament.no_${no}`)}</p>`,
    told !== undefined && !runs && nameForm("begin", t("tournament.name")),
    told &&
      html`
      <div class="two">
        <section key="now">${runs && [peopleNow(told), heatForm(told)]}${files()}</section>
        <section key="told">
          ${told.told
            .slice()
            .reverse()
            .map((heat) => heatPart(heat, runs))}
          <h2>${t(told.ended ? "tournament.final" : "tournament.places")}</h2>
          ${placesTable(told)}
        </section>
      </div>`
  );
}

function peopleNow(told) {
  return html`
    <div key="people">
      <h2>${t("tournament.check_in")}</h2>
      ${told.check_in && checkInCode(told.check_in)}
      ${button("door", t(told.open ? "tournament.shut" : "tournament.open"), () => wish({ do: told.open ? "shut" : "open" }))}
      ${nameForm("add", t("tournament.add_name"))}
      <p class="soft">${t("tournament.here", { n: told.lines.filter((one) => !one.gone).length })}</p>
      <ul class="device-list">
        ${told.lines
          .slice()
          .sort((a, b) => a.id - b.id)
          .map(personLine)}
      </ul>
    </div>`;
}

function personLine(one) {
  return html`
    <li key=${one.id}>
      <span class="who"><bdi>${one.name}</bdi></span>
      ${
        one.gone
          ? button("back", t("tournament.back"), () => wish({ do: "back", who: one.id }))
          : holdButton("leave", t("tournament.leave"), () => wish({ do: "leave", who: one.id }))
      }
    </li>`;
}

function heatForm(told) {
  const heat = told.told[told.told.length - 1];
  if (heat && !heat.closed)
    return html`
      <div key=${`heat-${heat.drawn_s}`}>
        <h2>${t("tournament.heat", { number: heat.number })}</h2>
        ${holdButton("close", t("tournament.close"), () => wish({ do: "close", drawn_s: heat.drawn_s }))}
        ${holdButton("drop", t("tournament.drop"), () => wish({ do: "drop", drawn_s: heat.drawn_s }))}
      </div>`;
  const { size, exact } = lead.get();
  const choose = ({ target }) => lead.set({ size: Number(target.value) });
  return html`
    <div key="draw">
      <h2>${t("tournament.heat", { number: told.heats + 1 })}</h2>
      <p class="next-size">
        <label for="size">${t("host.next_size")}</label>
        ${chooser(
          { id: "size", onchange: choose },
          options(
            size,
            SIZES.map((one) => [one, String(one)])
          )
        )}
      </p>
      ${button("exact", t("tournament.exact"), () => lead.set({ exact: !exact }), { pressed: exact })}
      ${button("draw", t("tournament.draw"), () => wish({ do: "draw", size, exact }))}
      ${stillOpen(told)}
      ${holdButton("end", t("tournament.end"), end)}
    </div>`;
}

// A name that was not written down any more is nobody's, and no next tournament's either.
async function end() {
  if (await wish({ do: "end" })) lead.set({ typed: "" });
}

// What the host would leave undecided by ending the tournament now.
function stillOpen(told) {
  const tables = [];
  for (const heat of told.told)
    for (const table of heat.tables)
      if (waitsForHost(table) || table.people.some((person) => person.otherwise))
        tables.push([
          t("tournament.heat", { number: heat.number }),
          t("board.table", { number: table.table }),
        ]);
  if (!tables.length) return null;
  const named = tables.map((names) => names.join(", ")).join("; ");
  return html`<p key="open" class="note">${t("tournament.open_still", { tables: named })}</p>`;
}

function files() {
  return html`
    <p key="files" class="season-orders">
      <a class="button" href="/api/tournament.csv" download>${t("tournament.csv")}</a>
      <a class="button" href="/api/tournament.json" download>${t("tournament.json")}</a>
    </p>`;
}

function heatPart(heat, runs) {
  return html`
    <div key=${heat.number}>
      <h2>${t(heat.closed ? "tournament.heat_closed" : "tournament.heat", { number: heat.number })}</h2>
      ${heat.byes.length > 0 && html`<p>${t("tournament.bye")} ${listed(heat.byes)}</p>`}
      ${heat.tables.map((table) => tablePart(heat, table, runs))}
    </div>`;
}

function tablePart(heat, table, runs) {
  return html`
    <div key=${table.table}>
      <p class="heat-head"><strong>${called(table)}</strong> <span class="soft">${stateWords(heat, table, !runs)}</span></p>
      <ul class="device-list">${table.people.map((person) => resultLine(heat, person, runs))}</ul>
    </div>`;
}

function resultLine(heat, person, runs) {
  const key = `${heat.number}-${person.id}`;
  const told = person.versions.map(([clouds, _found, by]) => t(`tournament.by_${by}`, { clouds }));
  return html`
    <li key=${key}>
      <span class="who">
        <bdi>${person.name}</bdi>
        <span class="soft small">
          ${person.by_seat && t("tournament.by_seat")} ${told.length > 1 && told.join(" → ")}
        </span>
      </span>
      <strong>${person.clouds === null ? "–" : person.clouds}</strong>
      ${
        runs &&
        person.otherwise &&
        button("take", t("tournament.take", { clouds: person.now[0] }), () =>
          wish({ do: "take", heat: heat.number, who: person.id })
        )
      }
      ${runs && (lead.get().fixing === key ? fixForm(heat, person) : textButton("fix", t("tournament.correct"), () => startFixing(key, person)))}
    </li>`;
}

function startFixing(key, person) {
  const plain = (number) => (number === null ? "" : String(number));
  lead.set({ fixing: key, clouds: plain(person.clouds), found: plain(person.found) });
}

function fixForm(heat, person) {
  const field = (name, label) => html`
    <label key=${name}>
      <span class="soft">${label}</span>
      <input class="print-input fix-number" inputmode="numeric" maxlength="3" autocomplete="off" value=${lead.get()[name]}
        oninput=${(event) => lead.set({ [name]: event.target.value })} />
    </label>`;
  const number = (text) => (/^\d{1,3}$/.test(text) ? Number(text) : null);
  const keep = async () => {
    const { clouds, found } = lead.get();
    const asked = { do: "correct", heat: heat.number, who: person.id };
    if (await wish(Object.assign(asked, { clouds: number(clouds), found: number(found || "0") })))
      lead.set({ fixing: null });
  };
  return html`
    <span class="fix-form">
      ${field("clouds", t("season.by_clouds"))}
      ${field("found", t("season.by_found"))}
      ${button("keep", t("tournament.keep"), keep)}
    </span>`;
}
