// The rules at hand: our own short words for the edition in use, a worked example, and the three
// roles by their signs.

import { html } from "../core/html.js";
import { allRoundSizes } from "../core/round_sizes.js";
import { t } from "../core/words.js";
import { heading, page } from "../parts/page.js";
import { sign } from "../parts/signs.js";
import { isSetUpAnew, ring } from "../set_up/ring.js";
import { ruleWindows } from "./rules_windows.js";

const ROLES = [
  ["daydreamer", "moon"],
  ["lookout", "telescope"],
  ["spectator", "sun"],
];
// The steps that have a picture, and those that are told after them.
const PICTURED = ["draw", "choose", "name", "guess", "set_aside", "right"];
const THEN = [
  ["nobody", "telescope"],
  ["pass", "undo"],
];

export function rulesPage({ board, people }) {
  const { opened, edition: chosen, names } = ring.get();
  const settingUp = opened && (board.phase === "setup" || isSetUpAnew(board));
  const edition = settingUp ? chosen : board.edition;
  const here = settingUp ? names : people.filter((person) => !person.away);
  const faceDown = edition === "de"; // what becomes of a wrong guess
  return page(
    "rules",
    heading(t("rules.title")),
    { lead: t(`edition.${edition}`) },
    html`
      <p class="lead">${t("rules.aim")}</p>
      <section key="round" class="rules-round">
        <h2>${t("rules.in_pictures")}</h2>
        <ol class="pictured">
          ${ruleWindows(faceDown).map((picture, i) => pictured(picture, PICTURED[i], faceDown))}
        </ol>
      </section>
      <div key="roles" class="rules-row">
        <section class="rules-roles">
          <h2>${t("rules.roles")}</h2>
          <div class="role-cards">${ROLES.map(roleCard)}</div>
        </section>
        <section class="rules-sizes">
          <h2>${t("rules.how_many")}</h2>
          ${sizesTable(here.length)}
        </section>
      </div>
      <div key="then" class="rules-row">
        <ul class="steps">${THEN.map(([step, signName]) => stepLine(step, signName))}</ul>
        <section>
          <h2>${t("rules.example")}</h2>
          <p>${t(faceDown ? "rules.example_face_down" : "rules.example_set_aside")}</p>
        </section>
        <section>
          <h2>${t("rules.end")}</h2>
          <p>${t("rules.end_words")}</p>
        </section>
      </div>`
  );
}

function pictured(picture, step, faceDown) {
  const key = step === "set_aside" && faceDown ? "rules.set_aside_face_down" : `rules.${step}`;
  return html`
    <li key=${step}>
      <div class="rule-window" aria-hidden="true">${picture}</div>
      <p>${t(key)}</p>
    </li>`;
}

function roleCard([role, signName]) {
  return html`
    <div key=${role} class="role-card">
      ${sign(signName)}
      <div><h3>${t(`role.${role}`)}</h3><p>${t(`rules.${role}`)}</p></div>
    </div>`;
}

function stepLine(step, signName) {
  return html`
    <li key=${step}>
      ${sign(signName)}
      <p>${t(`rules.${step}`)}</p>
    </li>`;
}

// A column for each number of players; ours stands out.
function sizesTable(playersHere) {
  const sizes = allRoundSizes();
  const ours = (players) => (players === playersHere ? "ours" : null);
  const row = (key) => html`
    <tr>
      <th scope="row">${t(`rules.${key}`)}</th>
      ${sizes.map((size) => html`<td key=${size.players} class=${ours(size.players)}>${size[key]}</td>`)}
    </tr>`;
  return html`
    <table>
      <thead>
        <tr>
          <th scope="row">${t("rules.players")}</th>
          ${sizes.map(({ players }) => html`<th key=${players} scope="col" class=${ours(players)}>${players}</th>`)}
        </tr>
      </thead>
      <tbody>${row("cards")}${row("attempts")}</tbody>
    </table>`;
}
