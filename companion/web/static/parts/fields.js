// Fields that several pages have: a row with choices, a row of switches, a stepper.

import { html } from "../core/html.js";
import { t } from "../core/words.js";

// Choices as [value, words]; `choose` gets the chosen value as a string.
export function selectRow(key, id, label, value, choices, choose) {
  return html`
    <div key=${key} class="row">
      <label for=${id}>${label}</label>
      <select id=${id} onchange=${(event) => choose(event.target.value)}>${options(value, choices)}</select>
    </div>`;
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
