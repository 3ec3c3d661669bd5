// The deck check: cards laid out or shown in any number tick themselves off; what is missing,
// doubled or hard to read is named.

import { evening } from "../core/evening.js";
import { html } from "../core/html.js";
import { createPoll } from "../core/poll.js";
import { post, postTap, upload } from "../core/requests.js";
import { currentPage, goToTable } from "../core/route.js";
import { createStore } from "../core/store.js";
import { t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { thumb, thumbList } from "../parts/cards.js";
import { about } from "../parts/drawings.js";
import { bringPages } from "../parts/late_pages.js";
import { largePicture } from "../parts/live_picture.js";
import { heading, page } from "../parts/page.js";
import { printAgain } from "../print/print_page.js";
import { sayAloud } from "../screen/announce.js";
import { screen } from "../screen/this_screen.js";
import { openRing, ring } from "../set_up/ring.js";
import { shrunkPhoto } from "./photo.js";

const POLL_MS = 400;
const MOST_NAMED = 12; // more missing cards than this are only shown in the grid
const MOST_NEW_NAMED = 3;
const LEAST_DECK = 8; // a smaller deck cannot be set up

// `found` as the server counts; `photo` is null, "reading", "bad", or how many cards the last one
// showed.
const check = createStore({ found: null, photo: null });

// Cards without codes are counted where they are learnt.
function isOpen(board) {
  const lies = board.phase === "setup" || board.phase === "over";
  return lies && !board.learnt_deck && !screen.get().watching;
}

function whyNot(board) {
  if (screen.get().watching) return "deck.watch";
  return board.learnt_deck ? "deck.learnt" : "deck.later";
}

// Ask the camera again and again while this page is shown.
const poll = createPoll(
  () => currentPage() === "deck" && isOpen(evening.get().board),
  async () => takeCount(await post("/api/deck", {})),
  POLL_MS
);

function takeCount({ status, body }) {
  if (status !== 200) return;
  const before = check.get().found;
  const live = body.live === undefined ? !!(before && before.live) : body.live;
  check.set({ found: Object.assign({}, body, { live }) });
  if (!before || before.seen.length !== body.seen.length)
    sayAloud(t("deck.count", { n: body.seen.length, of: body.deck_size }));
}

async function countAnew() {
  const answer = await postTap("/api/deck/anew", {});
  takeCount(answer);
  if (answer.status === 200) check.set({ photo: null });
}

async function countPhoto({ target }) {
  const file = target.files[0];
  target.value = "";
  if (!file) return;
  check.set({ photo: "reading" });
  try {
    const answer = await upload("/api/deck/photo", await shrunkPhoto(file));
    takeCount(answer);
    const failed = answer.status === 503 ? "busy" : "bad";
    check.set({ photo: answer.status === 200 ? answer.body.photo : failed });
  } catch (_error) {
    check.set({ photo: "bad" });
  }
}

function deckPage({ board }) {
  const head = heading(t("deck.title"));
  if (!isOpen(board)) {
    const why = t(whyNot(board));
    const how = t(board.camera.state === "off" ? "deck.how_photo" : "deck.how");
    const words = board.learnt_deck ? [why] : [why, how, t("deck.names")];
    return page("deck", head, {}, about("cardsLaidOut", ...words));
  }
  poll();
  const { found } = check.get();
  const watched = board.camera.state === "live" || board.camera.state === "practice";
  const seen = watched || (found && found.live);
  return page(
    "deck",
    head,
    {},
    html`
      <div class="two">
        <section key="view" class="deck-view">
          <p key="how" class="second">${t(seen ? "deck.how" : "deck.how_photo")}</p>
          ${seen && html`<div key="frame" class="frame">${largePicture("deck-live", t("camera.alt"))}</div>`}
          ${buttons(board)}
        </section>
        <section key="count" class="deck-list">
          ${found ? verdict(found) : seen && html`<p class="soft">${t("calibration.looking")}</p>`}
        </section>
      </div>`
  );
}

function buttons(board) {
  const { found, photo } = check.get();
  const count = found ? found.seen.length : 0;
  const reading = photo === "reading";
  const play = () => {
    openRing(board);
    ring.put({ deckSize: count });
    goToTable();
  };
  const nearlyAll = found && found.missing.length <= MOST_NAMED;
  const cls = nearlyAll ? "primary" : "";
  return html`
    <div key="buttons" class="deck-buttons">
      ${board.phase === "setup" && count >= LEAST_DECK && button("play", t("deck.play", { n: count }), play, { cls })}
      <label key="photo" class=${["button file", !nearlyAll && !reading && !(found && found.live) && "primary"]}>
        <span class="label">${t(reading ? "deck.photo_reading" : "deck.photo")}</span>
        <input type="file" accept="image/jpeg,image/png,image/webp" class="unseen" disabled=${reading}
          onchange=${countPhoto} />
      </label>
      ${count > 0 && button("anew", t("deck.anew"), countAnew)}
      ${
        photo !== null &&
        !reading &&
        html`
        <p key="shown" class=${typeof photo === "number" ? "soft" : "note"} role="status">
          ${typeof photo === "number" ? t("deck.photo_shown", { n: photo }) : t(`deck.photo_${photo}`)}
        </p>`
      }
    </div>`;
}

function verdict(found) {
  const { seen, missing, doubled, weak, foreign, dim } = found;
  const again = (key, cards) => button(`again-${key}`, t("deck.print"), () => printAgain(cards));
  const named = found.new.length > 0 && found.new.length <= MOST_NEW_NAMED && missing.length > 0;
  const whyMissing = () => [
    html`<p key="why" class="soft">${t("deck.missing_why")}</p>`,
    again("missing", missing),
  ];
  return html`
    <p key="count" class="deck-count">
      <strong>${seen.length}</strong> ${t("deck.of", { of: found.deck_size })}
      ${named && html`<span class="soft"> + ${found.new.join(", ")}</span>`}
    </p>
    ${ticks(found)}
    ${!missing.length && html`<p key="whole" class="deck-whole">${t("deck.whole", { n: seen.length })}</p>`}
    ${dim && html`<p key="dim" class="note">${t("deck.dim")}</p>`}
    ${seen.length > 0 && missing.length <= MOST_NAMED && cardLine("missing", missing, t("deck.missing"), whyMissing)}
    ${cardLine("twice", doubled, t("deck.twice"), () => html`<p class="soft">${t("deck.twice_why")}</p>`)}
    ${cardLine("weak", weak, t("deck.weak"), () => again("weak", weak))}
    ${foreign > 0 && html`<p key="foreign" class="note">${t("deck.foreign", { n: foreign })}</p>`}`;
}

// The deck as a sky of its clouds: dim until they are seen.
function ticks({ seen, missing, doubled, weak }) {
  const has = (cards) => {
    const all = new Set(cards);
    return (card) => all.has(card);
  };
  const isSeen = has(seen);
  const isDoubled = has(doubled);
  const isWeak = has(weak);
  const classes = (card) => [
    isSeen(card) ? "seen" : "gone",
    isDoubled(card) && "twice",
    isWeak(card) && "weak",
  ];
  const all = seen.concat(missing).sort((a, b) => a - b);
  return html`
    <ol class="ticks" aria-hidden="true">
      ${all.map((card) => html`<li key=${card} class=${classes(card)}>${thumb(card, "small", "", null)}<span>${card}</span></li>`)}
    </ol>`;
}

// Some cards by picture and number, and what to do about them.
function cardLine(key, cards, words, more) {
  if (!cards.length) return null;
  return html`
    <div key=${key} class="deck-line">
      <p><strong>${words}</strong> ${thumbList(cards, MOST_NAMED, null)}</p>
      ${more()}
    </div>`;
}

bringPages({ deck: deckPage });
