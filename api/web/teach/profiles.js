// The profiles of this phone: dice and dominoes of its owner's own, each a file that the server makes and reads.

const KEY = "muggins.profiles";

export function profiles() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // private windows may keep nothing
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
