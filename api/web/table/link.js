// The games that this phone has joined. A token comes in the fragment of a link, which browsers do not send, and is stored on the
// phone; it is sent in the Authorization header, and never in a URL.

const KEY = "muggins.games";

function kept(key = KEY) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {}; // private windows may store nothing: then the link has to be opened again
  }
}

function keep(what, key = KEY) {
  try {
    localStorage.setItem(key, JSON.stringify(what));
    return true;
  } catch {
    return false;
  }
}

// The heads of a game's record, separate from the list of games: they grow with every move.
const headsKey = (id) => `muggins.heads.${id}`;
export const heads = (id) => kept(headsKey(id));
export const keepHeads = (id, what) => keep(what, headsKey(id));

// The games with stored heads, also those that this phone has otherwise forgotten.
export function gamesWithHeads() {
  const start = headsKey("");
  const ids = Object.keys(localStorage).filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  return ids.map((id) => ({ id, seen: {}, ...heads(id) })).filter(({ seen }) => Object.keys(seen).length);
}

// All games, the last played first.
export function games() {
  return Object.entries(kept())
    .map(([id, game]) => ({ id, ...game }))
    .sort((a, b) => b.at - a.at);
}

export const game = (id) => kept()[id] ?? {};

// True unless the phone stores nothing.
export function remember(id, more) {
  const all = kept();
  return keep({ ...all, [id]: { ...all[id], ...more, at: Date.now() } });
}

export function forget(id) {
  const { [id]: _, ...others } = kept();
  keep(others);
  keep({}, headsKey(id));
}

// Whether the game was just started in this tab: then its page invites others. True only once.
const BEGUN = "muggins.begun";
export function justBegun(id) {
  try {
    sessionStorage.setItem(BEGUN, id);
  } catch {
    return; // the invitation is also behind the tab
  }
}
export function wasJustBegun(id) {
  try {
    const begun = sessionStorage.getItem(BEGUN) === id;
    sessionStorage.removeItem(BEGUN);
    return begun;
  } catch {
    return false;
  }
}

// The token to play with, or else the one to watch with.
export const token = (id) => game(id).player ?? game(id).invite ?? game(id).viewer;

export const idInAddress = () => decodeURIComponent(location.pathname.split("/")[2] ?? "");
export const tokenInAddress = () => decodeURIComponent(location.hash.slice(1)) || null;

// So that nobody reads it over a shoulder, or in the browser's history.
export function hideToken() {
  history.replaceState(null, "", location.pathname);
}

// Links that show the game to everybody have the viewer token: the overlay, with its settings (`?parts=…`) or its set-up page,
// and the scoreboard.
export const overlayOf = (id, token, settings = "") => `${location.origin}/overlay/${encodeURIComponent(id)}${settings}#${token}`;
export const setupOf = (id, token) => `${location.origin}/overlay/${encodeURIComponent(id)}/setup#${token}`;
export const scoreboardOf = (id, token) => `${location.origin}/scoreboard/${encodeURIComponent(id)}#${token}`;
export const linkTo = (id, token, origin = location.origin) => `${origin}/table/${encodeURIComponent(id)}#${token}`;

// The origin at which other devices reach this server; null if none does. A page opened on the server's own computer, at an
// address that phones cannot reach, has to ask.
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
export async function networkOrigin() {
  if (!LOOPBACK.test(location.hostname)) return location.origin;
  const answer = await fetch("/table/network.json").catch(() => null);
  return answer?.ok ? (await answer.json()).origin : location.origin;
}
