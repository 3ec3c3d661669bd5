// A cloud's name: five words at most, typed by whoever likes to, in its round or any time later;
// left out without a fuss.

import { afterCommand, command } from "../core/commands.js";
import { evening, onOtherEvening, onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { numberNow } from "../core/round_numbers.js";
import { createStore } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { quoted, t } from "../core/words.js";
import { button, textButton } from "../parts/buttons.js";
import { screen } from "../screen/this_screen.js";

const MOST_WORDS = 5;
const MOST_TRIES = 4;
const TRY_AGAIN_MS = 700;

// The field at the table, and the one in the ledger: what stands in it, for the round with that `number`.
// Its name when it was opened is `was`; `told` is one that another screen gave since, once that was said.
const CLOSED = { open: false, typed: "", number: null, was: "", told: "" };
const atTable = createStore(CLOSED);
const inLedger = createStore(CLOSED);

// Whoever taps on without Keep has typed a name all the same: it is kept, and the field closes. What
// the camera or another screen does leaves a field alone in which something stands, also when the table
// goes on; when the round after that one begins, too, nobody types in it any more.
afterCommand((asked) => {
  if (asked.do !== "name") leaveField(atTable);
});
onScoreboard((before, board) => {
  if (!before) return;
  for (const field of [atTable, inLedger]) follow(field, before, board);
  const { round } = board;
  const { open, typed, number } = atTable.get();
  if (!before.round || !open || !round || round.number === before.round.number) return;
  if (!typed.trim() || round.number > number + 1) leaveField(atTable);
});
onOtherEvening(() => {
  for (const field of [atTable, inLedger]) lose(field, "name.lost");
});

// A field stays with its round where the numbers move.
function follow(field, before, board) {
  const { open, number } = field.get();
  if (!open || number === null || before.evening !== board.evening) return;
  const now = numberNow(number, before.inserted, board.inserted);
  if (now === null) lose(field, "name.round_gone");
  else field.put({ number: now });
}

function lose(field, why) {
  const words = field.get().typed.trim();
  field.put(CLOSED);
  if (words) showToast(why, { words });
}

// Enter what stands in the field for its round, and close it. False where it is too long a name: then it
// stays, and that is said.
function leaveField(field) {
  const { open, typed, number, was } = field.get();
  const words = open ? typed.trim() : "";
  if (isTooLong(words)) {
    showToast("name.five");
    return false;
  }
  field.put(CLOSED);
  if (words) keepTyped(words, number, was);
  return true;
}

// Another tap may take this one's place: then it is sent again. A name that another screen gave meanwhile
// stays.
async function keepTyped(words, number, was) {
  const { inserted } = evening.get().board;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const round = numberNow(number, inserted, evening.get().board.inserted);
    if (round === null) return;
    const now = nameOf(round) || "";
    if (now === words) return;
    if (now && now !== was) {
      showToast("name.not_entered", { words, now });
      return;
    }
    if (await command({ do: "name", words, round, instead_of: now })) return;
    await new Promise((goOn) => setTimeout(goOn, TRY_AGAIN_MS));
  }
}

export function isNaming() {
  return atTable.get().open && !screen.get().watching;
}

function cloudName(words) {
  return html`<p class="cloud-name" key="cloudname">${quoted(words)}</p>`;
}

// The name, or the field for it; above it the field of another round in which somebody still types. Where
// the column shows no round there is only that.
export function nameBlock(round) {
  const shown = round && round.number;
  const own = isNaming() && atTable.get().number === shown;
  return [
    isNaming() && nameForm(atTable, shown),
    round && !own && round.name && cloudName(round.name),
  ];
}

export function nameOpener(round) {
  if (screen.get().watching || round.name || isNaming()) return null;
  return nameButton(t("name.write"), round, atTable);
}

// The same in the ledger, where a name that was written down can be written anew.
export function nameChanger(round) {
  if (screen.get().watching) return null;
  const { open, number } = inLedger.get();
  if (open && number === round.number) return nameForm(inLedger, number);
  const words = t(round.name ? "name.change" : "name.write");
  return html`<p key="name">${nameButton(words, round, inLedger)}</p>`;
}

// Another round is opened in the ledger: a name that was typed there counts as well. False where the field
// must stay.
export function leaveLedgersField() {
  return leaveField(inLedger);
}

function nameButton(words, { number }, field) {
  const open = () =>
    leaveField(field) &&
    field.set({ open: true, typed: "", number, was: nameOf(number) || "", told: "" });
  return textButton("naming", words, open);
}

// How the round with this number is called by now.
function nameOf(number) {
  const { round, rounds } = evening.get().board;
  const named = rounds.find((one) => one.number === number) || round;
  return named && named.number === number ? named.name : null;
}

function isTooLong(words) {
  return words.trim().split(/\s+/).length > MOST_WORDS;
}

// The field says which round it is for where another one is `shown`. An empty one that is kept takes the
// name away.
function nameForm(field, shown) {
  const { number } = field.get();
  const now = nameOf(number);
  const asks = t(now ? "name.five_or_none" : "name.five");
  const close = () => field.set(CLOSED);
  const submit = async (event) => {
    event.preventDefault();
    const words = event.target.elements.words.value.trim();
    const called = nameOf(number) || "";
    const { was, told } = field.get();
    if (isTooLong(words)) showToast("name.five");
    else if (words === called) close();
    else if (called && called !== was && called !== told) {
      field.put({ told: called });
      showToast("name.given", { now: called });
    } else if (await command({ do: "name", words, round: number, instead_of: called })) close();
  };
  const check = (event) => {
    field.put({ typed: event.target.value });
    document.getElementById("five").classList.toggle("warn", isTooLong(event.target.value));
  };
  const closeOnEscape = (event) => {
    if (event.key === "Escape") close();
  };
  const fill = (node) => {
    node.value = field.get().typed || now || "";
    node.focus();
  };
  return html`
    <form key="nameform" class="name-form" onsubmit=${submit}>
      <label for="words" id="five">${number === shown ? asks : `${t("ledger.round")} ${number}: ${asks}`}</label>
      <div class="name-line">
        <input id="words" name="words" class="cloud-input" maxlength="80" autocomplete="off" autocapitalize="off"
          enterkeyhint="done" dir="auto" oninput=${check} onkeydown=${closeOnEscape} mounted=${fill} />
        <button class="button" type="submit"><span class="label">${t("name.keep")}</span></button>
      </div>
      ${button("noname", t(now ? "name.as_it_is" : "name.leave"), close, { cls: "quiet-button" })}
    </form>`;
}
