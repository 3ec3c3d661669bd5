// Who else comes to the table: people from other evenings to touch, and a field for a new name.

import { html } from "../core/html.js";
import { createStore } from "../core/store.js";
import { say, t } from "../core/words.js";
import { badge, peopleOf } from "../parts/people.js";
import { isSameName, MOST_PLAYERS, ring, sitDown, tidyName } from "./ring.js";

const MOST_CHIPS = 12;

// The field for a new name: open or not, and the name that sits in the ring already.
const field = createStore({ open: false, twice: null });

export function whoElse() {
  const { names, known } = ring.get();
  const { open } = field.get();
  const some = names.length > 0;
  return html`
    <section key="who" class="who-else">
      <h2 class=${some ? null : "unseen"}>${t(some ? "setup.who_else" : "setup.who")}</h2>
      ${names.length >= MOST_PLAYERS ? html`<p class="soft">${t("setup.full")}</p>` : chips(names, known, open)}
      ${some && !open && html`<p class="soft hint">${t("setup.drag")}</p>`}
    </section>`;
}

function chips(names, known, open) {
  const absent = known
    .filter((name) => !names.some((here) => isSameName(here, name)))
    .slice(0, MOST_CHIPS);
  const shapes = peopleOf(
    names
      .concat(absent)
      .slice(0, MOST_PLAYERS)
      .map((name) => ({ name }))
  );
  const chip = (name) => {
    const shape = shapes.find((one) => one.name === name);
    return html`
      <button key="chip-${name}" type="button" class="chip" onclick=${(_event, node) => sitFromChip(name, node)}>
        ${shape && badge(shape)}
        <bdi class="name">${name}</bdi>
      </button>`;
  };
  const opener = () => html`
    <button key="new" type="button" class="chip" onclick=${() => field.set({ open: true })}>${t("setup.new")}</button>`;
  return html`<div class="chips">${absent.map(chip)}${open ? nameForm() : opener()}</div>`;
}

// A known name is touched: it goes to the table, and the focus to the chip that takes its place.
function sitFromChip(name, node) {
  const next = node.nextElementSibling || node.previousElementSibling;
  field.put({ open: false, twice: null });
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
  const { twice } = field.get();
  const submit = (event) => {
    event.preventDefault();
    const input = event.target.elements.player;
    const done = sitDown(input.value);
    if (done === "added") {
      input.value = "";
      field.set({ open: ring.get().names.length < MOST_PLAYERS, twice: null });
    } else if (done === "twice") field.set({ twice: tidyName(input.value) });
    refocus(input);
  };
  const forgive = () => {
    if (twice !== null) field.set({ twice: null });
  };
  const closeOnEscape = (event) => {
    if (event.key === "Escape") field.set({ open: false, twice: null });
  };
  return html`
    <form key="newform" class="new-form" onsubmit=${submit}>
      <input name="player" class="player-input" aria-label=${t("setup.name")} placeholder=${t("setup.name")}
        maxlength="40" autocomplete="off" enterkeyhint="done" dir="auto"
        aria-describedby=${twice === null ? null : "twice"} mounted=${(node) => node.focus()} oninput=${forgive}
        onkeydown=${closeOnEscape} />
      <button key="add" type="submit" class="chip">${t("setup.add")}</button>
      ${
        twice !== null &&
        html`
        <p key="twice" id="twice" class="note twice" role="alert">${say("setup.twice", { name: twice })}</p>`
      }
    </form>`;
}
