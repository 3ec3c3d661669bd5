// Taking evenings along as files, and the way back from what was just done to the book.

import { html } from "../core/html.js";
import { createStore } from "../core/store.js";
import { currentLanguage, say, t } from "../core/words.js";
import { button } from "../parts/buttons.js";
import { switchRow } from "../parts/fields.js";
import { screen } from "../screen/this_screen.js";
import { act, book, leftOf, open, sayIfGone } from "./book.js";

// Links to the files: of one evening, or of all where `evening` is null.
export function takeAlong(evening) {
  const one = evening ? `?evening=${evening.number}` : "";
  const asked = () => evening && sayIfGone(evening.number);
  const link = (kind) => html`
    <a key=${kind} href=${`/api/book/export/${kind}${one}`} class="text-button" download onclick=${asked}>${t(`take.${kind}`)}</a>`;
  return html`
    <section key="take" class="take-along" aria-label=${t("take.title")}>
      <h2>${t("take.title")}</h2>
      <p class="soft small">${t(evening ? "take.one_why" : "take.why")}</p>
      <p class="take-home">
        ${link("csv")} ${link("json")} ${link("bgsplay")}
        ${evening && evening.bgstats && html`<a key="app" href=${evening.bgstats} class="text-button">${t("take.bgstats")}</a>`}
        ${!evening && !screen.get().watching && html`<a key="backup" href="/api/backup" class="text-button" download>${t("take.backup")}</a>`}
      </p>
    </section>`;
}

// The evening as a picture and as PDF, with as much of the people as is wanted.
const album = createStore({ names: "names" });

export function giveAway(evening) {
  const { names } = album.get();
  const choices = ["names", "initials", "nothing"].map((one) => [one, t(`album.${one}`)]);
  const link = (kind) => html`
    <a key=${kind} href=${`/api/book/${evening.number}/album.${kind}?names=${names}&language=${currentLanguage()}`}
      class="text-button" download onclick=${() => sayIfGone(evening.number)}>${t(`album.${kind}`)}</a>`;
  return html`
    <section key="album" class="take-along" aria-label=${t("album.title")}>
      <h2>${t("album.title")}</h2>
      <p class="soft small">${t("album.why")}</p>
      ${switchRow("album-names", t("album.whose"), names, choices, (one) => album.set({ names: one }))}
      <p class="take-home">${link("png")} ${link("pdf")}</p>
    </section>`;
}

// The newest thing that can still be taken back, and for how long. What was done is said aloud once,
// the seconds are not.
export function wayBack(acts) {
  const newest = acts.find(leftOf);
  if (!newest || screen.get().watching) return null;
  const undo = async () => {
    const { opened } = book.get();
    if (await act({ do: "undo", act: newest.act })) if (opened) open(opened.evening.number);
  };
  const params = { name: newest.person, other: newest.name || newest.into, place: newest.place };
  return html`
    <div key="way-back" class="way-back">
      <span>
        <span role="status">${say(`book.did.${newest.do}`, params)}</span>
        <span class="soft left">${t("book.way_back", { n: leftOf(newest) })}</span>
      </span>
      ${button("take-back", t("book.take_back"), undo, { sign: "undo" })}
    </div>`;
}
