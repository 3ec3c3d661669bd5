// The board: every table a small round window with its seats, their clouds, who dreams, who looks
// out, who leads. As large as the screen allows for all of them at once; where they would become too
// small the page walks up and down by itself.

import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { name, peopleOf, token } from "../parts/people.js";
import { signAt } from "../parts/signs.js";
import { onRim, seatAngle } from "../window/geometry.js";

const SMALLEST_PX = 86;
const LARGEST = 0.68; // of the screen's height
const WORDS_PX = 210; // from this size on a window has the leaders' names below it
const SCORES_PX = 120; // and from this one the clouds of each seat
const GAP = 0.06;
const BELOW_REM = 4.4; // the three lines below a window: they grow with the screen's letters

const MOST_NAMED = 3; // of those who lead; how many more there are is told

const WALK_MS = 50;
const REST_STEPS = 120; // so many steps it rests at the top and at the bottom

export function boardPage({ tables, online, host, page, pages }) {
  const all = Object.keys(tables)
    .map(Number)
    .sort((a, b) => a - b)
    .map((number) => tables[number]);
  const size = windowSize(all.length);
  return html`
    <main key="board" class="board">
      <header class="board-head">
        <h1>${t("board.title")}</h1>
        <p class="soft">${!online && t("board.offline")}</p>
        ${pages > 1 && pageLinks(page, pages)}
        <a class="button" href="#tournament">${t("tournament.title")}</a>
        <a class="button" href="#season">${t("season.title")}</a>
        ${host && html`<a class="button" href="#host">${t("board.host")}</a>`}
        <button type="button" class="button" onclick=${fillScreen}>${t("board.all_screen")}</button>
      </header>
      ${all.length === 0 && html`<p key="none" class="none">${t("board.none")}</p>`}
      <ul class="windows">${all.map((table) => tableWindow(table, size))}</ul>
    </main>`;
}

function pageLinks(page, pages) {
  const numbers = Array.from({ length: pages }, (_one, at) => at + 1);
  return html`
    <nav class="board-pages">
      ${numbers.map(
        (one) => html`
          <a key=${one} href="/?page=${one}" aria-current=${one === page ? "page" : null}
            aria-label=${t("board.page", { from: one * 200 - 199, to: one * 200 })}>${one}</a>`
      )}
    </nav>`;
}

// The largest size at which all windows stand on the screen at once.
function windowSize(count) {
  const width = window.innerWidth * 0.97;
  const height = window.innerHeight - headHeight();
  const below = BELOW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
  let best = SMALLEST_PX;
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const across = width / columns / (1 + GAP);
    const down = (room) => (height / rows - room) / (1 + GAP);
    const plain = Math.min(across, down(0), WORDS_PX - 1);
    const withWords = Math.min(across, down(below));
    const size = withWords >= WORDS_PX ? withWords : plain;
    if (size > best) best = size;
  }
  return Math.floor(Math.min(best, window.innerHeight * LARGEST));
}

function headHeight() {
  const head = document.querySelector(".board-head");
  return (head ? head.offsetHeight : 70) + 24;
}

function fillScreen() {
  const root = document.documentElement;
  if (document.fullscreenElement) document.exitFullscreen();
  else if (root.requestFullscreen) root.requestFullscreen().catch(() => undefined);
}

function tableWindow(table, size) {
  const people = peopleOf(table.players.map((one) => Object.assign({ sign: one.seat % 8 }, one)));
  const here = people.filter((person) => !person.away);
  const called = table.name || t("board.table", { number: table.table });
  const leaders = people.filter((person) => person.leads);
  const margin = `${Math.floor((size * GAP) / 2)}px`;
  return html`
    <li key=${table.table} class=${["table-window", table.phase]}
      style=${{ width: `${size}px`, marginLeft: margin, marginRight: margin, marginBottom: margin }}>
      <svg class="window" viewBox="-500 -500 1000 1000" role="img" aria-label=${spokenTable(table, called, leaders)}>
        <circle class="rim" r="486" />
        <circle class="board-sky" r="330" />
        ${here.map((person, at) => seat(person, seatAngle(at, here.length, 0), size))}
        <text class="board-number" y=${size >= SCORES_PX ? 20 : 70} text-anchor="middle" font-size=${size >= SCORES_PX ? 210 : 230}>
          ${table.table}
        </text>
        ${
          size >= SCORES_PX &&
          html`
          <text class="board-round" y="122" text-anchor="middle" font-size="96">${table.misfit ? "?" : `${table.round}/${table.of}`}</text>`
        }
      </svg>
      ${size >= WORDS_PX && leaderLine(table, called, leaders)}
    </li>`;
}

function seat(person, angle, size) {
  const { x, y } = onRim(angle, 408);
  const score = onRim(angle, 244);
  const dreams = person.role === "daydreamer";
  return html`
    <g key=${person.seat} class=${["board-seat", person.leads && "leads"]}>
      ${dreams && html`<circle class="board-sun" cx=${x} cy=${y} r="86" />`}
      ${person.turn && html`<circle class="board-turn" cx=${x} cy=${y} r="84" />`}
      <g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">${token(person, person.leads && size < SCORES_PX ? 170 : 118)}</g>
      ${
        size >= SCORES_PX &&
        html`
        <text class="board-score" x=${score.x.toFixed(1)} y=${(score.y + 26).toFixed(1)} text-anchor="middle" font-size="76">
          ${person.cards}
        </text>`
      }
      ${person.role === "lookout" && size >= WORDS_PX && lookout(angle)}
    </g>`;
}

function lookout(angle) {
  const { x, y } = onRim(angle + 17, 440);
  return html`
    <g class="role" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">${signAt("telescope", 74)}</g>`;
}

function leaderLine(table, called, leaders) {
  const names = leaders
    .slice(0, MOST_NAMED)
    .map((person, at) => [at > 0 && ", ", name(person)])
    .concat(leaders.length > MOST_NAMED ? [` +${leaders.length - MOST_NAMED}`] : []);
  const phase = t(table.misfit ? "board.misfit" : `board.phase_${table.phase}`);
  const place = t(table.phase === "over" ? "board.won" : "board.leads");
  return html`
    <p class="board-below">
      <strong>${called}</strong>
      <span class="soft">${phase}</span>
      ${names.length > 0 && html`<span key="leads" class="soft">${place}: ${names}</span>`}
    </p>`;
}

// What a screen reader says of a table.
function spokenTable(table, called, leaders) {
  const round = t("board.round", { number: table.round, of: table.of });
  return [called, round, leaders.map((one) => `${one.name} ${one.cards}`).join(", ")].join(". ");
}

// Where not all stand on the screen, walk slowly down and up again.
export function scrollOn() {
  let step = 1;
  let resting = REST_STEPS;
  setInterval(() => {
    const root = document.documentElement;
    const more = root.scrollHeight - window.innerHeight;
    const walks = !location.hash || (location.hash === "#tournament" && document.fullscreenElement);
    if (more < 8 || !walks) return;
    if (resting > 0) {
      resting -= 1;
      return;
    }
    const at = Math.round(root.scrollTop || document.body.scrollTop);
    window.scrollTo(0, at + step);
    if ((step > 0 && at + step >= more) || (step < 0 && at + step <= 0)) {
      step = -step;
      resting = REST_STEPS;
    }
  }, WALK_MS);
}
