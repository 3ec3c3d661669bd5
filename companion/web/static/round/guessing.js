// The column while people guess: whose turn, which attempt, what lies set aside.

import { html } from "../core/html.js";
import { toastLine } from "../core/toast.js";
import { say, t } from "../core/words.js";
import { name } from "../parts/people.js";
import { isAboutNow } from "../questions/question_words.js";
import { isHandheld } from "../screen/this_screen.js";
import { lookAtGuess } from "../stills/stills.js";
import { isFaceDown } from "../window/scene.js";
import { byHandOpener, byHandRow } from "./by_hand.js";
import { landsWithTheSun } from "./claim.js";
import { nameBlock, nameOpener } from "./cloud_name.js";
import { footer } from "./footer.js";
import { roundHeader } from "./header.js";
import { attemptDots, roleLine, standings } from "./standings.js";

export function guessingColumn(evening) {
  const { board, people } = evening;
  const { round } = board;
  const person = people[round.turn];
  const answers = byHandRow(evening);
  const inFoot = isHandheld(); // always in reach of a thumb
  const last = board.rounds[board.rounds.length - 1];
  const again = last && lookAtGuess(board, last, last.guesses.length - 1);
  const quiet = [nameOpener(round), byHandOpener(board), again].filter(Boolean);
  return [
    roundHeader(evening),
    html`
      <div key="head" class="head">
        ${toastLine()}
        ${person ? turn(person) : html`<h1 key="wait" class="fit" data-steps="4.25 3.4">${t("guess.wait")}</h1>`}
        ${person && attemptDots(round)}
        ${nameBlock(round)}
        <div key="now" class="now-line">
          <p class="soft do-now">${doNow(evening)}</p>
          ${quiet.length > 0 && html`<p class="quiet">${quiet}</p>`}
        </div>
        ${!inFoot && answers}
      </div>
      <div key="low" class="low">
        ${people.length <= 6 && roleLine(people, round)}
        ${standings(people, round)}
      </div>`,
    footer(evening, inFoot && answers),
  ];
}

function turn(person) {
  return html`
    <h1 key="turn" class="turn">
      <span key="who-${person.name}" class=${["fit who", landsWithTheSun(person.name) && "lands"]} data-steps="8 6 5 4.25 3.8 3.4 3 2.6">${name(person)}</span>
      <span class="verb">${t("guesses")}</span>
    </h1>`;
}

// Where a question about this round waits, nobody knows whether clouds lie there to point at.
function doNow({ board, people }) {
  if (isAboutNow(board)) return t("guess.asked");
  const { set_aside: setAside, daydreamer } = board.round;
  if (!setAside.length) return t("guess.point");
  const key = isFaceDown(board) ? "guess.point_face_down" : "guess.point_set_aside";
  return say(key, { n: setAside.length, name: people[daydreamer].name });
}
