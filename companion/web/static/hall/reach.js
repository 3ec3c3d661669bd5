// What a page of the hall says while the hall does not answer: how old its lines are, and that a tap
// did nothing.

import { html } from "../core/html.js";
import { t } from "../core/words.js";

// For a question or a tap that did not reach the hall: an answer that is none.
export const notReached = () => ({ status: 0, body: {} });

// `silent`: what stands here is how it stood; `lost`: the last tap did nothing.
export function reachLines(silent, lost) {
  return html`
    ${silent && html`<p key="silent" role="status">${t("board.offline")}</p>`}
    ${lost && html`<p key="lost" role="alert">${t("host.lost")}</p>`}`;
}
