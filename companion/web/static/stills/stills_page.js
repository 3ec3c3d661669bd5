// The stills around one entry, slowly, with what the camera believed drawn over them; and beside them
// one tap that keeps the entry or changes it, the likelier changes first.

import { html } from "../core/html.js";
import { get } from "../core/requests.js";
import { followPage, goToTable } from "../core/route.js";
import { createStore } from "../core/store.js";
import { has, say, t } from "../core/words.js";
import { enterCorrection } from "../ledger/draft.js";
import { differences, gainsWith } from "../ledger/guess_changes.js";
import { button } from "../parts/buttons.js";
import { isKnown, thumb } from "../parts/cards.js";
import { bringPages } from "../parts/late_pages.js";
import { heading, page } from "../parts/page.js";
import { badge, name } from "../parts/people.js";
import { answerButton } from "../questions/question.js";
import { guesser } from "../round/outcome.js";
import { screen } from "../screen/this_screen.js";
import { guessesToLookAt, look, lookedFor, stillsRow } from "./stills.js";

const STEP_MS = 800; // two stills are 0.4 s apart: half as fast as it was
const LEAD_S = 8; // it begins so long before the entry
const WIDE = 1000; // units across the drawing
const MOST_CLOUDS = 2; // so many other clouds are offered

// What was fetched (`shown`: of which entry), and which still is seen.
const stills = createStore({ asked: "", shown: null, gone: false, at: 0, playing: false });
let timer = null;

function stillsPage(evening) {
  const { board } = evening;
  const { guess, question } = lookedFor.get();
  const newest = board.rounds[board.rounds.length - 1];
  const about = question ? board.question : newest && newest.guesses[guess];
  if (!about || screen.get().watching || !board.stills || !board.stills.on)
    return openingPage(evening);
  fetchOnce(question ? "question" : `guess=${guess}`, newest.number);
  const { shown, gone } = stills.get();
  return page(
    "stills",
    heading(t("stills.title")),
    { lead: t("stills.lead") },
    html`
      <div class="look-two">
        <div key="pictures" class="look-pictures">
          ${gone ? html`<p class="note">${t("stills.gone")}</p>` : shown && player(shown)}
        </div>
        <section key="answers" class="look-answers">
          ${question ? questionAnswers(evening, about) : guessAnswers(evening, newest, guess)}
        </section>
      </div>`
  );
}

// Nothing chosen yet: what it is, the switch, and the guesses that can be looked at.
function openingPage({ board, people }) {
  if (stills.get().shown) letGo();
  const newest = board.rounds[board.rounds.length - 1];
  const seats = newest && board.stills && board.stills.round === newest.number;
  const offered = seats && !screen.get().watching ? guessesToLookAt(board) : [];
  return page(
    "stills",
    heading(t("stills.title")),
    { lead: t(board.stills && board.stills.on ? "stills.is_on" : "stills.is_off") },
    html`
      <div class="stills-about">
        <p>${t("stills.what")}</p>
        ${board.camera.state === "off" && html`<p class="note">${t("stills.no_camera")}</p>`}
        ${!screen.get().watching && stillsRow(board)}
        ${
          offered.length > 0 &&
          html`
          <ul class="look-list">
            ${offered.map(
              (i) => html`
                <li key="g${i}">
                  ${badge(people[guesser(newest, i)])}
                  ${look(`at-${i}`, guessWords(newest, i), { guess: i, question: false })}
                </li>`
            )}
          </ul>`
        }
      </div>`
  );
}

function guessWords(round, i) {
  const verdict = t(round.guesses[i].right ? "ledger.right" : "ledger.wrong");
  return `${t("ledger.guess", { n: i + 1 })}: ${verdict}`;
}

function fetchOnce(what, round) {
  const asked = `${round}/${what}`;
  if (stills.get().asked === asked) return;
  letGo();
  stills.put({ asked, shown: null, gone: false, at: 0, playing: false });
  get(what === "question" ? "/api/stills" : `/api/stills?${what}`).then(
    (shown) => {
      if (stills.get().asked !== asked) return;
      shown.stills.forEach((one) => {
        one.picture = URL.createObjectURL(jpegOf(one.jpeg));
      });
      const first = shown.stills.findIndex((one) => one.at_s >= shown.at_s - LEAD_S);
      const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      stills.set({ shown, at: Math.max(0, first), playing: !calm });
      run();
    },
    () => stills.get().asked === asked && stills.set({ gone: true })
  );
}

function jpegOf(coded) {
  const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type: "image/jpeg" });
}

// Nothing of it stays in this screen either.
function letGo() {
  clearTimeout(timer);
  const { shown } = stills.get();
  (shown ? shown.stills : []).forEach(({ picture }) => {
    URL.revokeObjectURL(picture);
  });
  stills.put({ asked: "", shown: null, gone: false, at: 0, playing: false });
}

followPage(() => {
  if (location.hash === "#stills") return;
  lookedFor.put({ guess: null, question: false });
  letGo();
});

function run() {
  clearTimeout(timer);
  const { shown, at, playing } = stills.get();
  if (!playing || !shown || location.hash !== "#stills") return;
  if (at + 1 >= shown.stills.length) stills.set({ playing: false });
  else
    timer = setTimeout(() => {
      stills.set({ at: Math.min(stills.get().at + 1, shown.stills.length - 1) });
      run();
    }, STEP_MS);
}

function seek(at) {
  const { shown } = stills.get();
  clearTimeout(timer);
  stills.set({ at: Math.max(0, Math.min(at, shown.stills.length - 1)), playing: false });
}

function toggle() {
  const { shown, at, playing } = stills.get();
  const over = at + 1 >= shown.stills.length;
  stills.set({ playing: !playing, at: over ? 0 : at });
  run();
}

function player(shown) {
  const { at, playing } = stills.get();
  const still = shown.stills[Math.min(at, shown.stills.length - 1)];
  const high = Math.round(WIDE * still.height);
  return html`
    <svg class="still" viewBox="0 0 ${WIDE} ${high}" role="img" aria-label=${t("stills.picture")}>
      <image href=${still.picture} x="0" y="0" width="${WIDE}" height="${high}" preserveAspectRatio="none" />
      ${still.backs.map((back, i) => html`<circle key="b${i}" class="lay back" cx="${WIDE * back.x}" cy="${WIDE * back.y}" r="34" />`)}
      ${still.cards.map(believedCard)}
      ${still.hands.map(believedHand)}
    </svg>
    <p class="still-when">
      <strong>${whenWords(still.at_s - shown.at_s)}</strong>
      <span class="soft">${t("stills.legend")}</span>
    </p>
    <input type="range" class="film-way" min="0" max=${shown.stills.length - 1} value=${at} aria-label=${t("film.where")}
      oninput=${(event) => seek(Number(event.target.value))} />
    <p class="film-buttons">
      ${button("step-back", null, () => seek(at - 1), { sign: "before", label: t("film.back"), cls: "bare" })}
      ${button("play", t(playing ? "film.stop" : "film.go"), toggle)}
      ${button("step", null, () => seek(at + 1), { sign: "after", label: t("film.on"), cls: "bare" })}
    </p>`;
}

function whenWords(after_s) {
  const s = Math.round(10 * Math.abs(after_s)) / 10;
  if (Math.abs(after_s) < 0.2) return t("stills.now");
  return t(after_s < 0 ? "stills.before" : "stills.after", { s });
}

// A ring where the card was believed to be, whole where it was read, and its number beside it.
function believedCard({ card, x, y, r, state }) {
  const place = { x: WIDE * x, y: WIDE * y, r: WIDE * r };
  return html`
    <g key="c${card}" class="believed ${state}">
      <circle class="under" cx="${place.x}" cy="${place.y}" r="${place.r}" />
      <circle class="ring" cx="${place.x}" cy="${place.y}" r="${place.r}" />
      <text x="${place.x}" y="${place.y - place.r - 8}">${card < 1000 ? card : "?"}</text>
    </g>`;
}

// A hand: where its tip is, and from where it reaches in.
function believedHand({ x, y, from_deg: from }, i) {
  const tip = { x: WIDE * x, y: WIDE * y };
  const turn = from === null ? 0 : (from * Math.PI) / 180;
  const end = { x: tip.x + 130 * Math.sin(turn), y: tip.y - 130 * Math.cos(turn) };
  return html`
    <g key="h${i}" class="believed hand">
      ${from !== null && html`<path class="under" d="M${tip.x} ${tip.y}L${end.x} ${end.y}" />`}
      ${from !== null && html`<path class="ring" d="M${tip.x} ${tip.y}L${end.x} ${end.y}" />`}
      <circle class="tip" cx="${tip.x}" cy="${tip.y}" r="15" />
    </g>`;
}

function questionAnswers({ board, people }, question) {
  const key = `question.${question.asks}`;
  const about = board.rounds.find((one) => one.number === question.round);
  return html`
    <h2>${say(has(key) ? key : "question.any", question.params)}</h2>
    ${question.options.map((option, i) =>
      answerButton(option, i, question, about, people, goToTable)
    )}`;
}

function guessAnswers({ people }, round, i) {
  const { right, card } = round.guesses[i];
  const { shown } = stills.get();
  const { attempts } = round;
  const person = people[guesser(round, i)];
  const verdict = t(right ? "ledger.right" : "ledger.wrong");
  const keep = button("keep", t("stills.keep", { verdict }), goToTable, { cls: "primary wide" });
  return html`
    <p class="look-who">
      ${badge(person)}
      <strong>${name(person)}</strong>
      <span class="soft"> · ${t("ledger.guess", { n: i + 1 })}</span>
      ${isKnown(card) && thumb(card, "small")}
    </p>
    ${keep}
    <h2>${t("stills.or")}</h2>
    ${changesOf(round, i, shown && shown.left).map((change, at) => changeButton(change, at, { round, people, attempts }))}`;
}

// What may have been instead, the likelier first: the other verdict, another cloud, no guess at all.
// `left` has the clouds that left in these stills, the one first that left nearest to the moment; null
// where that is not known. Another cloud comes first where it left nearer than the one that is written
// down, or where none is; no guess where nothing left at all.
export function changesOf(round, i, left) {
  const told = round.guesses.map(({ card, right }) => ({ card, right }));
  const { card, right } = told[i];
  const before = told.slice(0, i);
  const after = told.slice(i + 1);
  const verdict = {
    key: right ? "stills.was_wrong" : "stills.was_right",
    guesses: before.concat([{ card, right: !right }]),
  };
  const none = { key: "stills.no_guess", guesses: before.concat(after) };
  if (right || !left) return [verdict, none];
  if (left.length === 0) return [none, verdict];
  const others = left.filter((one) => told.every((guess) => guess.card !== one));
  const clouds = others.slice(0, MOST_CLOUDS).map((one) => ({
    key: "stills.was_cloud",
    card: one,
    guesses: before.concat([{ card: one, right: false }], after),
  }));
  const nearer = others.filter((one) => !isKnown(card) || isBefore(left, one, card));
  const likely = clouds.slice(0, nearer.length);
  return likely.concat([verdict], clouds.slice(likely.length), [none]);
}

function isBefore(left, one, other) {
  return left.indexOf(other) < 0 || left.indexOf(one) < left.indexOf(other);
}

function changeButton({ key, card, guesses }, at, { round, people, attempts }) {
  const rights = guesses.map((guess) => guess.right);
  const moves = differences(round.gains, gainsWith(round, rights, attempts));
  const signed = (gain) => (gain > 0 ? `+${gain}` : "0");
  const below = moves.map(
    ({ seat, from, to }) => html`
      <span key="m${seat}" class="move">${name(people[seat])} ${signed(from)} → ${signed(to)} </span>`
  );
  const change = async () => {
    if (await enterCorrection(round, guesses)) goToTable();
  };
  return button(`change-${at}`, t(key), change, {
    drawing: isKnown(card) && thumb(card, "small"),
    below: below.length > 0 && below,
    cls: "wide answer",
    sends: true,
  });
}

bringPages({ stills: stillsPage });
