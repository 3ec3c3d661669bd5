// An evening of before as a film of the round window, at any speed. The table sends one board for each
// thing that happened; the window draws them as it drew them that night.

import { html } from "../core/html.js";
import { get } from "../core/requests.js";
import { followPage, stepIn, stepOut } from "../core/route.js";
import { createStore } from "../core/store.js";
import { showToast } from "../core/toast.js";
import { quoted, say, t } from "../core/words.js";
import { endScene } from "../evening_end/end.js";
import { button } from "../parts/buttons.js";
import { switchRow } from "../parts/fields.js";
import { backButton } from "../parts/page.js";
import { name, peopleOf } from "../parts/people.js";
import { guessingScene } from "../round/guessing_scene.js";
import { outcomeOf } from "../round/outcome.js";
import { resultScene } from "../round/result_scene.js";
import { secretScene } from "../round/secret.js";
import { attemptDots, standings } from "../round/standings.js";
import { roundWindow } from "../window/window.js";
import { called, dayOf } from "./evening_words.js";

const SPEEDS = [1, 4, 16, 64];
const SHORTEST_MS = 350; // so long a step is seen at any speed
const LONGEST_MS = 4000; // a dinner between two steps is no part of the film

// `coming` is true while the film is asked for.
export const film = createStore({
  frames: null,
  at: 0,
  playing: false,
  speed: 16,
  began_s: 0,
  coming: false,
});

let timer = null;
let asked = 0;

export async function showFilm(evening) {
  asked += 1;
  const mine = asked;
  film.set({ coming: true });
  try {
    const { film: frames } = await get(`/api/book/${evening.number}/film`);
    if (mine !== asked) return;
    for (const { board } of frames) board.evening = `film ${evening.number}`; // no evening of the table
    stepIn(leave);
    film.set({ frames, at: 0, playing: true, began_s: evening.began_s, coming: false });
    window.scrollTo(0, 0);
    run();
  } catch (_error) {
    if (mine !== asked) return;
    film.set({ coming: false });
    showToast("book.not_there");
  }
}

// Wait as long as it took that night, divided by the speed, within bounds; then the next step.
function run() {
  clearTimeout(timer);
  const { frames, at, playing, speed } = film.get();
  if (!playing || !frames) return;
  if (at + 1 >= frames.length) {
    film.set({ playing: false });
    return;
  }
  const took_ms = ((frames[at + 1].at_s - frames[at].at_s) * 1000) / speed;
  timer = setTimeout(
    () => {
      if (!film.get().frames) return;
      film.set({ at: film.get().at + 1 });
      run();
    },
    Math.max(SHORTEST_MS, Math.min(LONGEST_MS, took_ms))
  );
}

followPage(end);

function end() {
  clearTimeout(timer);
  asked += 1;
  film.put({ frames: null, playing: false, coming: false });
}

function leave() {
  end();
  film.set({});
}

function seek(at) {
  const last = film.get().frames.length - 1;
  film.set({ at: Math.max(0, Math.min(last, at)), playing: false });
  clearTimeout(timer);
}

function toggle() {
  const { playing, at, frames } = film.get();
  film.set({ playing: !playing, at: at + 1 >= frames.length ? 0 : at });
  run();
}

const SCENES = { guessing: guessingScene, result: resultScene, over: endScene };

function sceneOf(now) {
  const scene = (SCENES[now.board.phase] || secretScene)(now);
  return Object.assign(scene, {
    cloudsOf: (person) => person.cards,
    seatProps: null,
    label: t("film.title"),
  });
}

export function filmPage() {
  const { frames, at, playing, speed, began_s } = film.get();
  const { board } = frames[at];
  const people = peopleOf(
    board.players.map((one) => Object.assign({}, one, { name: called(one) }))
  );
  return html`
    <main key="film" class="film">
      <h1 class="unseen">${t("film.title")}</h1>
      <div key="window" class="window-box">${roundWindow(sceneOf({ board, people, online: true }))}</div>
      <div key="column" class="film-column">
        <p class="soft">${dayOf(began_s, "long")}</p>
        <div class="film-words" aria-live=${playing ? "off" : "polite"}>${words(board, people)}</div>
        ${standings(people, board.round)}
        <input type="range" class="film-way" min="0" max=${frames.length - 1} value=${at} aria-label=${t("film.where")}
          oninput=${(event) => seek(Number(event.target.value))} />
        <p class="film-buttons">
          ${button("step-back", null, () => seek(at - 1), { sign: "before", label: t("film.back"), cls: "bare" })}
          ${button("play", t(playing ? "film.stop" : "film.go"), toggle, { cls: "primary" })}
          ${button("step", null, () => seek(at + 1), { sign: "after", label: t("film.on"), cls: "bare" })}
        </p>
        ${switchRow(
          "speed",
          t("film.speed"),
          speed,
          SPEEDS.map((one) => [one, `${one}×`]),
          (one) => {
            film.set({ speed: one });
            run();
          }
        )}
        ${backButton(t("film.leave"), stepOut)}
      </div>
    </main>`;
}

// One line of what the window shows.
function words(board, people) {
  const { round } = board;
  const last = board.rounds[board.rounds.length - 1];
  if (board.phase === "over") return html`<p class="film-say">${t("end.over")}</p>`;
  const head = html`<p class="soft">${t("round", { n: round.number, of: round.of })}</p>`;
  const title = round.name && html`<p class="cloud-name">${quoted(round.name)}</p>`;
  if (board.phase === "guessing")
    return html`
      ${head}${title}
      <p class="film-say">${say("film.guesses", { name: name(people[round.turn]) })}</p>
      ${attemptDots(round)}`;
  if (board.phase === "result" && last) {
    const { seat, gain } = outcomeOf(last);
    return html`
      ${head}${title}
      <p class="film-say">${seat === null ? t("last.void") : html`${name(people[seat])} +${gain}`}</p>`;
  }
  return html`${head}<p class="film-say">${say("film.names", { name: name(people[round.daydreamer]) })}</p>`;
}
