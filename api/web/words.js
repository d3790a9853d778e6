// The texts of one language; each language is one file in texts/.

export const LANGUAGES = { en: "English", it: "Italiano", fr: "Français" };

let texts = {};
let fallback = {};
export let language = "en";

export async function load(wanted) {
  language = wanted in LANGUAGES ? wanted : "en";
  fallback = (await import("./texts/en.js")).default;
  texts = language === "en" ? fallback : (await import(`./texts/${language}.js`)).default;
  document.documentElement.lang = language;
}

export const known = (name) => name in fallback;

/** The text of this name, with {values} filled in; `name.one` where n is 1. */
export function t(name, values = {}) {
  const exact = values.n === 1 && `${name}.one` in texts ? `${name}.one` : name;
  const text = texts[exact] ?? fallback[exact] ?? exact;
  return text.replace(/\{(\w+)\}/g, (_, value) => values[value] ?? "");
}

export const percent = (share, digits = 0) =>
  new Intl.NumberFormat(language, {
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);

export const number = (value, digits = 1) =>
  new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
