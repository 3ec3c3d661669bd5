// More: the ways to everything else, and three pages of settings: this screen, this evening with its
// few large things behind a steady finger, and who sits where.

import { command } from "../core/commands.js";
import { onOtherEvening } from "../core/evening.js";
import { html } from "../core/html.js";
import { currentPage, followPage, goToTable } from "../core/route.js";
import { keep, recall } from "../core/storage.js";
import { createStore, redraw } from "../core/store.js";
import { chooseLanguage, currentLanguage, LANGUAGES, t } from "../core/words.js";
import { button, holdButton } from "../parts/buttons.js";
import {
  chooser,
  deckStepper,
  editionRow,
  handlingRow,
  options,
  switchRow,
} from "../parts/fields.js";
import { heading, page } from "../parts/page.js";
import { sign } from "../parts/signs.js";
import { sayAloud } from "../screen/announce.js";
import { lieBefore } from "../screen/side.js";
import { playSound, soundsOn } from "../screen/sound.js";
import { applyTheme } from "../screen/theme.js";
import { screen } from "../screen/this_screen.js";
import { wakeLockWords } from "../screen/wake_lock.js";
import { playersEditor } from "./players_editor.js";

// The deck's size as it is being changed; null while it is not.
const deck = createStore({ size: null });

// A size that was not entered stays behind with its page, and with its evening.
const forgetSize = () => deck.put({ size: null });
followPage(() => {
  if (currentPage() !== "evening") forgetSize();
});
onOtherEvening(forgetSize);

export function morePage({ board, people }) {
  return settingsPage(board, "screen", thisScreen(people));
}

export function eveningPage({ board }) {
  const content = isChangeable(board) ? changes(board, thisEvening) : nothingHere();
  return settingsPage(board, "evening", content);
}

export function seatsPage({ board, people }) {
  const editor = () => playersEditor(board, people);
  const plays = isChangeable(board) && board.phase !== "over";
  return settingsPage(board, "seats", plays ? changes(board, editor) : nothingHere());
}

// The practice table's people, rules and end stay as they are while it plays.
function changes(board, content) {
  return board.practice ? html`<p class="soft">${t("practice.fixed")}</p>` : content(board);
}

function isChangeable(board) {
  return !screen.get().watching && !!board.round;
}

// A page that was open while the evening ended, or opened on a screen that only watches.
function nothingHere() {
  return html`<p class="soft">${t(screen.get().watching ? "more.watch" : "more.none")}</p>`;
}

function settingsPage(board, name, content) {
  return page(
    "more",
    heading(t("more")),
    {},
    html`
      <div class=${["more-two", name !== "screen" && "inside"]}>
        <nav class="ways" aria-label=${t("more")}>${ways(board)}</nav>
        <section key=${name} class=${["settings-list", name !== "screen" && "sends"]}>
          <h2>${t(`${name}.title`)}</h2>
          ${content}
          <p class="soft small about">Cloud Mine Companion ${screen.get().version}</p>
        </section>
      </div>`
  );
}

// The settings first, then the other pages, each with its sign.
function ways(board) {
  const mayChange = !screen.get().watching;
  const deckLies = board.phase === "setup" || board.phase === "over";
  const plays = isChangeable(board);
  const offered = [
    ["more", "screen", "touch"],
    plays && ["evening", "evening", "sun"],
    plays && board.phase !== "over" && ["seats", "seats", "seats"],
    ["rules", "rules", "book"],
    ["camera", "camera", "eye"],
    mayChange && ["screens", "screens", "screen"],
    mayChange && ["hall", "hall", "hall"],
    mayChange && ["print", "print", "printer"],
    mayChange && deckLies && !board.learnt_deck && ["deck", "deck", "stack"],
    plays && board.camera.state !== "off" && ["piles", "piles", "piles"],
    ["evenings", "evenings", "ribbon"],
    ["privacy", "privacy", "cloud"],
    mayChange && ["recording", "recording", "strip"],
    mayChange && board.camera.state !== "off" && ["stills", "stills", "again"],
    mayChange && ["kept", "kept", "album"],
  ];
  return offered.filter(Boolean).map(way);
}

function way([target, words, signName]) {
  const here = currentPage() === target;
  return html`
    <a key=${target} class=${["way", here && "here"]} href="#${target}" aria-current=${here ? "page" : null}>
      ${sign(signName)}
      <span>${t(`${words}.title`)}</span>
    </a>`;
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
  const speak = async (language) => {
    await chooseLanguage(language);
    sayAloud(""); // what was said last was said in the other language
    redraw();
  };
  const chooseSound = (sound) => {
    keep("sound", sound);
    redraw();
    if (sound === "on") playSound("entered");
  };
  return html`
    ${switchRow("language", t("more.language"), currentLanguage(), languages, speak)}
    ${switchRow("theme", t("more.theme"), recall("theme", "auto"), themes, chooseTheme)}
    ${switchRow("sound", t("more.sound"), soundsOn() ? "on" : "off", onOff, chooseSound)}
    ${people.length > 0 && sideRow(people)}
    <p class="soft">${t(wakeLockWords())}</p>`;
}

// Which seat lies at this screen's lower edge.
function sideRow(people) {
  const choices = people.map((person, i) => [i, person.name]);
  const choose = ({ target }) => lieBefore(Number(target.value));
  return html`
    <div key="side" class="row">
      <label for="side">${t("more.side")}</label>
      ${chooser({ id: "side", onchange: choose }, options(screen.get().side % people.length, choices))}
    </div>`;
}

function thisEvening(board) {
  const camera = board.camera.state === "off" ? "off" : "on";
  const choices = [
    ["on", t("more.on")],
    ["off", t("more.by_touch")],
  ];
  const turn = (one) => command({ do: "camera", on: one === "on" });
  const { edition, handling } = board;
  const play = (changed) => command(Object.assign({ do: "rules", edition, handling }, changed));
  return html`
    ${board.camera.name ? switchRow("camera", t("more.camera"), camera, choices, turn) : noCameraRow()}
    ${
      board.phase !== "over" && [
        editionRow("edition", edition, (one) => play({ edition: one })),
        handlingRow("handling", edition, handling, (one) => play({ handling: one })),
        deckRow(board),
        pauseRow(board),
        isDealt(board) && voidRow(board),
        endRow(),
      ]
    }`;
}

// Without a camera there is nothing to switch.
function noCameraRow() {
  return html`
    <div key="camera" class="row">
      <span>${t("more.camera")}</span>
      <span class="soft">${t("camera.off")} ${t("camera.off_why")}</span>
    </div>`;
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
      ${size !== board.deck_size && button("deck-keep", t("more.deck_keep"), keepSize, { sends: true })}
    </div>`;
}

function pauseRow(board) {
  const paused = board.phase === "paused";
  const toggle = () => commandAndLeave({ do: paused ? "resume" : "pause" });
  return html`
    <div key="pause" class="row">
      <span>${t("more.pause_why")}</span>
      ${button("pause", t(paused ? "paused.resume" : "more.pause"), toggle, { sends: true })}
    </div>`;
}

// True once the round's cards lie: before that there is nothing that could not count.
function isDealt({ round, rounds }) {
  return rounds.some((one) => one.number === round.number);
}

function voidRow(board) {
  const { number } = board.round;
  const send = (cards) => () => commandAndLeave({ do: "void", round: number, cards });
  return html`
    <div key="void${number}" class="row tall">
      <span>${t("more.void", { n: number })}</span>
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
