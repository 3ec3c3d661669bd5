// What an evening of before is told with: its day, its length, its people.

import { t, writingHabits } from "../core/words.js";
import { peopleOf } from "../parts/people.js";

// What a person is called on this screen: a forgotten one has no name of their own.
export function called({ name: told }) {
  return told.replace(/^somebody( \d+)?$/, (_whole, number) => t("book.somebody") + (number || ""));
}

// The day as it stands by itself, above an evening or in a heading: its first letter is a capital, also
// where the language writes days with a small one.
export function dayOf(began_s, length) {
  const habits = writingHabits();
  const how = { weekday: length, day: "numeric", month: length, year: "numeric" };
  const day = new Date(began_s * 1000).toLocaleDateString(habits, how);
  return day.charAt(0).toLocaleUpperCase(habits) + day.slice(1);
}

export function lengthOf({ played_s }) {
  const minutes = Math.max(1, Math.round(played_s / 60));
  if (minutes < 60) return t("book.minutes", { n: minutes });
  const rest = `0${minutes % 60}`.slice(-2);
  return t("book.hours", { hours: Math.floor(minutes / 60), minutes: rest });
}

// Which of several games of one night it was.
export function gameOf({ nth, games }) {
  return t("book.game", { nth, n: games.length });
}

export function peopleOfEvening(evening) {
  return peopleOf(
    evening.players.map((one, seat) => Object.assign({ seat }, one, { name: called(one) }))
  );
}
