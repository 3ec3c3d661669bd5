// A cloud's name: five words at most, typed by whoever likes to, in its round or any time later;
// left out without a fuss.

import { afterCommand, command } from "../core/commands.js";
import { onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { createStore } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { quoted, t } from "../core/words.js";
import { button, textButton } from "../parts/buttons.js";
import { screen } from "../screen/this_screen.js";

const MOST_WORDS = 5;
const MOST_TRIES = 4;
const TRY_AGAIN_MS = 700;

// `typed` is what stands in the field, for the round with that `number`, in the ledger or at the table.
const CLOSED = { open: false, typed: "", number: null, ledger: false };
const naming = createStore(CLOSED);

// Whoever taps on without Keep has typed a name all the same: it is kept, and the field closes. What
// the camera or another screen does leaves the field alone, until the table goes on to another round.
afterCommand((asked) => {
  if (asked.do !== "name") leaveField();
});
onScoreboard((before, board) => {
  if (before && roundNumber(before) !== roundNumber(board)) leaveField();
});

function roundNumber({ round }) {
  return round && round.number;
}

function leaveField() {
  const { open, typed, number, ledger } = naming.get();
  if (!open || ledger) return;
  naming.put(CLOSED);
  const words = typed.trim();
  if (words) keepTyped(words, number);
}

// Another tap may take this one's place: then it is sent again. A name that is too long is said to be.
async function keepTyped(words, number) {
  if (isTooLong(words)) {
    showToast("name.five");
    return;
  }
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (await command({ do: "name", words, round: number })) return;
    await new Promise((goOn) => setTimeout(goOn, TRY_AGAIN_MS));
  }
}

export function isNaming() {
  const { open, ledger } = naming.get();
  return open && !ledger && !screen.get().watching;
}

function isNamed(round, ledger) {
  const now = naming.get();
  return now.open && now.ledger === ledger && now.number === round.number;
}

function cloudName(words) {
  return html`<p class="cloud-name" key="cloudname">${quoted(words)}</p>`;
}

// The name, or the field for it.
export function nameBlock(round) {
  if (!screen.get().watching && isNamed(round, false)) return nameForm(round);
  return round.name && cloudName(round.name);
}

export function nameOpener(round) {
  if (screen.get().watching || round.name || isNaming()) return null;
  return nameButton(t("name.write"), round, false);
}

// The same in the ledger, where a name that was written down can be written anew.
export function nameChanger(round) {
  if (screen.get().watching) return null;
  if (isNamed(round, true)) return nameForm(round);
  const words = t(round.name ? "name.change" : "name.write");
  return html`<p key="name">${nameButton(words, round, true)}</p>`;
}

export function closeName() {
  naming.put(CLOSED);
}

function nameButton(words, { number }, ledger) {
  return textButton("naming", words, () => naming.set({ open: true, typed: "", number, ledger }));
}

function isTooLong(words) {
  return words.trim().split(/\s+/).length > MOST_WORDS;
}

// An empty field that is kept takes the name away.
function nameForm(round) {
  const close = () => naming.set(CLOSED);
  const submit = async (event) => {
    event.preventDefault();
    const words = event.target.elements.words.value.trim();
    if (isTooLong(words)) showToast("name.five");
    else if (!words && !round.name) close();
    else if (await command({ do: "name", words, round: round.number })) close();
  };
  const check = (event) => {
    naming.put(Object.assign({}, naming.get(), { typed: event.target.value }));
    document.getElementById("five").classList.toggle("warn", isTooLong(event.target.value));
  };
  const closeOnEscape = (event) => {
    if (event.key === "Escape") close();
  };
  const fill = (node) => {
    node.value = naming.get().typed || round.name || "";
    node.focus();
  };
  return html`
    <form key="nameform" class="name-form" onsubmit=${submit}>
      <label for="words" id="five">${t(round.name ? "name.five_or_none" : "name.five")}</label>
      <div class="name-line">
        <input id="words" name="words" class="cloud-input" maxlength="80" autocomplete="off" autocapitalize="off"
          enterkeyhint="done" dir="auto" oninput=${check} onkeydown=${closeOnEscape} mounted=${fill} />
        <button class="button" type="submit"><span class="label">${t("name.keep")}</span></button>
      </div>
      ${button("noname", t(round.name ? "name.as_it_is" : "name.leave"), close, { cls: "quiet-button" })}
    </form>`;
}
