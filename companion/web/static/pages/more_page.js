// More: this screen's own choices, and the few large things of an evening, each behind a steady
// finger.

import { command } from "../core/commands.js";
import { html } from "../core/html.js";
import { go, goToTable } from "../core/route.js";
import { keep, recall } from "../core/storage.js";
import { createStore, redraw } from "../core/store.js";
import { chooseLanguage, currentLanguage, LANGUAGES, t } from "../core/words.js";
import { button, holdButton } from "../parts/buttons.js";
import { deckStepper, options, switchRow } from "../parts/fields.js";
import { heading, page } from "../parts/page.js";
import { playSound, soundsOn } from "../screen/sound.js";
import { applyTheme } from "../screen/theme.js";
import { screen } from "../screen/this_screen.js";
import { wakeLockWords } from "../screen/wake_lock.js";
import { playersEditor } from "./players_editor.js";

// The deck's size as it is being changed; null while it is not.
const deck = createStore({ size: null });

export function morePage({ board, people }) {
  return page(
    "more",
    heading(t("more")),
    {},
    html`
      <nav class="ways" aria-label=${t("more")}>${ways(board)}</nav>
      <div class="two">${thisScreen(people)}${thisEvening(board)}${playersEditor(board, people)}</div>
      <p class="soft small about">Cloud Mine Companion ${screen.get().version}</p>`
  );
}

function ways(board) {
  const way = (key, signName) => button(key, t(`${key}.title`), () => go(key), { sign: signName });
  const mayChange = !screen.get().watching;
  const deckLies = board.phase === "setup" || board.phase === "over";
  return [
    way("rules", "cloud"),
    way("camera", "eye"),
    mayChange && way("screens", "more"),
    mayChange && way("print", "ledger"),
    mayChange && deckLies && way("deck", "cloud"),
    mayChange && board.round && board.camera.state !== "off" && way("piles", "hand"),
  ];
}

function thisScreen(people) {
  const languages = Object.keys(LANGUAGES).map((one) => [one, LANGUAGES[one], one]);
  const themes = ["auto", "day", "night"].map((one) => [one, t(`more.theme_${one}`)]);
  const onOff = [
    ["off", t("more.off")],
    ["on", t("more.on")],
  ];
  const chooseTheme = (theme) => {
    keep("theme", theme);
    applyTheme();
    redraw();
  };
  const chooseSound = (sound) => {
    keep("sound", sound);
    redraw();
    if (sound === "on") playSound("entered");
  };
  return html`
    <section key="screen">
      <h2>${t("more.screen")}</h2>
      ${switchRow("language", t("more.language"), currentLanguage(), languages, (one) => chooseLanguage(one).then(redraw))}
      ${switchRow("theme", t("more.theme"), recall("theme", "auto"), themes, chooseTheme)}
      ${switchRow("sound", t("more.sound"), soundsOn() ? "on" : "off", onOff, chooseSound)}
      ${people.length > 0 && sideRow(people)}
      <p class="soft">${t(wakeLockWords())}</p>
    </section>`;
}

// Which seat lies at this screen's lower edge.
function sideRow(people) {
  const choices = people.map((person, i) => [i, person.name]);
  const choose = ({ target }) => {
    keep("side", target.value);
    screen.set({ side: Number(target.value) });
  };
  return html`
    <div key="side" class="row">
      <label for="side">${t("more.side")}</label>
      <select id="side" onchange=${choose}>${options(screen.get().side % people.length, choices)}</select>
    </div>`;
}

function thisEvening(board) {
  if (screen.get().watching || !board.round) return null;
  const camera = board.camera.state === "off" ? "off" : "on";
  const choices = [
    ["on", t("more.on")],
    ["off", t("more.by_touch")],
  ];
  return html`
    <section key="evening">
      <h2>${t("more.evening")}</h2>
      ${switchRow("camera", t("more.camera"), camera, choices, (one) => command({ do: "camera", on: one === "on" }))}
      ${board.phase !== "over" && [deckRow(board), pauseRow(board), voidRow(board), endRow()]}
    </section>`;
}

// Send it, and show the table.
async function commandAndLeave(asked) {
  await command(asked);
  goToTable();
}

function deckRow(board) {
  const size = deck.get().size || board.deck_size;
  const keepSize = async () => {
    await command({ do: "deck", size });
    deck.set({ size: null });
  };
  return html`
    <div key="deck" class="row tall">
      <span id="deck-why">${t("more.deck_why")}</span>
      ${deckStepper("deck-why", size, (next) => deck.set({ size: next }))}
      ${size !== board.deck_size && button("deck-keep", t("more.deck_keep"), keepSize)}
    </div>`;
}

function pauseRow(board) {
  const paused = board.phase === "paused";
  const toggle = () => commandAndLeave({ do: paused ? "resume" : "pause" });
  return html`
    <div key="pause" class="row">
      <span>${t("more.pause_why")}</span>
      ${button("pause", t(paused ? "paused.resume" : "more.pause"), toggle)}
    </div>`;
}

function voidRow(board) {
  const send = (cards) => () => commandAndLeave({ do: "void", round: board.round.number, cards });
  return html`
    <div key="void" class="row tall">
      <span>${t("more.void")}</span>
      <span class="pair">
        ${holdButton("void-out", t("more.void_out"), send("out"))}
        ${holdButton("void-back", t("more.void_back"), send("back"))}
      </span>
    </div>`;
}

function endRow() {
  return html`
    <div key="end" class="row">
      <span>${t("more.end_why")}</span>
      ${holdButton("end", t("more.end"), () => commandAndLeave({ do: "end" }))}
    </div>`;
}
