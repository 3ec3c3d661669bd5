// The end of the evening: who has the sky, all clouds that were won as one sunflower, the best
// name.

import { command } from "../core/commands.js";
import { onScoreboard } from "../core/evening.js";
import { html } from "../core/html.js";
import { notice } from "../core/notice.js";
import { go } from "../core/route.js";
import { createStore } from "../core/store.js";
import { toastLine } from "../core/toast.js";
import { quoted, say, t } from "../core/words.js";
import { button, pressed, textButton } from "../parts/buttons.js";
import { cloud } from "../parts/cards.js";
import { badge, name } from "../parts/people.js";
import { questionLine } from "../questions/question.js";
import { nameBlock } from "../round/cloud_name.js";
import { ledgerButton, moreButton, redoButton, shortUndoButton } from "../round/footer.js";
import { lastLine } from "../round/header.js";
import {
  endedRounds,
  isFound,
  isWon,
  ownersOf,
  rightAtKey,
  shapeOf,
  takerOf,
} from "../round/outcome.js";
import { standings } from "../round/standings.js";
import { isSmallPhone, screen } from "../screen/this_screen.js";
import { fairStart } from "../set_up/fair_start.js";
import { setUpAnew } from "../set_up/ring.js";
import { sunflower } from "../window/geometry.js";
import { baseScene } from "../window/scene.js";
import { hour } from "../window/sky.js";

const EACH_LATER_MS = 30; // the clouds appear one after another

// Whose clouds are shown alone, by seat; null for everybody's.
const highlight = createStore({ seat: null });

onScoreboard((before, board) => {
  if (before && before.phase !== board.phase) highlight.put({ seat: null });
});

export function endScene(evening) {
  const { board } = evening;
  const { seat: shown } = highlight.get();
  const won = wonClouds(endedRounds(board));
  const { size, places } = sunflower(won.length);
  return Object.assign(baseScene(evening), {
    daydreamer: null,
    lookout: null,
    winners: winnersOf(board),
    highlight: shown,
    tints: won.map((one) => one.t),
    clouds: won.map(({ key, card, seat, shape, t: time }, i) => {
      const cls = shown === null || shown === seat ? "won" : "won faint";
      return cloud(key, card, places[i], size, {
        side: "small",
        cls,
        shape,
        t: time,
        deck: board.played_deck,
        style: { "animation-delay": `${i * EACH_LATER_MS}ms` },
      });
    }),
    seatProps: (person) => ({
      role: "button",
      tabindex: 0,
      "aria-pressed": String(shown === person.seat),
      "aria-label": t("label.highlight", { name: person.name, n: person.cards }),
      on: pressed(() => highlight.set({ seat: shown === person.seat ? null : person.seat })),
    }),
  });
}

// Who has the sky: nobody yet while an answer may still change it.
function winnersOf(board) {
  return board.question ? [] : board.winners || [];
}

// Every cloud won in the evening, in its order.
function wonClouds(rounds) {
  const lists = rounds.map((round) =>
    ownersOf(round).map(({ card, seat, at }) => ({
      key: `h${round.number}-${at}`,
      card,
      seat,
      shape: shapeOf(round, at),
      t: hour(round.number, rounds.length),
    }))
  );
  return [].concat(...lists);
}

export function endColumn(evening) {
  const { board, people } = evening;
  const { watching } = screen.get();
  const winners = winnersOf(board)
    .map((seat) => people[seat])
    .filter(Boolean);
  const share = winners.length > 1 ? "end.clouds_each" : "end.clouds";
  const touched = people[highlight.get().seat];
  const small = isSmallPhone();
  const ways = watching ? null : goOn(board);
  return html`
    <header key="where" class="where">
      <p class="round-line">
        <strong>${t(board.practice_over ? "practice.over" : "end.over")}</strong>
        ${board.leftover > 0 && html`<span class="soft"> · ${t("end.left", { n: board.leftover })}</span>`}
      </p>
      ${!evening.online && html`<p key="note" class="note">${notice(evening)}</p>`}
      ${questionLine(board) || lastLine(evening)}
    </header>
    <div key="head" class="head">
      ${toastLine()}
      <h1 key="winners" class="fit instruct" data-steps="4.25 3.5 3 2.5 2">
        ${winners.length ? winnersWords(winners) : t("end.over")}
      </h1>
      ${touched ? playersLine(touched) : winners.length > 0 && html`<p key="clouds" class="second">${t(share, { n: winners[0].cards })}</p>`}
      ${nameBlock(null)}
    </div>
    <div key="low" class="low">${standings(people, null)}</div>
    ${small && ways}
    ${bestName(board, people)}
    <p key="count" class="quiet end-ways">
      ${board.rounds.length > 0 && textButton("pictures", t("pictures.title"), () => go("pictures"))}
      ${!watching && board.camera.state !== "off" && textButton("piles", t("piles.title"), () => go("piles"))}
    </p>
    ${!small && ways}
    ${!watching && endFooter(board)}`;
}

// Whose clouds the window shows alone just now.
function playersLine(person) {
  return html`
    <p key="touched" class="second touched" role="status">
      ${badge(person)} ${name(person)}, ${t("end.clouds", { n: person.cards })}
    </p>`;
}

function winnersWords(winners) {
  if (winners.length === 1) return say("end.one", { name: winners[0].name });
  const between = (i) => (i === 0 ? "" : i === winners.length - 1 ? t("end.and") : ", ");
  const names = winners.map((person, i) => [between(i), name(person)]);
  return say("end.many", { names: html`<span>${names}</span>` });
}

// The evening's best name: the last that nobody guessed, else the one that took the most guesses, if
// anybody was wrong.
function bestName(board, people) {
  const named = board.rounds.filter((round) => round.name && isWon(round));
  const unfound = named.filter((round) => !isFound(round));
  const found = named
    .filter((round) => isFound(round) && round.guesses.length > 1)
    .sort((a, b) => b.guesses.length - a.guesses.length);
  const round = unfound[unfound.length - 1] || found[0];
  const taker = round && people[takerOf(round)];
  if (!taker) return null;
  const params = {
    name: taker.name,
    gain: round.gains[taker.seat],
    round: round.number,
    how: t(rightAtKey(round.guesses.length)),
  };
  return html`
    <div key="best" class="best">
      <p class="soft">${t("end.best")}</p>
      <p class="cloud-name">${quoted(round.name)}</p>
      <p class="soft">${say(isFound(round) ? "end.best_right" : "end.best_nobody", params)}</p>
    </div>`;
}

// Another evening. On a small phone it comes before what has no room there, so that it is in reach and hides
// nothing.
function goOn(board) {
  if (board.practice) return html`<p key="practice-plays" class="soft">${t("practice.fixed")}</p>`;
  if (board.practice_over) return afterPractice(board);
  const sitting = board.players.filter((one) => !one.away);
  const fair = fairStart(
    sitting.map((one) => one.name),
    board
  );
  const first = fair && sitting.find((one) => one.name === fair.name);
  const again = () =>
    command(Object.assign({ do: "rematch" }, first && { daydreamer: first.seat }));
  return html`
    <p key="first" class="first two-ways">
      ${button("again", t("end.again"), again, { cls: "primary", sends: true, below: fair && say("setup.begins", { name: fair.name }) })}
      ${button("table", t("end.new_table"), () => setUpAnew(board))}
    </p>`;
}

// Nothing plays itself any more: what there is now, and how another game begins.
function afterPractice(board) {
  return html`
    <p key="practice-over" class="soft">${t("practice.over_why")}</p>
    <p key="first" class="first two-ways">
      ${button("table", t("end.new_table"), () => setUpAnew(board))}
    </p>`;
}

function endFooter(board) {
  return html`
    <footer key="buttons" class="buttons">
      ${ledgerButton(t("ledger"), "short")}
      ${board.redo && !board.practice_over && redoButton()}
      ${board.undo && !board.practice_over && shortUndoButton()}
      ${board.rounds.length > 0 && button("album", null, () => go("pictures"), { sign: "ribbon", cls: "bare album", label: t("pictures.title") })}
      ${moreButton()}
    </footer>`;
}
