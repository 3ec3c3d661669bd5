// The page's words: one catalogue per language, each screen its own.
//
// A sentence is found by key; `{name}` in it is filled in. A sentence with forms (`one`, `few`, `other`) is chosen by `n`.
// Names are put in whole and never inflected, each in a <bdi> of its own, so that a right-to-left name keeps to itself.

import { h } from "./vtree.js";
import { recall, keep } from "./keep.js";

export const LANGUAGES = { en: "English", de: "Deutsch", cs: "Čeština" };

let language = "en";
let catalogue = {};
let fallback = {};

export function currentLanguage() {
  return language;
}

export function preferredLanguage() {
  const chosen = recall("language", null);
  if (LANGUAGES[chosen]) return chosen;
  const asked = (navigator.languages || [navigator.language || "en"]).map((l) => l.slice(0, 2).toLowerCase());
  return asked.find((l) => LANGUAGES[l]) || "en";
}

export function loadLanguage(wanted) {
  return Promise.all([fetchWords(wanted), wanted === "en" ? null : fetchWords("en")]).then((both) => {
    language = wanted;
    catalogue = both[0];
    fallback = both[1] || both[0];
    document.documentElement.lang = wanted;
  });
}

export function chooseLanguage(wanted) {
  keep("language", wanted);
  return loadLanguage(wanted);
}

function fetchWords(wanted) {
  return fetch("/words/" + wanted + ".json").then((answer) => answer.json());
}

// Which form a number takes: English and German know one and other, Czech also few.
export function form(lang, n) {
  if (n === 1) return "one";
  return lang === "cs" && n >= 2 && n <= 4 ? "few" : "other";
}

export function has(key) {
  return key in catalogue || key in fallback;
}

function sentence(key, n) {
  const found = key in catalogue ? catalogue[key] : fallback[key];
  if (found === undefined) return key;
  return typeof found === "string" ? found : found[form(language, n)] || found.other;
}

// Czech says "z 5", but "ze 4", "ze 13", "ze 20": by how the number begins when it is spoken.
export function spoken(lang, text) {
  if (lang !== "cs") return text;
  return text.replace(/(^|\s)z (\d+)/g, (whole, before, n) => before + (/^(1?[23467]|[23467]\d{1,2}|1\d\d)$/.test(n) ? "ze " : "z ") + n);
}

// German and Czech write 2,1 for 2.1.
function written(value) {
  return typeof value === "number" && language !== "en" ? String(value).replace(".", ",") : String(value);
}

// The sentence as a string.
export function t(key, params) {
  const p = params || {};
  const text = sentence(key, p.n).replace(/\{(\w+)\}/g, (whole, name) =>
    p[name] === undefined || p[name] === null ? "" : written(p[name])
  );
  return spoken(language, text);
}

// The sentence as a list for the tree: values that are names (or elements) stand apart, whatever their script.
export function say(key, params) {
  const p = params || {};
  return sentence(key, p.n)
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const hit = /^\{(\w+)\}$/.exec(part);
      if (!hit) return part;
      const value = p[hit[1]];
      if (value === undefined || value === null) return "";
      return typeof value === "object" || typeof value === "number" ? value : h("bdi", {}, value);
    });
}

// A cloud's name in this language's quotes; Czech needs air between an ascender with caron and the closing quote.
export function quoted(words) {
  const marks = { en: ["“", "”"], de: ["„", "“"], cs: ["„", "“"] }[language];
  const air = /[ťďľ]$/.test(words) ? "\u200a\u200a" : "";
  return [marks[0], h("bdi", {}, words), air + marks[1]];
}
