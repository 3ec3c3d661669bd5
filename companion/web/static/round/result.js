// The column after a round: who won what and why, and who comes next.

import { afterCommand, command } from "../core/commands.js";
import { evening } from "../core/evening.js";
import { html } from "../core/html.js";
import { currentPage } from "../core/route.js";
import { toastLine } from "../core/toast.js";
import { t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { badge, name } from "../parts/people.js";
import { sign } from "../parts/signs.js";
import { screen } from "../screen/this_screen.js";
import { lookAtGuess } from "../stills/stills.js";
import { isByHand } from "./by_hand.js";
import { isNaming, nameBlock, nameOpener } from "./cloud_name.js";
import { footer } from "./footer.js";
import { roundHeader } from "./header.js";
import { isFound, lookedAt, outcomeOf, rightAtKey, shownRound } from "./outcome.js";

const RESULT_MS = 10000; // the result stays so long when a round was entered by hand; then the next one is waited for

export function resultColumn(now) {
  const { board, people } = now;
  const round = shownRound(board);
  const outcome = round && outcomeOf(round);
  const person = outcome && people[outcome.seat];
  const again = lookedAt.get().round !== null;
  return [
    again ? pastHeader(board, round) : roundHeader(now),
    html`
      <div key="head" class="head">
        ${toastLine()}
        ${person ? gainHead(person, outcome) : voidHead()}
        ${nameBlock(round)}
        ${person && quietLine(board, round)}
      </div>
      <div key="low" class="low">
        ${person && otherLines(people, round, outcome)}
        ${round && !again && board.next && nextRoles(people, board.next)}
      </div>`,
    footer(now, again ? nowButton(board) : nextButton(board)),
  ];
}

function quietLine(board, round) {
  const again = lookAtGuess(board, round, round.guesses.length - 1);
  const quiet = [nameOpener(round), again].filter(Boolean);
  return quiet.length > 0 && html`<p key="naming" class="quiet">${quiet}</p>`;
}

// A result looked at again, and the last one of the game: which round it was.
function pastHeader(board, round) {
  return html`
    <header key="where" class="where">
      <p class="round-line">
        <strong>${t("round", { n: round.number, of: board.round.of })}</strong>
        ${round.corrected && html`<span class="soft"> · ${t("ledger.corrected")}</span>`}
      </p>
    </header>`;
}

function gainHead(person, { words, gain, guess }) {
  return html`
    <h1 key="gain" class="fit gain" data-steps="6 4.25 3.5 3 2.5">
      ${name(person)} <span class="plus">+${gain}</span>
    </h1>
    <p class="second">${t(words === "right" ? rightAtKey(guess) : "result.nobody")}</p>`;
}

function voidHead() {
  return html`
    <h1 key="void" class="fit" data-steps="4.25 3.5 3">${t("result.void")}</h1>
    <p class="second">${t("result.void_why")}</p>`;
}

// What the Daydreamer and the Lookout have of it, unless the round was theirs.
function otherLines(people, round, outcome) {
  const gains = {};
  outcome.others.forEach(([seat, gain]) => {
    gains[seat] = gain;
  });
  const seats = [round.daydreamer, round.lookout].filter((seat) => seat !== outcome.seat);
  return html`
    <ul class="others">
      ${seats.map((seat) => otherLine(people[seat], gains[seat] || 0, whyWords(round, seat, gains[seat] || 0)))}
    </ul>`;
}

function otherLine(person, gain, why) {
  return html`
    <li key=${person.name}>
      ${badge(person)}
      <span><strong>${name(person)} ${gain > 0 ? `+${gain}` : "0"}</strong> <span class="soft">${why}</span></span>
    </li>`;
}

function whyWords(round, seat, gain) {
  if (round.daydreamer === seat && gain > 0) return t("result.kept", { n: gain });
  if (round.lookout === seat) return isFound(round) ? t("result.found") : "";
  return t(isFound(round) ? "result.no_wrong" : "result.unfound");
}

// Who dreams and who looks out in the next round.
function nextRoles(people, { daydreamer, lookout }) {
  const role = (signName, key, person) => html`
    <span key=${key} class="next-role">
      ${sign(signName)}
      <span class="unseen">${t(key)} </span>
      <strong class="cuts">${name(person)}</strong>
    </span>`;
  return html`
    <div class="next">
      <p class="soft">${t("result.next")}</p>
      <p class="next-roles">
        ${role("moon", "role.daydreamer", people[daydreamer])}
        ${role("telescope", "role.lookout", people[lookout])}
      </p>
    </div>`;
}

function nowButton({ phase }) {
  const words = t(phase === "over" ? "result.to_end" : "result.now");
  return button("now", words, () => lookedAt.set({ round: null }), {
    cls: "primary wide",
  });
}

function nextButton(board) {
  if (!isByHand(board) || screen.get().watching) return null;
  return button("next", t("next_round"), () => command({ do: "next" }), {
    cls: "primary wide",
    sends: true,
  });
}

// By touch nobody should have to tap a result away: the tablet that entered it goes on by itself.
let leaving = null;
afterCommand(() => {
  clearTimeout(leaving);
  const { board } = evening.get();
  if (board.phase !== "result" || !isByHand(board)) return;
  leaving = setTimeout(() => {
    const now = evening.get().board;
    if (now.phase === "result" && now.version === board.version && !currentPage() && !isNaming())
      command({ do: "next" });
  }, RESULT_MS);
});
