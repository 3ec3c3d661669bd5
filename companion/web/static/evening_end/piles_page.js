// Counting the piles at the end: a player spreads theirs under the camera; it agrees, or the cloud
// that is off is named.

import { evening, onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { get } from "../core/requests.js";
import { createStore } from "../core/store.js";
import { say, t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { thumbList } from "../parts/cards.js";
import { about } from "../parts/drawings.js";
import { givesPictures, largePicture } from "../parts/live_picture.js";
import { heading, page } from "../parts/page.js";
import { badge, name } from "../parts/people.js";
import { sayAloud } from "../screen/announce.js";
import { screen } from "../screen/this_screen.js";

const MOST_SHOWN = 12;

// What the camera made of each pile, by seat: {waiting}, {blind}, or the server's count.
const piles = createStore({ bySeat: {} });

// A verdict is about the ledger it was counted beside.
onScoreboard((before, { phase, rounds }) => {
  const same = before && JSON.stringify(before.rounds) === JSON.stringify(rounds);
  if (phase !== "over" || !same) piles.put({ bySeat: {} });
});

async function countPile(seat) {
  const put = (found) =>
    piles.set({ bySeat: Object.assign({}, piles.get().bySeat, { [seat]: found }) });
  put({ waiting: true });
  const { version } = evening.get().board;
  const found = await get(`/api/pile/${seat}`).catch(() => ({ blind: true }));
  if (evening.get().board.version !== version) {
    put(undefined); // counted beside a ledger of before
    return;
  }
  put(found);
  const person = evening.get().people[seat];
  sayAloud(saidOf(found, person.name));
}

function saidOf({ blind, agrees }, who) {
  if (blind) return t("piles.blind");
  return t(agrees ? "piles.said_agrees" : "piles.said_off", { name: who });
}

export function pilesPage({ board, people }) {
  const over = board.phase === "over";
  const sees = givesPictures(board.camera);
  const counts = over && sees && !screen.get().watching;
  const words = [t("piles.mend")];
  if (!over) words.unshift(t(sees ? "piles.later" : "piles.later_by_hand"));
  else if (!counts) words.unshift(t(sees ? "piles.watch" : "piles.no_camera"));
  return page(
    "piles",
    heading(t("piles.title")),
    { lead: over && sees && t("piles.how") },
    counts ? counting(people) : written(people, sees ? "pileSeen" : "pileByHand", words)
  );
}

function counting(people) {
  return html`
    <div class="two">
      <section key="list">
        <ul class="audit-list">${people.map((person) => pile(person, people))}</ul>
        <p class="soft">${t("piles.mend")}</p>
      </section>
      <section key="view" class="view"><div class="frame">${largePicture("pile-live", t("camera.alt"))}</div></section>
    </div>`;
}

// What stands in the ledger, and how piles are counted: for people who count by hand, and while there is
// nothing to count yet.
function written(people, drawn, words) {
  return html`
    <div class="two">
      ${
        people.length > 0 &&
        html`
        <section key="list">
          <h2>${t("piles.now")}</h2>
          <ul class="audit-list">${people.map((person) => html`<li key=${person.seat}>${owner(person)}</li>`)}</ul>
        </section>`
      }
      <section key="how">${about(drawn, ...words)}</section>
    </div>`;
}

function owner(person) {
  const clouds = t("end.clouds", { n: person.cards });
  return html`
    ${badge(person)}
    <span class="who"><strong>${name(person)}</strong> <span class="soft">${clouds}</span></span>`;
}

function pile(person, people) {
  const { seat } = person;
  const found = piles.get().bySeat[seat];
  const waiting = !!found && !!found.waiting;
  return html`
    <li key=${seat}>
      ${owner(person)}
      ${button(`count${seat}`, t("piles.count"), () => countPile(seat), { disabled: waiting })}
      ${found && verdict(found, people)}
    </li>`;
}

function verdict(found, people) {
  if (found.waiting) return html`<p class="off soft">${t("calibration.looking")}</p>`;
  if (found.blind) return html`<p class="off note">${t("piles.blind")}</p>`;
  const unnamed = found.nameless > 0 && t("piles.nameless", { n: found.nameless });
  if (found.agrees)
    return html`<p class="off"><strong>${t("piles.agrees", { n: found.seen })}</strong> ${unnamed}</p>`;
  const owners = {}; // whose the foreign clouds are: cards by seat, "" for nobody's
  found.foreign.forEach(({ seat, card }) => {
    const key = seat === null ? "" : seat;
    owners[key] = (owners[key] || []).concat([card]);
  });
  const whose = (key) =>
    key === "" ? t("piles.nobodys") : say("piles.theirs", { name: people[Number(key)].name });
  return html`
    <p key="n" class="off"><strong>${t("piles.counted", { expected: found.expected, seen: found.seen })}</strong> ${unnamed}</p>
    ${found.missing.length > 0 && cloudsOff(found.missing, t("piles.missing"))}
    ${Object.keys(owners).map((key) => cloudsOff(owners[key], whose(key)))}`;
}

function cloudsOff(cards, words) {
  return html`<p class="off">${words} ${thumbList(cards, MOST_SHOWN)}</p>`;
}
