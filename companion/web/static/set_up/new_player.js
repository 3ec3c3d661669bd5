// Who else comes to the table: people from other evenings to touch, and a field for a new name.

import { html } from "../core/html.js";
import { createStore } from "../core/store.js";
import { say, t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { badge, isSameName, peopleOf } from "../parts/people.js";
import {
  changeRing,
  LEAST_PLAYERS,
  MOST_PLAYERS,
  ring,
  seated,
  sitAsLastTime,
  sitDown,
  sitGuestDown,
  sitTypedDown,
} from "./ring.js";

const MOST_CHIPS = 12;

// The field for a new name: open or not (null: as long as people are missing, or something stands in it).
const field = createStore({ open: null });

function isOpen() {
  const { open } = field.get();
  const { names, typed, twice } = ring.get();
  return open === null ? names.length < LEAST_PLAYERS || typed !== "" || twice !== null : open;
}

export function whoElse() {
  const { names, known } = ring.get();
  const some = names.length > 0;
  const full = names.length >= MOST_PLAYERS;
  return html`
    <section key="who" class="who-else">
      <h2 class=${some ? null : "unseen"}>${t(full ? "setup.full" : some ? "setup.who_else" : "setup.who")}</h2>
      ${!some && lastTable()}
      ${!full && chips(names, known)}
      ${some && !field.get().open && html`<p class="soft hint spare">${t("setup.drag")}</p>`}
    </section>`;
}

// Everybody from last time with one tap.
function lastTable() {
  const { last, known } = ring.get();
  if (last.length < LEAST_PLAYERS || last.length > MOST_PLAYERS) return null;
  const people = peopleOf(last.map((name) => known.find((person) => person.name === name)));
  const drawing = html`<span class="tokens">${people.map((person) => html`<span key=${person.name}>${badge(person)}</span>`)}</span>`;
  return html`
    <p key="last" class="last-table">
      ${button("last", t("setup.last"), sitLastTable, { drawing, label: `${t("setup.last")}: ${last.join(", ")}` })}
    </p>`;
}

function chips(names, known) {
  const absent = known
    .filter((person) => !names.some((here) => isSameName(here, person.name)))
    .slice(0, MOST_CHIPS);
  const everybody = peopleOf(seated().concat(absent));
  const chip = (person) => html`
    <button key="chip-${person.name}" type="button" class="chip"
      onclick=${(_event, node) => sitFromChip(person.name, node)}>
      ${badge(person)}
      <bdi class="name">${person.name}</bdi>
    </button>`;
  const opener = () => html`
    <button key="new" type="button" class="chip" onclick=${() => field.set({ open: true })}>${t("setup.new")}</button>`;
  const guest = html`
    <button key="guest" type="button" class="chip" onclick=${sitGuest}>${t("setup.a_guest")}</button>`;
  const shown = everybody.slice(names.length).map(chip);
  return html`
    ${isOpen() && nameForm()}
    <div key="chips" class="chips">${shown}${guest}${!isOpen() && opener()}</div>`;
}

// A known name is touched: it goes to the table, and the focus to the chip that takes its place.
function sitFromChip(name, node) {
  const next = node.nextElementSibling || node.previousElementSibling;
  field.put({ open: null });
  sitTypedDown();
  sitDown(name);
  refocus(next);
}

function sitLastTable() {
  sitAsLastTime();
  sitTypedDown();
}

function sitGuest() {
  sitTypedDown();
  sitGuestDown();
}

// Where the focus goes when what had it is gone: there, or to the first seat when the table is
// full.
function refocus(node) {
  const there = node && node.isConnected ? node : document.querySelector(".seat[role=button]");
  if (there) there.focus();
}

function nameForm() {
  const { open } = field.get();
  const { typed, twice } = ring.get();
  const few = ring.get().names.length < LEAST_PLAYERS;
  const focus = (node) => open && node.focus(); // not unasked: a keyboard would cover the ring
  const submit = (event) => {
    event.preventDefault();
    const before = ring.get().names.length;
    sitTypedDown();
    const now = ring.get().names.length;
    if (now > before) field.set({ open: now < MOST_PLAYERS ? true : null });
    refocus(event.target.elements.player);
  };
  const type = (event) => changeRing({ typed: event.target.value, twice: null });
  const closeOnEscape = (event) => {
    if (event.key !== "Escape") return;
    field.put({ open: null });
    changeRing({ typed: "", twice: null });
  };
  return html`
    <form key="newform" class="new-form" onsubmit=${submit}>
      <input name="player" class="player-input" aria-label=${t("setup.name")} placeholder=${t("setup.name")}
        maxlength="40" autocomplete="off" enterkeyhint="done" dir="auto"
        value=${typed} aria-describedby=${twice === null ? null : "twice"} mounted=${focus} oninput=${type}
        onkeydown=${closeOnEscape} />
      <button key="add" type="submit" class=${["button", few && "primary"]}>${t("setup.add")}</button>
      ${
        twice !== null &&
        html`
        <p key="twice" id="twice" class="note twice" role="alert">${say("setup.twice", { name: twice })}</p>`
      }
    </form>`;
}
