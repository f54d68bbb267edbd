// The parameters in the overlay's URL, like ?parts=roll,score&roll=bottom-left&theme=dark&scale=1.2

import { list, t } from "/web/words.js";

export const PARTS = ["names", "streaks", "board", "score", "odds", "roll"];
export const THEMES = ["dark", "light", "wood", "contrast"];
export const PLACES = [
  ...["top-left", "top", "top-right"],
  ...["left", "middle", "right"],
  ...["bottom-left", "bottom", "bottom-right"],
];
export const SCALES = [0.4, 3];
export const CAMERAS = ["fill", "fit", "off"]; // how the picture of the camera over the table is fitted into the stream's
const KNOWN = ["parts", "theme", "scale", "camera", "language", ...PARTS];

// `parts` to show, in order within a place; `places` of those that are placed; `problems`: what was not understood, in words.
export function wanted(search) {
  const asked = { parts: PARTS, places: {}, theme: THEMES[0], scale: 1, camera: CAMERAS[0], problems: [] };
  const given = new URLSearchParams(search);
  for (const name of new Set(given.keys())) {
    const problem = given.getAll(name).length > 1 ? t("settings.twice", { name }) : take(asked, name, given.get(name).trim());
    if (problem) asked.problems.push(problem);
  }
  return asked;
}

function take(asked, name, text) {
  if (name === "parts") return takeParts(asked, text);
  if (name === "theme") return takeOne(asked, name, text, THEMES);
  if (name === "camera") return takeOne(asked, name, text, CAMERAS);
  if (name === "scale") return takeScale(asked, text);
  if (name === "language") return null; // the server has chosen the page by it
  return PARTS.includes(name) ? takePlace(asked, name, text) : t("settings.unknown", { name, known: KNOWN.join(", ") });
}

function takeParts(asked, text) {
  const names = [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
  const known = names.filter((name) => PARTS.includes(name));
  if (known.length) asked.parts = known;
  const unknown = names.filter((name) => !PARTS.includes(name));
  if (!names.length) return t("settings.no-parts", { known: PARTS.join(", ") });
  if (!unknown.length) return null;
  return t("settings.part", { names: list(unknown.map((name) => t("settings.quoted", { name }))), count: unknown.length, known: PARTS.join(", ") });
}

function takeOne(asked, name, text, all) {
  if (!all.includes(text)) return t(`settings.${name}`, { text, known: all.join(", ") });
  asked[name] = text;
  return null;
}

function takeScale(asked, text) {
  const scale = Number(text || NaN);
  if (!(scale >= SCALES[0] && scale <= SCALES[1])) return t("settings.scale", { least: String(SCALES[0]), most: String(SCALES[1]), text });
  asked.scale = scale;
  return null;
}

function takePlace(asked, part, text) {
  if (!PLACES.includes(text)) return t("settings.place", { text, part, known: PLACES.join(", ") });
  asked.places[part] = text;
  return null;
}
