// The album of one evening: every round that somebody won as its sky, its words, who named it and whose
// it became, with the picture of the table where one was kept; to look at, to print, to give away.

import { html } from "../core/html.js";
import { stepOut } from "../core/route.js";
import { quoted, say, t } from "../core/words.js";
import { roundSky } from "../evening_end/pictures_page.js";
import { button } from "../parts/buttons.js";
import { backButton, heading, page } from "../parts/page.js";
import { badge, name, peopleOf } from "../parts/people.js";
import { isWon, outcomeOf } from "../round/outcome.js";
import { standings } from "../round/standings.js";
import { called, dayOf } from "./evening_words.js";
import { giveAway } from "./take_along.js";

export function albumPage({ evening, board }) {
  const people = peopleOf(
    board.players.map((one) => Object.assign({}, one, { name: called(one) }))
  );
  const won = board.rounds.filter(isWon);
  const pictures = evening.pictures || {};
  const hasPhotos = Object.keys(pictures).length > 0;
  return page(
    "album",
    heading(dayOf(evening.began_s, "long")),
    {
      lead: evening.place,
      back: backButton(t("film.leave"), stepOut),
      cls: "album",
    },
    html`
      ${standings(people, null)}
      ${won.length === 0 && html`<p class="soft">${t("album.none_won")}</p>`}
      <ol class=${["album-rounds", hasPhotos && "has-photos"]}>
        ${won.map((round) => albumRound(round, pictures[round.number], evening, board, people))}
      </ol>
      ${!hasPhotos && html`<p class="soft no-print">${t("album.no_pictures")}</p>`}
      <p class="no-print">${button("print", t("album.print"), () => window.print(), { sign: "printer" })}</p>
      <div class="no-print">${giveAway(evening)}</div>`
  );
}

function albumRound(round, moment, evening, board, people) {
  const { seat, gain } = outcomeOf(round);
  const taker = people[seat];
  const dreamer = people[round.daydreamer];
  return html`
    <li key=${round.number} class=${["album-round", moment && "with-photo"]}>
      <div class="album-skies">
        ${roundSky(round, board)}
        ${moment && html`<img class="album-photo" src="/api/book/${evening.number}/picture/${moment}.jpg" alt=${t("album.photo", { n: round.number })} loading="lazy" />`}
      </div>
      <p class="soft small">${t("round", { n: round.number, of: evening.rounds })}</p>
      ${round.name && html`<p class="cloud-name">${quoted(round.name)}</p>`}
      ${round.name && dreamer && html`<p class="soft small">${say("album.named_by", { name: name(dreamer) })}</p>`}
      ${taker && html`<p class="postcard-who">${badge(taker)}<strong>${name(taker)} +${gain}</strong></p>`}
    </li>`;
}
