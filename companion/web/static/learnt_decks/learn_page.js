// Cards without codes: decks that were learnt by their pictures, and the lesson, in which cards laid out
// a few at a time count themselves.

import { evening, onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { createPoll } from "../core/poll.js";
import { getAnyway, post, postTap } from "../core/requests.js";
import { currentPage, followPage } from "../core/route.js";
import { createStore } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { t } from "../core/words.js";
import { button, holdButton, textButton } from "../parts/buttons.js";
import { about, drawing } from "../parts/drawings.js";
import { bringPages } from "../parts/late_pages.js";
import { largePicture } from "../parts/live_picture.js";
import { heading, page } from "../parts/page.js";
import { sayAloud } from "../screen/announce.js";
import { screen } from "../screen/this_screen.js";

const POLL_MS = 300;
const LEAST_DECK = 8; // a smaller deck cannot be played with
const SAID = [
  "new",
  "known",
  "glare",
  "unclear",
  "full",
  "double",
  "straight",
  "other",
  "left_out",
];

// What the server knows (null: not asked yet; false: this table's cards are what they are), the name
// being typed, the id of the learnt card that was touched, and which deck is being chosen ({name}).
const learnt = createStore({ state: null, name: "", chosen: null, coming: null });

function isOpen(board) {
  return (board.phase === "setup" || board.phase === "over") && !screen.get().watching;
}

// While a lesson goes on it looks again and again; before that it waits for the table's answer, and for a
// camera that sees the table.
const poll = createPoll(
  () => currentPage() === "learn" && isOpen(evening.get().board) && (!!lesson() || isWaiting()),
  () => (lesson() ? tell({ do: "look" }) : ask()),
  POLL_MS
);

// Whoever opens the page sees the decks as they are then; and a deck that another screen chose is marked.
followPage(() => {
  if (currentPage() === "learn") learnt.put({ state: null });
});
onScoreboard((before, board) => {
  if (before && before.learnt_deck !== board.learnt_deck && !lesson()) learnt.put({ state: null });
});

function isWaiting() {
  const { state } = learnt.get();
  return state === null || (!!state && !state.live);
}

function lesson() {
  const { state } = learnt.get();
  return state && state.lesson;
}

// The table says false where it learns no decks.
async function ask() {
  const { status, body } = await getAnyway("/api/decks");
  learnt.set({ state: status === 200 ? body : false });
}

// A deck of this name lies there, and cannot be read.
function isDamaged({ do: act, name }) {
  const { state } = learnt.get();
  return (
    act === "learn" &&
    state.kept.some((deck) => deck.cards === 0 && deck.name.toLowerCase() === name.toLowerCase())
  );
}

const REFUSED = { learn: "learn.bad_name", play: "learn.not_done" };

async function tell(what) {
  const before = lesson();
  const { status, body } = await (what.do === "look" ? post : postTap)("/api/decks", what);
  if (status === 422)
    showToast(isDamaged(what) ? "learn.name_damaged" : REFUSED[what.do] || "learn.not_kept");
  if (status === 423) showToast("learn.stays");
  if (status === 410) {
    showToast(what.do === "drop" ? "learn.gone" : "learn.not_asked");
    await ask();
  }
  if (status !== 200) return false;
  learnt.set({ state: body });
  const now = body.lesson;
  if (before && now && before.cards.length !== now.cards.length)
    sayAloud(t("learn.count", { n: now.cards.length }));
  return true;
}

function learnPage({ board }) {
  const head = heading(t("learn.title"));
  if (!isOpen(board))
    return page(
      "learn",
      head,
      {},
      about(
        "cardsLaidOut",
        t(screen.get().watching ? "learn.watch" : "learn.later"),
        t("learn.lead"),
        t("learn.how")
      )
    );
  const { state } = learnt.get();
  if (state === null) {
    poll();
    return page("learn", head, {});
  }
  if (!state)
    return page(
      "learn",
      head,
      {},
      about("cameraAbove", t("learn.none_here"), t("learn.lead"), t("learn.how"))
    );
  poll();
  return page(
    "learn",
    head,
    { lead: t("learn.lead") },
    state.lesson ? lessonPart(state) : decksPart(state)
  );
}

// --- the decks

function decksPart({ kept, played, live }) {
  return html`
    <div class="two">
      <section key="kept" class="learnt-decks">
        <h2>${t("learn.which")}</h2>
        ${deckRow("codes", t("learn.codes"), t("learn.codes_why"), choice(null, played, true))}
        ${kept.map((deck) =>
          deckRow(
            `deck-${deck.name}`,
            html`<bdi>${deck.name}</bdi>`,
            deckWords(deck),
            choice(deck.name, played, deck.cards >= LEAST_DECK),
            deckWays(deck, live, played === deck.name)
          )
        )}
      </section>
      <section key="begin">
        <h2>${t("learn.new")}</h2>
        <p class="soft">${t(live ? "learn.how" : "learn.no_camera")}</p>
        ${live && nameField()}
        ${drawing(live ? "cardsLaidOut" : "cameraAbove")}
      </section>
    </div>`;
}

function deckWords({ cards }) {
  if (cards === 0) return t("learn.damaged");
  return t(cards < LEAST_DECK ? "learn.few" : "learn.cards", { n: cards });
}

function deckRow(key, name, words, { isPlayed, chosen }, more) {
  return html`
    <div key=${key} class=${["learnt-deck", isPlayed && "played"]}>
      <p><strong>${name}</strong> <span class="soft">${words}</span></p>
      <p class="pair">${chosen}${more}</p>
    </div>`;
}

// Whether this deck is played with, is about to be, or can be.
function choice(name, played, isEnough) {
  const { coming } = learnt.get();
  const isPlayed = name === played;
  const told = (words) => html`<span key="told" class="soft">${t(words)}</span>`;
  if (isPlayed) return { isPlayed, chosen: told("learn.played") };
  if (coming && coming.name === name) return { isPlayed, chosen: told("page.comes") };
  return { isPlayed, chosen: isEnough && button("play", t("learn.play"), () => play(name)) };
}

function deckWays({ name, cards }, live, isPlayed) {
  return [
    cards > 0 &&
      live &&
      !isPlayed &&
      textButton("more", t("learn.go_on"), () => tell({ do: "learn", name })),
    cards > 0 &&
      html`<a key="file" class="text-button" href="/api/decks/${encodeURIComponent(name)}/file" download>${t("learn.hand_on")}</a>`,
    !isPlayed && holdButton("forget", t("learn.forget"), () => tell({ do: "forget", name })),
  ];
}

// It takes the table a while. Where no camera is, nothing is said of what it reads: the row tells what
// is played with.
async function play(name) {
  const coming = { name };
  learnt.set({ coming });
  const done = await tell({ do: "play", name });
  if (learnt.get().coming === coming) learnt.set({ coming: null });
  if (!done || evening.get().board.camera.state === "off") return;
  showToast(name === null ? "learn.plays_codes" : "learn.plays");
}

function nameField() {
  const { name } = learnt.get();
  const begin = (event) => {
    event.preventDefault();
    if (name.trim()) tell({ do: "learn", name: name.trim() });
  };
  return html`
    <form key="name" class="pair deck-name" onsubmit=${begin}>
      <label for="deck-name">${t("learn.name")}</label>
      <input id="deck-name" class="player-input" type="text" maxlength="40" autocomplete="off" value=${name}
        oninput=${({ target }) => learnt.set({ name: target.value })} />
      ${button("begin", t("learn.begin"), begin, { cls: "primary", disabled: !name.trim() })}
    </form>`;
}

// --- the lesson

function lessonPart({ lesson: now }) {
  const once = now.cards.filter(({ looks }) => looks === 1).length;
  return html`
    <div class="two">
      <section key="view" class="deck-view">
        <p key="how" class="second">${t("learn.lay")}</p>
        <div key="frame" class="frame">${largePicture("learn-live", t("camera.alt"))}</div>
        <p key="end" class="pair">
          ${button("end", t("learn.done"), () => tell({ do: "end" }), { cls: now.cards.length >= LEAST_DECK ? "primary" : "" })}
        </p>
      </section>
      <section key="count" class="deck-list">
        <h2 key="name"><bdi>${now.name}</bdi></h2>
        <p key="count" class="deck-count"><strong>${now.cards.length}</strong> ${t("learn.counted", { n: now.cards.length })}</p>
        <p key="said" class="lesson-said" role="status">${saidWords(now)}</p>
        ${now.alike.map((one) => alikeQuestion(now, one))}
        ${once > 0 && now.cards.length > 0 && html`<p key="once" class="soft">${t("learn.once", { n: once })}</p>`}
        ${learntCards(now)}
      </section>
    </div>`;
}

function saidWords({ counted, said, cards }) {
  if (!counted) return t(cards.length ? "learn.next" : "learn.first");
  return SAID.filter((one) => said[one])
    .map((one) => t(`learn.said_${one}`, { n: said[one] }))
    .concat(t("learn.sweep"))
    .join(" ");
}

// A card that is much like a learnt one: both shown, people say.
function alikeQuestion({ name, cards, round }, { lay, at, number }) {
  return html`
    <div key="alike-${lay}-${at}" class=${["alike-looks", !round && "straight"]} role="group" aria-label=${t("learn.alike")}>
      <p><strong>${t("learn.alike")}</strong></p>
      <p class="pair">
        <img key="laid" src="/api/decks/laid/${lay}/${at}" alt=${t("learn.lies_there")} />
        <img key="known" src=${cardAddress(name, cards[number - 1].id)} alt=${t("learn.card", { n: number })} />
        ${button("same", t("learn.same"), () => tell({ do: "same", lay, at }))}
        ${button("new", t("learn.another"), () => tell({ do: "new", lay, at }))}
      </p>
    </div>`;
}

// By its id: the picture at an address never becomes another one's, however the numbers move.
function cardAddress(name, id) {
  return `/api/decks/${encodeURIComponent(name)}/cards/${id}`;
}

// Every learnt card with its running number; dim while it was looked at once. One that is none is
// touched and taken out.
function learntCards({ name, cards, round }) {
  const { chosen } = learnt.get();
  const number = cards.findIndex(({ id }) => id === chosen) + 1;
  const drop = () => {
    learnt.set({ chosen: null });
    tell({ do: "drop", card: chosen });
  };
  return html`
    <ol class=${["ticks", "learnt-cards", !round && "straight"]}>
      ${cards.map((card, i) => learntCard(name, card, i + 1))}
    </ol>
    ${
      number > 0 &&
      html`<p key="drop-${chosen}" class="pair">${holdButton("drop", t("learn.drop", { n: number }), drop)}</p>`
    }`;
}

function learntCard(name, { id, looks }, number) {
  const { chosen } = learnt.get();
  const choose = () => learnt.set({ chosen: chosen === id ? null : id });
  return html`
    <li key=${id} class=${["seen", looks === 1 && "once"]}>
      <button type="button" aria-pressed=${String(chosen === id)} aria-label=${t("learn.card", { n: number })} onclick=${choose}>
        <img src=${cardAddress(name, id)} alt="" loading="lazy" />
        <span>${number}</span>
      </button>
    </li>`;
}

bringPages({ learn: learnPage });
