// The practice table in a small frame, so that a newcomer watches a game being kept.

import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { smallPicture } from "../parts/live_picture.js";

export function practiceFrame(board) {
  if (!board.practice || board.phase === "over") return null;
  return html`
    <a key="practice-frame" class="practice-frame" href="#camera" aria-label=${t("practice.look")}>
      ${smallPicture("live")}
    </a>`;
}
