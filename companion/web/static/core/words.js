// The page's words: one catalogue per language, each screen its own.
//
// A sentence is found by key; `{name}` in it is filled in. A sentence with forms (`one`, `few`,
// `other`) is chosen by `n`. Names are put in whole and never inflected, each in a <bdi> of its
// own, so that a right-to-left name keeps to itself.

import { html } from "./html.js";
import { keep, recall } from "./storage.js";

export const LANGUAGES = { en: "English", de: "Deutsch", cs: "Čeština" };

let language = "en";
let catalogue = {};

export function currentLanguage() {
  return language;
}

// By whose habits days, hours and numbers are written: English as in Britain, day before month.
export function writingHabits() {
  return language === "en" ? "en-GB" : language;
}

export function preferredLanguage() {
  const chosen = recall("language", null);
  if (LANGUAGES[chosen]) return chosen;
  const asked = (navigator.languages || [navigator.language || "en"]).map((l) =>
    l.slice(0, 2).toLowerCase()
  );
  return asked.find((l) => LANGUAGES[l]) || "en";
}

export async function loadLanguage(wanted) {
  const answer = await fetch(`/words/${wanted}.json`);
  catalogue = await answer.json();
  language = wanted;
  document.documentElement.lang = wanted;
}

export function chooseLanguage(wanted) {
  keep("language", wanted);
  return loadLanguage(wanted);
}

// Which form a number takes: English and German know one and other, Czech also few.
export function form(lang, n) {
  if (n === 1) return "one";
  return lang === "cs" && n >= 2 && n <= 4 ? "few" : "other";
}

export function has(key) {
  return key in catalogue;
}

function sentence(key, n) {
  const found = catalogue[key];
  if (found === undefined) return key;
  return typeof found === "string" ? found : found[form(language, n)] || found.other;
}

// Czech says "z 5", but "ze 4", "ze 13", "ze 20": by how the number begins when it is spoken.
export function spoken(lang, text) {
  if (lang !== "cs") return text;
  return text.replace(
    /(^|\s)z (\d+)/g,
    (_whole, before, n) =>
      before + (/^(1?[23467]|[23467]\d{1,2}|1\d\d)$/.test(n) ? "ze " : "z ") + n
  );
}

// Between thousands, and before what is less than one; the space does not break.
const NUMBER_MARKS = { en: [",", "."], de: [".", ","], cs: ["\u00a0", ","] };

// A number as the language writes it: 4,184 and 2.1 in English, 4.184 and 2,1 in German.
export function written(value) {
  if (typeof value !== "number") return String(value);
  const [between, before] = NUMBER_MARKS[language];
  const [whole, part] = String(value).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, between);
  return part === undefined ? grouped : grouped + before + part;
}

// The sentence as a string.
export function t(key, params) {
  const values = params || {};
  const text = sentence(key, values.n).replace(/\{(\w+)\}/g, (_whole, name) =>
    values[name] === undefined || values[name] === null ? "" : written(values[name])
  );
  return spoken(language, text);
}

// The sentence as a list for the tree: values that are names (or elements) stand apart, whatever
// their script.
export function say(key, params) {
  const values = params || {};
  return sentence(key, values.n)
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const hit = /^\{(\w+)\}$/.exec(part);
      if (!hit) return part;
      const value = values[hit[1]];
      if (value === undefined || value === null) return "";
      if (typeof value === "number") return written(value);
      return typeof value === "object" ? value : html`<bdi>${value}</bdi>`;
    });
}

// A cloud's name in this language's quotes; Czech needs air between an ascender with caron and the
// closing quote.
export function quoted(words) {
  const marks = { en: ["“", "”"], de: ["„", "“"], cs: ["„", "“"] }[language];
  const air = /[ťďľ]$/.test(words) ? "\u200a\u200a" : "";
  return [marks[0], html`<bdi>${words}</bdi>`, air + marks[1]];
}
