// The frame of a whole page: its head with the way back, and what stands below it.

import { evening, lostKey } from "../core/evening.js";
import { html } from "../core/html.js";
import { goToTable } from "../core/route.js";
import { t } from "../core/words.js";
import { button } from "./buttons.js";

// `more`: what stands beside the heading (`lead`), further classes (`cls`), another way `back`.
export function page(name, heading, more, ...content) {
  const { lead, cls, back } = more;
  return html`
    <main key=${name} class=${["sheet", cls || name]}>
      <header class="sheet-head">
        ${heading}
        <p class="soft">${lead}</p>
        ${back || backButton(t("back_to_table"), goToTable)}
      </header>
      ${lostLine(evening.get())}
      ${content}
    </main>`;
}

// What stands on a page while the table cannot be reached is how it stood.
function lostLine({ board, online }) {
  if (online || !board) return null;
  return html`<p key="lost" class="note" role="status">${t(lostKey(board))}</p>`;
}

export function backButton(words, act) {
  return button("back", words, act, { sign: "back", cls: "back" });
}

export function heading(words) {
  return html`<h1>${words}</h1>`;
}

// For a page whose first heading is what it found.
export function smallHeading(words) {
  return html`<p><strong>${words}</strong></p>`;
}
