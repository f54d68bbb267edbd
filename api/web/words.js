// What the pages say, in the language of the page: strings by key, sentences that the server composed, numbers and times.

import { translator } from "./sentences.js";

const KEPT_FOR = 365 * 24 * 3600; // seconds that the choice of a language is kept

export const language = document.documentElement.lang;
const { words, sentences } = await (await fetch(`/table/words/${language}.json`)).json();

const plural = new Intl.PluralRules(language);
const percents = new Intl.NumberFormat(language, { style: "percent" });
const names = new Intl.ListFormat(language, { type: "conjunction" });
const choices = new Intl.ListFormat(language, { type: "disjunction" });
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });

const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

export const number = (value, options) => value.toLocaleString(language, options);
export const percent = (share) => percents.format(share);
// Of a piece: what is not quite sure is not said to be.
export const sureness = (confidence) => percent(Math.floor(confidence * 100) / 100);
// Of odds: only what is certain or impossible is said to be.
export const chance = (share) => {
  if (share > 0 && share < 0.005) return t("chance.under", { percent: percent(0.01) });
  return share >= 0.995 && share < 1 ? t("chance.over", { percent: percent(0.99) }) : percent(share);
};
export const list = (parts) => names.format(parts.map(String));
export const time = (at) => clock.format(new Date(at));
export const date = (at) => dates.format(new Date(at));
const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
const instants = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

// A day or a time as the server writes it, as people here do; what is neither stays as it is.
function moment(text) {
  const written = DAY.test(text) ? days : INSTANT.test(text) ? instants : null;
  return written && !Number.isNaN(Date.parse(text)) ? written.format(new Date(text)) : text;
}

const decimal = (value, places) => number(value, { minimumFractionDigits: places, maximumFractionDigits: places });

export const known = (key) => key in words;

// The string of this key; `values` go where it names them in braces, and `count` chooses its plural.
export function t(key, values = {}) {
  if (!known(key)) throw new Error(`no string ${key} in ${language}`);
  const found = words[key];
  const text = typeof found === "string" ? found : (found[plural.select(values.count)] ?? found.other);
  return text.replace(/\{([a-z]+)\}/g, (_, name) => (typeof values[name] === "number" ? number(values[name]) : values[name]));
}

// A sentence of the server in this language; null if it is not known there.
export const translation =
  language === "en" ? (text) => text : translator(sentences, list, (parts) => choices.format(parts), moment, decimal);

// The same, in English where it is not known.
export const told = (text) => translation(text) ?? text;

// The switch of languages: a link that the server would understand too, but here the token in the address stays.
document.querySelectorAll("[data-language]").forEach((link) =>
  link.addEventListener("click", (event) => {
    event.preventDefault();
    document.cookie = `muggins-language=${link.dataset.language}; path=/; max-age=${KEPT_FOR}; samesite=lax`;
    const address = new URL(location);
    address.searchParams.delete("language");
    if (address.href === location.href) location.reload();
    else location.replace(address);
  }),
);
