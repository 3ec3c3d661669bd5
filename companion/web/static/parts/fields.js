// Fields that several pages have: a row with choices, a row of switches, a stepper.

import { html } from "../core/html.js";
import { t } from "../core/words.js";

const EDITIONS = ["en", "de", "cs"];
const HANDLINGS = ["auto", "tray", "away", "face-down"];

// Choices as [value, words]; `choose` gets the chosen value as a string.
export function selectRow(key, id, label, value, choices, choose) {
  return html`
    <div key=${key} class="row">
      <label for=${id}>${label}</label>
      ${chooser({ id, onchange: (event) => choose(event.target.value) }, options(value, choices))}
    </div>`;
}

// A select with a chevron, so that it looks like something to touch.
export function chooser({ id, onchange }, choices) {
  return html`<span class="chooser"><select id=${id} onchange=${onchange}>${choices}</select></span>`;
}

// By which rules is played.
export function editionRow(id, edition, choose) {
  const editions = EDITIONS.map((one) => [one, t(`edition.${one}`)]);
  return selectRow("edition", id, t("setup.rules"), edition, editions, choose);
}

// What becomes of wrong cards.
export function handlingRow(id, edition, handling, choose) {
  const automatic = edition === "de" ? "auto_de" : "auto_en";
  const words = (one) => t(`handling.${one === "auto" ? automatic : one}`);
  const handlings = HANDLINGS.map((one) => [one, words(one)]);
  return selectRow("handling", id, t("setup.handling"), handling, handlings, choose);
}

export function options(value, choices) {
  return choices.map(
    ([one, words]) =>
      html`<option key=${one} value="${one}" selected=${one === value}>${words}</option>`
  );
}

// Choices as [value, words, language of the words].
export function switchRow(key, label, value, choices, choose) {
  return html`
    <div key=${key} class="row">
      <span id="switch-${key}">${label}</span>
      <span class="switch" role="group" aria-labelledby="switch-${key}">
        ${choices.map(
          ([one, words, language]) => html`
            <button key=${one} type="button" lang=${language || null} aria-pressed="${one === value}"
              onclick=${() => choose(one)}>
              ${words}
            </button>`
        )}
      </span>
    </div>`;
}

// How many clouds the deck has; `step` gets the new number.
export function deckStepper(labelId, size, step) {
  const by = (key, label, drawn, change) => html`
    <button key=${key} type="button" class="round" aria-label=${label}
      onclick=${() => step(Math.max(8, Math.min(99, size + change)))}>
      ${drawn}
    </button>`;
  return html`
    <span class="stepper" role="group" aria-labelledby=${labelId}>
      ${by("less", t("setup.fewer"), "−", -1)}
      <strong key="n" aria-live="polite">${t("setup.clouds", { n: size })}</strong>
      ${by("plus", t("setup.more_cards"), "+", 1)}
    </span>`;
}
