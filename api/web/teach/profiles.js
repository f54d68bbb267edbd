// The profiles on this phone: its owner's own dice and dominoes, each a file that the server makes and reads.

import { t } from "/web/words.js";

const KEY = "muggins.profiles";
const MAGIC = "muggins-profile";
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .'()+-]{0,39}$/u;

// Without inherited properties: a profile may be called "constructor".
export function profiles() {
  const kept = Object.create(null);
  try {
    return Object.assign(kept, JSON.parse(localStorage.getItem(KEY)));
  } catch {
    return kept; // private windows may store nothing
  }
}

// Store a profile; returns whether that worked; `text` null deletes it.
export function keepProfile(name, text) {
  const { [name]: _, ...others } = profiles();
  try {
    localStorage.setItem(KEY, JSON.stringify(text === null ? others : { ...others, [name]: text }));
    return true;
  } catch {
    return false;
  }
}

// The profile in a file as far as this page shows it; null if it is not one; the server checks its pictures in a game.
export function profileIn(text) {
  try {
    const profile = JSON.parse(text);
    const { profile: magic, name, pieces } = profile;
    if (magic !== MAGIC || typeof name !== "string" || !Array.isArray(pieces)) return null;
    missing(text); // throws for an invalid piece
    return profile;
  } catch {
    return null;
  }
}

// As on the server: a name must be valid as a file name.
export function checkName(name) {
  if (!NAME.test(name)) throw new Error(t("teach.bad-name", { name }));
}

// Whether storing under this name loses no other profile.
export function mayReplace(name, text) {
  const { [name]: before = text } = profiles();
  return before === text || confirm(t("teach.replace", { name }));
}

const SIDES = { d6: [1, 6], d12: [1, 12], domino: [0, 6] };

// The sides of its dice and ends of its tiles that a profile has not seen, as in `vision.taught.profile.missing`: by kind, and
// the number of photos still needed to show them, with as many pieces per photo as so far.
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

// The profile under another name.
export const renamed = (text, name) => JSON.stringify({ ...JSON.parse(text), name });

export const asFile = (text) => new Blob([text], { type: "application/json" });
