// Who sits where from the next round on: someone comes late, leaves, or swaps seats; a leaver's
// clouds stay theirs.

import { command } from "../core/commands.js";
import { comingNames, evening, onOtherEvening, onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { roundSizeFor } from "../core/round_sizes.js";
import { forget, keep, recall } from "../core/storage.js";
import { createStore } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { say, t } from "../core/words.js";
import { holdButton } from "../parts/buttons.js";
import { badge, isSameName, listed, peopleOf, signsAt, tidyName } from "../parts/people.js";
import { sayAloud } from "../screen/announce.js";
import { guestNames, LEAST_PLAYERS, MOST_PLAYERS } from "../set_up/ring.js";

// The names in the order of their seats, while they are being changed (null while they are not), and what
// stands in the field for a new one.
const seats = createStore({ names: null, typed: "" });

// A page that is loaded anew finds again what was not entered, where the same people are still to come.
onScoreboard((before, board) => {
  if (before) return;
  try {
    const kept = JSON.parse(recall("seats", "{}"));
    if (kept.at === board.evening && isSame(kept.coming, comingNames(board))) seats.put(kept.draft);
  } catch (_error) {
    forget("seats");
  }
});

// Change what is not entered yet, and keep it as it is now.
function change(changed) {
  seats.set(changed);
  const { board } = evening.get();
  const draft = seats.get();
  if (draft.names === null && !draft.typed) forget("seats");
  else keep("seats", JSON.stringify({ at: board.evening, coming: comingNames(board), draft }));
}

function forgetChanges(changed) {
  forget("seats");
  seats.put(changed);
}

onOtherEvening(() => forgetChanges({ names: null, typed: "" }));

// While a change of this screen's own is under way.
let entering = false;

// Where others changed who will sit, an older list means nothing any more.
onScoreboard((before, board) => {
  if (!before || !seats.get().names || isSame(comingNames(before), comingNames(board))) return;
  forgetChanges({ names: null });
  if (!entering) showToast("said.stale");
});

function isSame(names, others) {
  return JSON.stringify(names) === JSON.stringify(others);
}

// What is moved back to how it is coming is no change.
function seatAs(names, more) {
  const coming = comingNames(evening.get().board);
  change(Object.assign({ names: isSame(names, coming) ? null : names }, more));
}

export function playersEditor(board, people) {
  if (board.phase === "over") return null;
  const coming = comingNames(board);
  const names = seats.get().names || coming;
  const told = withTyped(names);
  const signs = signsAt(names, people);
  const shown = peopleOf(names.map((name, i) => ({ name, sign: signs[i] })));
  return html`
    <div key="players">
      <p class="soft">${t("seats.why", { round: board.next.number })}</p>
      <ol class="seat-list">
        ${shown.map((person, i) => seatLine(person, i, names))}
      </ol>
      ${names.length < MOST_PLAYERS && lateForm(names)}
      ${whatThatMeans(told, board, people)}
      ${
        !isSame(told, coming) &&
        html`<p>${holdButton("seats", t("seats.hold", { round: board.next.number }), () => enter(names, coming), { cls: "primary" })}</p>`
      }
    </div>`;
}

// Who played here before is called as then, however a keyboard writes it.
function asWritten(name) {
  const known = evening.get().people.find((person) => isSameName(person.name, name));
  return known ? known.name : name;
}

// Whoever was typed counts, whether "Add" was tapped or not.
function withTyped(names) {
  const name = asWritten(tidyName(seats.get().typed));
  const twice = names.some((other) => isSameName(other, name));
  return !name || twice || names.length >= MOST_PLAYERS ? names : names.concat([name]);
}

// Take what stands in the field in; false where that name sits there already.
function addTyped(names) {
  const all = withTyped(names);
  const twice = all === names && tidyName(seats.get().typed) !== "";
  if (twice) {
    showToast("refused.player_twice");
    return false;
  }
  seatAs(all, { typed: "" });
  if (all !== names) sayAloud(seatsAloud(all));
  return true;
}

// Who comes and who goes, entered already or not yet: [words' key, names] of each that happens.
function comeAndGone(names, board, people) {
  const coming = comingNames(board);
  const sitting = people.filter((person) => !person.away).map((person) => person.name);
  const without = (list, other) => list.filter((name) => other.indexOf(name) < 0);
  const won = people.filter((person) => person.away && person.cards).map((person) => person.name);
  const come = without(names, sitting);
  const late = without(come, won);
  return [
    ["seats.come", late],
    ["seats.back", without(come, late)],
    ["seats.stay", without(without(names, coming), come)],
    ["seats.gone", without(sitting.concat(without(coming, sitting)), names)],
  ].filter(([, who]) => who.length > 0);
}

// That, and what the table's new size is for the rounds to come.
function whatThatMeans(names, board, people) {
  const moved = comeAndGone(names, board, people);
  const sitting = people.filter((person) => !person.away).length;
  const resized = names.length !== sitting || names.length !== comingNames(board).length;
  if (!moved.length && !resized) return null;
  const size = roundSizeFor(names.length);
  const more = size && Math.floor(board.deck_left / size.cards);
  const round = board.next.number;
  return html`
    <ul class="note what-follows">
      ${moved.map(([key, who]) => html`<li key=${key}>${say(key, { name: listed(who), n: who.length, round })}</li>`)}
      ${size && resized && html`<li key="size">${t("seats.size", { n: names.length, cards: size.cards })} ${t("seats.more", { n: more })}</li>`}
    </ul>`;
}

// What is read aloud of these names: who comes and who goes, or from when on they sit so.
function seatsAloud(names) {
  const { board, people } = evening.get();
  const round = board.next.number;
  const moved = comeAndGone(names, board, people).map(([key, who]) =>
    t(key, { name: who.join(", "), n: who.length, round })
  );
  return moved.join(" ") || t("seats.why", { round });
}

async function enter(names, coming) {
  const all = withTyped(names);
  if (!addTyped(names)) return;
  const said = seatsAloud(all); // of who sits there before they change places
  entering = true;
  const taken = await command({ do: "players", players: all, instead_of: coming });
  entering = false;
  if (!taken) return;
  change({ names: null, typed: "" });
  sayAloud(`${t("seats.entered")} ${said}`);
}

function seatLine(person, i, names) {
  const { name } = person;
  const others = names.filter((other) => other !== name);
  const move = (by) => () => {
    const moved = others.slice();
    moved.splice((i + by + names.length) % names.length, 0, name);
    seatAs(moved);
    sayAloud(t("setup.seat", { name, n: moved.indexOf(name) + 1 }));
  };
  const leave = () => {
    seatAs(others);
    sayAloud(seatsAloud(others));
  };
  const small = (words, drawn, act, disabled) => html`
    <button type="button" class="round" disabled=${!!disabled} aria-label=${t(words, { name })} onclick=${act}>
      ${drawn}
    </button>`;
  return html`
    <li key=${name}>
      ${badge(person)}
      <bdi class="who">${name}</bdi>
      ${small("seats.earlier", "↑", move(-1))}
      ${small("seats.later", "↓", move(1))}
      ${small("seats.leaves", "×", leave, names.length <= LEAST_PLAYERS)}
    </li>`;
}

function lateForm(names) {
  const guest = () => {
    const all = withTyped(names);
    const free = guestNames().find((name) => !all.some((other) => isSameName(other, name)));
    if (!addTyped(names) || !free || all.length >= MOST_PLAYERS) return;
    seatAs(all.concat([free]));
    sayAloud(seatsAloud(all.concat([free])));
  };
  const add = (event) => {
    event.preventDefault();
    addTyped(names);
  };
  return html`
    <form class="new-form" onsubmit=${add}>
      <input name="late" class="player-input" aria-label=${t("setup.name")} placeholder=${t("setup.name")} maxlength="40"
        autocomplete="off" dir="auto" value=${seats.get().typed}
        oninput=${(event) => change({ typed: event.target.value })} />
      <button type="submit" class="button">${t("setup.add")}</button>
      <button type="button" class="button" onclick=${guest}>${t("setup.a_guest")}</button>
    </form>`;
}
