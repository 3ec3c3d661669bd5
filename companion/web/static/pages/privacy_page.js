// What is kept where, what leaves the house (nothing), and how to delete it.

import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { heading, page } from "../parts/page.js";

const LINES = ["kept", "asked", "stills", "never", "here", "leaves", "delete"];

export function privacyPage() {
  return page(
    "privacy",
    heading(t("privacy.title")),
    { lead: t("privacy.lead") },
    html`
      <dl class="told">
        ${LINES.map(
          (line) => html`
            <div key=${line}>
              <dt>${t(`privacy.${line}`)}</dt>
              <dd>${t(`privacy.${line}_words`)}</dd>
            </div>`
        )}
      </dl>`
  );
}
