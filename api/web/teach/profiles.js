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

// The same profile under another name.
export const renamed = (text, name) => JSON.stringify({ ...JSON.parse(text), name });

export const asFile = (text) => new Blob([text], { type: "application/json" });
