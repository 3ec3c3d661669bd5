// The pictures of rounds that are kept for the album: the switch, how much lies there, for how long.

import { html } from "../core/html.js";
import { get, post, troubleOf } from "../core/requests.js";
import { currentPage, followPage } from "../core/route.js";
import { createStore, redraw } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { t } from "../core/words.js";
import { holdButton } from "../parts/buttons.js";
import { selectRow } from "../parts/fields.js";
import { bringPages } from "../parts/late_pages.js";
import { heading, page } from "../parts/page.js";
import { screen } from "../screen/this_screen.js";
import { picturesRow } from "../stills/stills.js";

const DAYS = [7, 30, 90, 365];

// What lies there (null: not asked yet).
const kept = createStore({ there: null, asked: false });

followPage(() => kept.put({ there: null, asked: false }));

// What another screen chose is followed while the page is looked at.
const AGAIN_MS = 5000;
let next = 0;

function askAgain() {
  if (currentPage() !== "kept") return;
  kept.put({ asked: false });
  redraw();
}

function ask() {
  if (kept.get().asked) return;
  kept.put({ asked: true });
  clearTimeout(next);
  next = setTimeout(askAgain, AGAIN_MS);
  get("/api/pictures").then(
    (there) => kept.set({ there }),
    () => undefined
  );
}

async function say(what) {
  const answer = await post("/api/pictures", what).catch(() => null);
  if (answer && answer.status === 200) kept.set({ there: answer.body });
  else if (answer && answer.body.error === "cannot_delete") {
    kept.put({ asked: false }); // how much is left
    showToast("said.not_deleted");
  } else showToast(troubleOf(answer || { body: {} }));
}

function keptPage({ board }) {
  const { watching } = screen.get();
  if (!watching) ask();
  const { there } = kept.get();
  const noCamera = board.camera.state === "off";
  return page(
    "kept",
    heading(t("kept.title")),
    { lead: t(board.pictures ? "stills.is_on" : "kept.is_off") },
    html`
      <div class="kept-about">
        <p>${t("kept.what")}</p>
        ${noCamera && html`<p class="note">${t("kept.no_camera")}</p>`}
        ${there && there.trouble && html`<p class="note">${t("kept.trouble")}</p>`}
        ${!watching && picturesRow(board)}
        ${!watching && there && whatLiesThere(there)}
      </div>`
  );
}

function whatLiesThere({ pictures, size_mb: size, days }) {
  const choices = [["", t("kept.never")]].concat(
    DAYS.concat(days && DAYS.indexOf(days) < 0 ? [days] : []).map((n) => [
      String(n),
      t("kept.days", { n }),
    ])
  );
  const choose = (value) => say({ days: value === "" ? null : Number(value) });
  return html`
    ${selectRow("days", "kept-days", t("kept.until"), days ? String(days) : "", choices, choose)}
    <p class="kept-there"><strong>${pictures ? t("kept.there", { n: pictures, size }) : t("kept.none")}</strong></p>
    ${pictures > 0 && html`<p>${holdButton("delete", t("kept.delete"), () => say({ delete: true }))}</p>`}`;
}

bringPages({ kept: keptPage });
