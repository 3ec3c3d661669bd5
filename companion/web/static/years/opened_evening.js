// One evening of the book: its standing, its pictures, its ledger, what was asked and corrected, the
// film of it, and what may be done about it.

import { evening as atTable } from "../core/evening.js";
import { html } from "../core/html.js";
import { goToTable, stepOut, stepOutOfAll } from "../core/route.js";
import { say, t, writingHabits } from "../core/words.js";
import { gallery } from "../evening_end/pictures_page.js";
import { ledgerTable } from "../ledger/ledger_page.js";
import { button, holdButton, textButton } from "../parts/buttons.js";
import { backButton, heading, page } from "../parts/page.js";
import { peopleOf } from "../parts/people.js";
import { standings } from "../round/standings.js";
import { deviceName, screen } from "../screen/this_screen.js";
import { act, book, open, showAlbum } from "./book.js";
import { called, dayOf, gameOf, lengthOf } from "./evening_words.js";
import { film, showFilm } from "./film.js";
import { takeAlong, wayBack } from "./take_along.js";

export function openedEvening({ evening, board }) {
  const people = peopleOf(
    board.players.map((one) => Object.assign({}, one, { name: called(one) }))
  );
  const facts = [
    evening.night && gameOf(evening.night),
    t("book.rounds", { n: evening.rounds }),
    lengthOf(evening),
    evening.place,
  ].filter(Boolean);
  return page(
    "evening-of-before",
    heading(dayOf(evening.began_s, "long")),
    {
      lead: facts.join(" · "),
      back: backButton(t("evenings.back"), stepOut),
      cls: `evenings ledger cols${people.length} ${people.length > 4 ? "many-columns" : ""}`,
    },
    html`
      ${wayBack(evening.acts)}
      ${standings(people, null)}
      <p class="ways-of">
        ${button("film", t(film.get().coming ? "page.comes" : "film.play"), () => showFilm(evening), { sign: "film", cls: "primary", disabled: film.get().coming })}
        ${button("album", t("album.open"), showAlbum, { sign: "album" })}
      </p>
      ${evening.night && wholeNight(evening)}
      ${gallery(board, people, evening.rounds)}
      ${ledgerTable(board, people, false)}
      ${told(evening)}
      ${!screen.get().watching && changes(evening)}
      ${takeAlong(evening)}`
  );
}

// Of several games in one night: the others, and everybody's clouds of all together.
function wholeNight({ night }) {
  const people = peopleOf(
    night.players.map((one, seat) => Object.assign({ seat }, one, { name: called(one) }))
  );
  const others = night.games
    .map((number, i) => [number, i + 1])
    .filter(([, nth]) => nth !== night.nth);
  return html`
    <section key="night" class="book-night">
      <h2>${t("book.night", { n: night.games.length })}</h2>
      ${standings(people, null)}
      <p class="ways-of">
        ${others.map(([number, nth]) => textButton(`game-${number}`, t("book.to_game", { nth }), () => open(number)))}
      </p>
    </section>`;
}

// What the camera asked, what was answered, and what people changed afterwards.
function told({ questions, answers, corrections }) {
  if (!questions || !answers || !corrections || questions.length + corrections.length === 0)
    return null;
  const line = (key) => (one) => ({
    at_s: one.at_s,
    words: one.author
      ? say(`${key}_by`, { round: one.round, name: deviceName(one.author) })
      : t(key, { round: one.round }),
  });
  const lines = questions
    .map((one) => ({
      at_s: one.at_s,
      words: t(one.waits ? "book.asked_only" : "book.asked", { round: one.round }),
    }))
    .concat(answers.map(line("book.answered")), corrections.map(line("book.corrected")))
    .sort((a, b) => a.at_s - b.at_s);
  const clock = (at_s) =>
    new Date(at_s * 1000).toLocaleTimeString(writingHabits(), {
      hour: "2-digit",
      minute: "2-digit",
    });
  return html`
    <section key="told">
      <h2>${t("book.told")}</h2>
      <ul class="book-told">${lines.map((one, i) => html`<li key=${i}><span class="soft">${clock(one.at_s)}</span> ${one.words}</li>`)}</ul>
    </section>`;
}

// True while a game lies on the table that nobody would want to lose for another.
function isAnotherPlayed() {
  const { phase, rounds } = atTable.get().board;
  return phase !== "setup" && phase !== "over" && rounds.length > 0;
}

function changes(evening) {
  const { doing, typed } = book.get();
  const toggle = () =>
    book.set({ doing: doing === "place" ? null : "place", typed: evening.place });
  const place = async (event) => {
    event.preventDefault();
    if (await act({ do: "place", evening: evening.number, place: typed.trim() }))
      open(evening.number);
  };
  const remove = async () => {
    if (await act({ do: "delete", evening: evening.number })) stepOutOfAll();
  };
  const goOn = async () => {
    if (await act({ do: "go_on", evening: evening.number })) goToTable();
  };
  return html`
    <section key="changes" class="book-changes">
      ${
        evening.broken_off &&
        html`
        <p class="book-do">
          <span class="soft">${t("book.go_on_why")}</span>
          ${isAnotherPlayed() ? html`<span class="note">${t("book.refused.evening_begun")}</span>` : holdButton("go-on", t("book.go_on"), goOn)}
        </p>`
      }
      <p class="ways-of">
        ${textButton("place", t(evening.place ? "book.other_place" : "book.say_place"), toggle, doing === "place")}
      </p>
      ${
        doing === "place" &&
        html`
        <form key="place" class="book-do" onsubmit=${place}>
          <label for="place">${t("book.place")}</label>
          <input id="place" class="print-input" value=${typed} maxlength="40" autocomplete="off" oninput=${(event) => book.set({ typed: event.target.value })} />
          <button type="submit" class="button"><span class="label">${t("book.do_place")}</span></button>
        </form>`
      }
      ${
        evening.number !== atTable.get().board.evening &&
        html`
        <p class="book-do">
          <span class="soft">${t("book.delete_why")}</span>
          ${holdButton("delete", t("book.delete"), remove)}
        </p>`
      }
    </section>`;
}
