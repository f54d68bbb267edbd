// The texts of the pages in the page's language: strings by key, sentences that the server composed, numbers and times.

import { translator } from "./sentences.js";

const KEPT_FOR = 365 * 24 * 3600; // lifetime of the language cookie in seconds

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
// For pieces: a probability that is not certain is not rounded to certain.
export const sureness = (confidence) => percent(Math.floor(confidence * 100) / 100);
// For odds: only certain or impossible is shown as 100% or 0%.
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

// A day or a time of the server in the local format; anything else is returned unchanged.
function moment(text) {
  const written = DAY.test(text) ? days : INSTANT.test(text) ? instants : null;
  return written && !Number.isNaN(Date.parse(text)) ? written.format(new Date(text)) : text;
}

const decimal = (value, places) => number(value, { minimumFractionDigits: places, maximumFractionDigits: places });

export const known = (key) => key in words;

// The string for this key; `values` fill its slots in braces, and `count` chooses its plural.
export function t(key, values = {}) {
  if (!known(key)) throw new Error(`no string ${key} in ${language}`);
  const found = words[key];
  const text = typeof found === "string" ? found : (found[plural.select(values.count)] ?? found.other);
  return text.replace(/\{([a-z]+)\}/g, (_, name) => (typeof values[name] === "number" ? number(values[name]) : values[name]));
}

// The translation of a server's sentence; null if unknown.
export const translation =
  language === "en" ? (text) => text : translator(sentences, list, (parts) => choices.format(parts), moment, decimal);

// The translation of a server's sentence, or the English original.
export const told = (text) => translation(text) ?? text;

// The language switch: a link that the server would understand too, but handled here to keep the token in the address.
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
