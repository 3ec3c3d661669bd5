// Who else comes to the table: people from other evenings to touch, and a field for a new name.

import { html } from "../core/html.js";
import { createStore } from "../core/store.js";
import { say, t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { badge, isSameName, peopleOf, tidyName } from "../parts/people.js";
import {
  LEAST_PLAYERS,
  MOST_PLAYERS,
  ring,
  seated,
  sitAsLastTime,
  sitDown,
  sitGuestDown,
} from "./ring.js";

const MOST_CHIPS = 12;

// The field for a new name: open or not (null: as long as people are missing), and the name that
// sits in the ring already.
const field = createStore({ open: null, twice: null });

function isOpen() {
  const { open } = field.get();
  return open === null ? ring.get().names.length < LEAST_PLAYERS : open;
}

export function whoElse() {
  const { names, known } = ring.get();
  const some = names.length > 0;
  return html`
    <section key="who" class="who-else">
      <h2 class=${some ? null : "unseen"}>${t(some ? "setup.who_else" : "setup.who")}</h2>
      ${!some && lastTable()}
      ${names.length >= MOST_PLAYERS ? html`<p class="soft">${t("setup.full")}</p>` : chips(names, known)}
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
      ${button("last", t("setup.last"), sitAsLastTime, { drawing, label: `${t("setup.last")}: ${last.join(", ")}` })}
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
    <button key="guest" type="button" class="chip" onclick=${sitGuestDown}>${t("setup.a_guest")}</button>`;
  const shown = everybody.slice(names.length).map(chip);
  return html`
    ${isOpen() && nameForm()}
    <div key="chips" class="chips">${shown}${guest}${!isOpen() && opener()}</div>`;
}

// A known name is touched: it goes to the table, and the focus to the chip that takes its place.
function sitFromChip(name, node) {
  const next = node.nextElementSibling || node.previousElementSibling;
  field.put({ open: null, twice: null });
  sitDown(name);
  refocus(next);
}

// Where the focus goes when what had it is gone: there, or to the first seat when the table is
// full.
function refocus(node) {
  const there = node && node.isConnected ? node : document.querySelector(".seat[role=button]");
  if (there) there.focus();
}

function nameForm() {
  const { open, twice } = field.get();
  const few = ring.get().names.length < LEAST_PLAYERS;
  const focus = (node) => open && node.focus(); // not unasked: a keyboard would cover the ring
  const submit = (event) => {
    event.preventDefault();
    const input = event.target.elements.player;
    const done = sitDown(input.value);
    if (done === "added") {
      input.value = "";
      field.set({ open: ring.get().names.length < MOST_PLAYERS ? true : null, twice: null });
    } else if (done === "twice") {
      field.set({ twice: tidyName(input.value) });
      input.value = "";
    }
    refocus(input);
  };
  const forgive = () => {
    if (twice !== null) field.set({ twice: null });
  };
  const closeOnEscape = (event) => {
    if (event.key === "Escape") field.set({ open: null, twice: null });
  };
  return html`
    <form key="newform" class="new-form" onsubmit=${submit}>
      <input name="player" class="player-input" aria-label=${t("setup.name")} placeholder=${t("setup.name")}
        maxlength="40" autocomplete="off" enterkeyhint="done" dir="auto"
        aria-describedby=${twice === null ? null : "twice"} mounted=${focus} oninput=${forgive}
        onkeydown=${closeOnEscape} />
      <button key="add" type="submit" class=${["button", few && "primary"]}>${t("setup.add")}</button>
      ${
        twice !== null &&
        html`
        <p key="twice" id="twice" class="note twice" role="alert">${say("setup.twice", { name: twice })}</p>`
      }
    </form>`;
}
