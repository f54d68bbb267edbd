// The profiles of this phone: dice and dominoes of its owner's own, each a file that the server makes and reads.

import { t } from "/web/words.js";

const KEY = "muggins.profiles";
const MAGIC = "muggins-profile";
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .'()+-]{0,39}$/u;

// Without what every object inherits: a profile may be called "constructor".
export function profiles() {
  const kept = Object.create(null);
  try {
    return Object.assign(kept, JSON.parse(localStorage.getItem(KEY)));
  } catch {
    return kept; // private windows may keep nothing
  }
}

// Whether the phone keeps it; `text` null forgets it.
export function keepProfile(name, text) {
  const { [name]: _, ...others } = profiles();
  try {
    localStorage.setItem(KEY, JSON.stringify(text === null ? others : { ...others, [name]: text }));
    return true;
  } catch {
    return false;
  }
}

// The profile in a file as far as this page shows it, or null if there is none; the server looks at its pictures in a game.
export function profileIn(text) {
  try {
    const profile = JSON.parse(text);
    const { profile: magic, name, pieces } = profile;
    if (magic !== MAGIC || typeof name !== "string" || !Array.isArray(pieces)) return null;
    missing(text); // throws where a piece is none
    return profile;
  } catch {
    return null;
  }
}

// As the server has it: a name is also that of a file.
export function checkName(name) {
  if (!NAME.test(name)) throw new Error(t("teach.bad-name", { name }));
}

// Whether nothing else is lost that the phone keeps under this name.
export function mayReplace(name, text) {
  const { [name]: before = text } = profiles();
  return before === text || confirm(t("teach.replace", { name }));
}

const SIDES = { d6: [1, 6], d12: [1, 12], domino: [0, 6] };

// Sides of its dice and ends of its tiles that a profile was not shown, as `vision.taught.profile.missing` has them: by kind, and
// how many more photos show them with as many pieces on each as there were on one so far.
export function missing(text) {
  const { pieces } = JSON.parse(text);
  return Object.entries(SIDES).flatMap(([kind, [least, most]]) => {
    const shown = ({ value, ends, photo }) => (ends ?? [value]).map((side) => ({ side, photo }));
    const own = pieces.filter((piece) => piece.kind === kind).flatMap(shown);
    const every = [...Array(most - least + 1).keys()].map((at) => least + at);
    const sides = every.filter((each) => own.every(({ side }) => side !== each));
    const onOne = own.map(({ photo }) => photo && own.filter((piece) => piece.photo === photo).length);
    return own.length && sides.length ? [{ kind, sides, photos: Math.ceil(sides.length / Math.max(1, ...onOne)) }] : [];
  });
}

// The same profile under another name.
export const renamed = (text, name) => JSON.stringify({ ...JSON.parse(text), name });

export const asFile = (text) => new Blob([text], { type: "application/json" });
