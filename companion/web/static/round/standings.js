// Who is who and how it stands: the attempts of the round, the two roles, everybody's clouds, the
// rounds of the evening.

import { roundsOf } from "../core/evening.js";
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { badge, name } from "../parts/people.js";
import { sign } from "../parts/signs.js";
import { hour, sky } from "../window/sky.js";

// The attempts of the round: past ones struck, the sun in place, coming ones open.
export function attemptDots({ attempt, attempts }) {
  const dots = [];
  for (let i = 1; i <= attempts; i += 1)
    dots.push(html`<i key=${i} class=${i < attempt ? "past" : i === attempt ? "now" : ""}></i>`);
  return html`
    <p class="pips">
      <span class="dots" aria-hidden="true">${dots}</span>
      <span class="words">${t("attempt", { n: attempt, of: attempts })}</span>
    </p>`;
}

export function roleLine(people, { daydreamer, lookout }) {
  const role = (key, signName, person) =>
    person &&
    html`
      <p key=${key} class="role-of">
        ${sign(signName)}
        <span>${t(`role.${key}`)}</span> <strong class="cuts">${name(person)}</strong>
      </p>`;
  return html`
    <div class="roles">
      ${role("daydreamer", "moon", people[daydreamer])}
      ${role("lookout", "telescope", people[lookout])}
    </div>`;
}

// Everyone's clouds, most first; two columns, one with role signs from seven players on.
export function standings(people, round) {
  const order = people.slice().sort((a, b) => b.cards - a.cards || a.seat - b.seat);
  const many = people.length > 6;
  const long = people.some((person) => Array.from(person.name).length > 14);
  const roleSign = (signName, role) =>
    html`<span class="role-sign">${sign(signName)}<span class="unseen">${t(role)}</span></span>`;
  return html`
    <ul class=${["standings", many && "many", long && "long"]}>
      ${order.map(
        (person) => html`
          <li key=${person.name} class=${person.away ? "away" : null}>
            ${badge(person)}
            <span class="who cuts">${name(person)}</span>
            ${many && round && round.daydreamer === person.seat && roleSign("moon", "role.daydreamer")}
            ${many && round && round.lookout === person.seat && roleSign("telescope", "role.lookout")}
            <span class="count">
              ${person.cards}
              <span class="unseen"> ${t("clouds.word", { n: person.cards })}</span>
            </span>
          </li>`
      )}
    </ul>`;
}

// The rounds of the evening, one stripe of that hour's sky each.
export function ribbon(board) {
  const of = roundsOf(board);
  const over = board.phase === "over";
  const now = over ? of : board.round ? board.round.number : 1;
  const stripes = [];
  for (let i = 1; i <= of; i += 1) {
    const colour = { "background-color": sky(hour(i, of)).ribbon };
    stripes.push(
      html`<i key=${i} class=${i === now ? "now" : i < now ? "past" : ""} style=${colour}></i>`
    );
  }
  return html`<div class="ribbon" aria-hidden="true">${stripes}</div>`;
}
