// What was found out over the years, as pictures: each number with how many cases it rests on, and a
// word where a difference is within chance. Shapes and words say what colours say.

import { onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { get } from "../core/requests.js";
import { currentPage, followPage, go } from "../core/route.js";
import { createStore } from "../core/store.js";
import { say, t, writingHabits } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { thumb } from "../parts/cards.js";
import { bringPages } from "../parts/late_pages.js";
import { backButton, heading, page } from "../parts/page.js";
import { badge, name, peopleOf } from "../parts/people.js";
import { open } from "./book.js";
import { dayOf } from "./evening_words.js";

const findings = createStore({ told: null, failed: false });
let asking = false;
let again = null;

const LEAST_SCALE = 0.2; // the end of a line's scale where all shares are smaller
const LEAST_DISC = 0.1; // the largest disc's share where all are smaller
const LEAST_GUESSES = 10; // of fewer no share is drawn: one of one would be the largest disc of all
const READING_AGAIN_MS = 4000; // while evenings are still being read

function ask() {
  if (asking) return;
  asking = true;
  get("/api/book/findings").then(
    (told) => {
      findings.set({ told, failed: false });
      if (told.reading) again = setTimeout(askAgain, READING_AGAIN_MS);
    },
    () => findings.set({ failed: true })
  );
}

function askAgain() {
  asking = false;
  ask();
}

followPage(() => {
  clearTimeout(again);
  asking = false;
  findings.put({ told: null, failed: false });
});

// Who was renamed on another screen is called so here too.
onScoreboard((before, board) => {
  if (before && before.book_acts !== board.book_acts && currentPage() === "findings") askAgain();
});

function findingsPage() {
  const { told, failed } = findings.get();
  if (!told) ask();
  const back = backButton(t("evenings.title"), () => go("evenings"));
  if (!told)
    return page(
      "findings",
      heading(t("findings.title")),
      { back },
      html`<p class="soft">${t(failed ? "findings.failed" : "findings.counting")}</p>`
    );
  if (!told.rounds && !told.reading)
    return page(
      "findings",
      heading(t("findings.title")),
      { back },
      html`<p class="findings-none">${t("findings.none", { n: told.fewest })}</p>`
    );
  const people = peopleOf(told.people);
  const lead = t("findings.of", { n: told.evenings, rounds: number(told.rounds, 0) });
  return page(
    "findings",
    heading(t("findings.title")),
    { back, lead },
    html`
      ${told.reading > 0 && html`<p class="note">${t("book.reading", { n: told.reading })}</p>`}
      <p class="soft findings-how">${t("findings.how", { n: told.fewest })}</p>
      <p class="no-print">${button("print", t("findings.print"), () => window.print(), { sign: "printer" })}</p>
      ${shares("guess", people, (one) => one.guess)}
      ${shares("read", people, (one) => one.read)}
      ${shares("lookout", people, (one) => one.lookout)}
      ${matrix(told.matrix)}
      ${clouds(told.clouds)}
      ${chairs(told.roles, people)}
      ${years(told.years, told.trend)}
      ${records(told, people)}`
  );
}

function number(value, digits) {
  return value.toLocaleString(writingHabits(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function roundsOf(n) {
  return t("book.rounds", { n }).replace(String(n), number(n, 0));
}

function percent(share) {
  return share.toLocaleString(writingHabits(), { style: "percent" });
}

// A share as a line from 0 to `most`, which no share drawn beside it exceeds: the dot is what was counted, the bar where the true one lies.
function shareBar({ hits, of, low, high }, most) {
  const x = (share) => (4 + (share / most) * 292).toFixed(1);
  return html`
    <svg class="share" viewBox="0 0 300 28" preserveAspectRatio="xMinYMid" aria-hidden="true">
      <line class="share-way" x1="4" x2="296" y1="14" y2="14" />
      <line class="share-bar" x1=${x(low)} x2=${x(high)} y1="14" y2="14" />
      ${of > 0 && html`<circle class="share-dot" cx=${x(hits / of)} cy="14" r="8" />`}
    </svg>`;
}

const ARROWS = { more: "▲", less: "▼", chance: "≈", few: "…" };

function verdict(kind, word) {
  return html`<span class=${["verdict-of", word]}><span aria-hidden="true">${ARROWS[word]}</span> ${t(word === "more" || word === "less" ? `findings.${kind}.${word}` : `findings.${word}`)}</span>`;
}

function shares(kind, people, of) {
  const shown = people
    .filter((one) => of(one).of > 0)
    .sort((a, b) => of(b).hits / of(b).of - of(a).hits / of(a).of);
  if (!shown.length) return null;
  const most = Math.max(LEAST_SCALE, ...shown.map((one) => of(one).high));
  return html`
    <section key=${kind}>
      <h2>${t(`findings.${kind}`)}</h2>
      <p class="soft small">${t(`findings.${kind}.why`)}</p>
      <ul class="shares">
        ${shown.map(
          (person) => html`
            <li key=${person.name}>
              <span class="share-who">${badge(person)}${name(person)}</span>
              ${shareBar(of(person), most)}
              <span class="share-number"><strong>${percent(of(person).hits / of(person).of)}</strong> <span class="soft small">${t("findings.hits", { hits: number(of(person).hits, 0), of: number(of(person).of, 0) })}</span></span>
              ${verdict(kind, of(person).word)}
            </li>`
        )}
      </ul>
    </section>`;
}

// Who (rows) found the clouds of whom (columns): the larger the disc, the more often.
function matrix({ people: told, cells }) {
  const people = peopleOf(told);
  if (people.length < 3) return null;
  const all = [].concat(...cells).filter((cell) => cell && cell.of >= LEAST_GUESSES);
  const most = Math.max(LEAST_DISC, ...all.map((cell) => cell.hits / cell.of));
  const disc = (cell) => {
    if (!cell || !cell.of) return html`<span class="soft">${cell ? "–" : ""}</span>`;
    if (cell.of < LEAST_GUESSES)
      return html`<span class="soft tiny">${t("findings.hits", cell)}</span>`;
    const share = cell.hits / cell.of;
    const r = (Math.sqrt(share / most) * 21).toFixed(1);
    return html`
      <svg class=${["reads", cell.word]} viewBox="-24 -24 48 48" aria-hidden="true">
        <circle class="reads-disc" r=${r} />
        ${(cell.word === "more" || cell.word === "less") && html`<circle class="reads-ring" r="22" />`}
      </svg>
      <span class="small">${percent(share)}${cell.word === "more" ? " ▲" : cell.word === "less" ? " ▼" : ""}</span>
      <span class="soft tiny">${cell.of}</span>`;
  };
  return html`
    <section key="matrix">
      <h2>${t("findings.matrix")}</h2>
      <p class="soft small">${t("findings.matrix.why")}</p>
      <div class="matrix-box" tabindex="0" role="region" aria-label=${t("findings.matrix")}>
        <table class="matrix">
          <thead>
            <tr>
              <td></td>
              ${people.map((one) => html`<th key=${one.name} scope="col">${badge(one)}<span class="unseen">${one.name}</span></th>`)}
            </tr>
          </thead>
          <tbody>
            ${people.map(
              (one, row) => html`
                <tr key=${one.name}>
                  <th scope="row"><span class="share-who">${badge(one)}${name(one)}</span></th>
                  ${cells[row].map((cell, column) => html`<td key=${column}>${disc(cell)}</td>`)}
                </tr>`
            )}
          </tbody>
        </table>
      </div>
    </section>`;
}

function clouds({ compared, fool, never }) {
  if (!fool.length) return null;
  const row = (key, list) => html`
    <div key=${key} class="cloud-row">
      <h3>${t(`findings.${key}`)}</h3>
      <ul class="cloud-list">
        ${list.map(
          (one) => html`
            <li key=${`${one.deck || ""} ${one.card}`}>
              ${thumb(one.card, "small", "big", one.deck)}
              <strong>${number(one.factor, 1)}×</strong>
              <span class="soft small">${t("findings.pointed", { n: number(one.fooled, 0), of: number(one.lay, 0) })}</span>
              ${verdict("cloud", one.word)}
            </li>`
        )}
      </ul>
    </div>`;
  return html`
    <section key="clouds">
      <h2>${t("findings.clouds")}</h2>
      <p class="soft small">${t("findings.clouds.why", { n: compared })}</p>
      ${row("fool", fool)}
      ${row("never", never)}
    </section>`;
}

// What each chair pays, and who gains more clouds than their chairs paid everybody.
function chairs({ size, rounds, chairs: told }, people) {
  if (!told.length) return null;
  const most = Math.max(...told.map((one) => one.clouds));
  const words = ({ role, place }) =>
    place ? t("findings.guesser", { n: place }) : t(`role.${role}`);
  const beside = people
    .filter((one) => one.fair.rounds > 0)
    .sort((a, b) => b.fair.beside - a.fair.beside);
  const signed = (value) => {
    const shown = Math.round(value * 100);
    return `${shown > 0 ? "+" : shown < 0 ? "−" : "±"}${number(Math.abs(shown) / 100, 2)}`;
  };
  return html`
    <section key="chairs">
      <h2>${t("findings.chairs")}</h2>
      <p class="soft small">${t("findings.chairs.why", { n: size, rounds: number(rounds, 0) })}</p>
      <ul class="bars">
        ${told.map(
          (one) => html`
            <li key=${one.role + one.place}>
              <span class="share-who">${words(one)}</span>
              <svg class="share" viewBox="0 0 300 28" preserveAspectRatio="xMinYMid" aria-hidden="true"><rect class="bar" x="4" y="4" height="20" width=${((one.clouds / most) * 292).toFixed(1)} rx="6" /></svg>
              <strong>${number(one.clouds, 2)}</strong>
            </li>`
        )}
      </ul>
      <h3>${t("findings.fair")}</h3>
      <p class="soft small">${t("findings.fair.why")}</p>
      <ul class="fair">
        ${beside.map((one) => html`<li key=${one.name}><span class="share-who">${badge(one)}${name(one)}</span> <strong>${signed(one.fair.beside)}</strong> <span class="soft small">${roundsOf(one.fair.rounds)}</span></li>`)}
      </ul>
    </section>`;
}

function years(told, trend) {
  if (!told.length) return null;
  const most = Math.max(...told.map((one) => one.guesses), 1);
  return html`
    <section key="years">
      <h2>${t("findings.years")}</h2>
      ${told.length > 1 && html`<p class="small">${verdict("years", trend)}</p>`}
      <p class="soft small">${t("findings.years.why")}</p>
      <ul class="bars">
        ${told.slice(-12).map(
          (one) => html`
            <li key=${one.year}>
              <span class="share-who">${one.year}</span>
              <svg class="share" viewBox="0 0 300 28" preserveAspectRatio="xMinYMid" aria-hidden="true"><rect class="bar" x="4" y="4" height="20" width=${((one.guesses / most) * 292).toFixed(1)} rx="6" /></svg>
              <span><strong>${number(one.guesses, 2)}</strong> <span class="soft small">${roundsOf(one.rounds)}${one.minutes !== null && ` · ${t("findings.pace", { n: number(one.minutes, 1) })}`}</span></span>
            </li>`
        )}
      </ul>
    </section>`;
}

function records({ closest, evenings }, people) {
  const streaks = people
    .filter((one) => one.streak > 1)
    .sort((a, b) => b.streak - a.streak)
    .slice(0, 3);
  if (evenings < 2) return null; // the only one is the closest of none
  const shown = closest.map((one) => ({
    number: one.number,
    day: dayOf(one.began_s, "long"),
    words: one.lead === 0 ? t("findings.tie") : t("findings.lead", { n: percent(one.lead) }),
  }));
  const show = (which) => () => {
    go("evenings");
    setTimeout(() => open(which), 0);
  };
  return html`
    <section key="records">
      <h2>${t("findings.records")}</h2>
      <ul class="fair">
        ${streaks.map((one) => html`<li key=${one.name}>${badge(one)}<span>${say("findings.streak", { name: one.name, n: one.streak })}</span></li>`)}
      </ul>
      <h3>${t("findings.closest")}</h3>
      <p class="closest">
        ${shown.map((one) => button(`close-${one.number}`, one.day, show(one.number), { below: one.words }))}
      </p>
    </section>`;
}

bringPages({ findings: findingsPage });
