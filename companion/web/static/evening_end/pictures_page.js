// The evening in pictures: one small round window a round, its sky, its clouds, its name, who won
// it. Our own art; nothing is sent anywhere.

import { roundsOf } from "../core/evening.js";
import { html } from "../core/html.js";
import { quoted, t } from "../core/words.js";
import { cloud } from "../parts/cards.js";
import { heading, page } from "../parts/page.js";
import { badge, name } from "../parts/people.js";
import { tints } from "../parts/soft_clouds.js";
import { isWon, outcomeOf, ownersOf, shapeOf } from "../round/outcome.js";
import { onRim } from "../window/geometry.js";
import { hour, skyGradient } from "../window/sky.js";

export function picturesPage({ board, people }) {
  return page(
    "pictures",
    heading(t("pictures.title")),
    { lead: t("pictures.why") },
    gallery(board, people, board.round ? board.round.of : board.rounds.length)
  );
}

// The postcards of the rounds that were won, of so many in all.
export function gallery(board, people, of) {
  const won = board.rounds.filter(isWon);
  if (!won.length) return html`<p class="soft">${t("album.none_won")}</p>`;
  return html`<ol class="gallery">${won.map((round) => postcard(round, board, people, of))}</ol>`;
}

function postcard(round, board, people, of) {
  const { seat, gain } = outcomeOf(round);
  const person = people[seat];
  return html`
    <li key=${round.number} class="postcard">
      ${roundSky(round, board)}
      <p class="soft small">${t("round", { n: round.number, of })}</p>
      ${round.name && html`<p class="cloud-name">${quoted(round.name)}</p>`}
      ${person && html`<p class="postcard-who">${badge(person)}<strong>${name(person)} +${gain}</strong></p>`}
    </li>`;
}

// The small window of a round that somebody won.
export function roundSky(round, board) {
  const id = `hour-${round.number}`;
  const time = hour(round.number, roundsOf(board));
  const { seat } = outcomeOf(round);
  return html`
    <svg class="window" viewBox="-380 -380 760 760" aria-hidden="true">
      <defs>${skyGradient(id, time)}${tints([time])}</defs>
      <circle r="366" fill="url(#${id})" class="small-sky" />
      ${placed(round, seat).map(({ card, at, place, size }) => cloud(`c${at}`, card, place, size, { side: "small", shape: shapeOf(round, at), t: time, deck: board.played_deck }))}
    </svg>`;
}

// Clouds for one small window: those of the winner together in the sky, those set aside along its
// rim.
function placed(round, winner) {
  const owners = ownersOf(round);
  const won = owners.filter((owner) => owner.seat === winner);
  const setAside = owners.filter((owner) => owner.seat !== winner);
  const n = won.length;
  const size = n === 1 ? 300 : n <= 3 ? 214 : n <= 5 ? 178 : 152;
  const ring = n > 5 ? n - 1 : n; // from six on one lies in the middle
  const apart = (size * 0.53) / Math.sin(Math.PI / Math.max(2, ring));
  const far = n === 1 ? 0 : Math.max(size * (n > ring ? 1.06 : 0.56), apart);
  const up = setAside.length ? 52 : 0;
  const inSky = won.map(({ card, at: nth }, i) => {
    const at = i >= ring ? { x: 0, y: 0 } : onRim(-90 + (360 * i) / ring, far);
    return { card, at: nth, place: { x: at.x, y: at.y - up }, size };
  });
  const alongRim = setAside.map(({ card, at }, i) => {
    const place = onRim(90 - (i - (setAside.length - 1) / 2) * 23, 286);
    return { card, at, place, size: 108 };
  });
  return inSky.concat(alongRim);
}
