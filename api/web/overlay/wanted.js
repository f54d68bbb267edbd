// What the address of the overlay asks for, like ?parts=roll,score&roll=bottom-left&theme=dark&scale=1.2

export const PARTS = ["names", "streaks", "board", "score", "odds", "roll"];
export const THEMES = ["dark", "light", "wood", "contrast"];
export const PLACES = [
  ...["top-left", "top", "top-right"],
  ...["left", "middle", "right"],
  ...["bottom-left", "bottom", "bottom-right"],
];
const SCALES = [0.4, 3];
const KNOWN = ["parts", "theme", "scale", ...PARTS];

// `parts` to show, in their order within a place; `places` of those that are placed; `problems`: what was not understood, in words.
export function wanted(search) {
  const asked = { parts: PARTS, places: {}, theme: THEMES[0], scale: 1, problems: [] };
  const given = new URLSearchParams(search);
  for (const name of new Set(given.keys())) {
    const problem = given.getAll(name).length > 1 ? `“${name}” is given more than once.` : take(asked, name, given.get(name).trim());
    if (problem) asked.problems.push(problem);
  }
  return asked;
}

function take(asked, name, text) {
  if (name === "parts") return takeParts(asked, text);
  if (name === "theme") return takeTheme(asked, text);
  if (name === "scale") return takeScale(asked, text);
  return PARTS.includes(name) ? takePlace(asked, name, text) : `“${name}” is not a setting. ${listed(KNOWN)}`;
}

function takeParts(asked, text) {
  const names = [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
  const known = names.filter((name) => PARTS.includes(name));
  if (known.length) asked.parts = known;
  const unknown = names.filter((name) => !PARTS.includes(name));
  if (!names.length) return `“parts” is empty. ${listed(PARTS)}`;
  return unknown.length ? `“parts” names ${unknown.map((name) => `“${name}”`).join(" and ")}, which ${unknown.length > 1 ? "are no parts" : "is no part"}. ${listed(PARTS)}` : null;
}

function takeTheme(asked, text) {
  if (!THEMES.includes(text)) return `“${text}” is not a theme. ${listed(THEMES)}`;
  asked.theme = text;
  return null;
}

function takeScale(asked, text) {
  const scale = Number(text || NaN);
  if (!(scale >= SCALES[0] && scale <= SCALES[1])) return `scale must be ${SCALES.join(" to ")}, got “${text}”.`;
  asked.scale = scale;
  return null;
}

function takePlace(asked, part, text) {
  if (!PLACES.includes(text)) return `“${text}” is not a place for “${part}”. ${listed(PLACES)}`;
  asked.places[part] = text;
  return null;
}

const listed = (names) => `Choose from ${names.join(", ")}.`;
