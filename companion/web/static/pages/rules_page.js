// The rules at hand: our own short words for the edition in use, a worked example, and the three
// roles by their signs.

import { html } from "../core/html.js";
import { allRoundSizes } from "../core/round_sizes.js";
import { t } from "../core/words.js";
import { heading, page } from "../parts/page.js";
import { sign } from "../parts/signs.js";
import { ring } from "../set_up/ring.js";
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
  const { opened, edition: chosen } = ring.get();
  const edition = !board.round && opened ? chosen : board.edition;
  const faceDown = edition === "de"; // what becomes of a wrong guess
  return page(
    "rules",
    heading(t("rules.title")),
    { lead: t(`edition.${edition}`) },
    html`
      <p class="lead">${t("rules.aim")}</p>
      <div class="rules-two">
        <section key="round" class="rules-round">
          <h2>${t("rules.in_pictures")}</h2>
          <ol class="pictured">
            ${ruleWindows(faceDown).map((picture, i) => pictured(picture, PICTURED[i], faceDown))}
          </ol>
          <ul class="steps">${THEN.map(([step, signName]) => stepLine(step, signName))}</ul>
        </section>
        <section key="roles" class="rules-roles">
          <h2>${t("rules.roles")}</h2>
          ${ROLES.map(roleCard)}
          <h2>${t("rules.how_many")}</h2>
          ${sizesTable(people.length)}
          <h2>${t("rules.example")}</h2>
          <p>${t(faceDown ? "rules.example_face_down" : "rules.example_set_aside")}</p>
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

function sizesTable(playersHere) {
  return html`
    <table>
      <thead>
        <tr>
          <th scope="col">${t("rules.players")}</th>
          <th scope="col">${t("rules.cards")}</th>
          <th scope="col">${t("rules.attempts")}</th>
        </tr>
      </thead>
      <tbody>
        ${allRoundSizes().map(
          ({ players, cards, attempts }) => html`
            <tr key=${players} class=${players === playersHere ? "ours" : null}>
              <th scope="row">${players}</th>
              <td>${cards}</td>
              <td>${attempts}</td>
            </tr>`
        )}
      </tbody>
    </table>`;
}
