// The games this phone has joined. A token comes in the fragment of a link, which no browser sends to a server, and is kept
// on the phone; from there it goes into the Authorization header, and into no address.

const KEY = "muggins.games";

function kept(key = KEY) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {}; // private windows may keep nothing: then the link has to be opened again
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

// The heads of a game's record, apart from the list of games: they grow with every move.
const headsKey = (id) => `muggins.heads.${id}`;
export const heads = (id) => kept(headsKey(id));
export const keepHeads = (id, what) => keep(what, headsKey(id));

// The games that heads are remembered of, also those that this phone has forgotten otherwise.
export function gamesWithHeads() {
  const start = headsKey("");
  const ids = Object.keys(localStorage).filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  return ids.map((id) => ({ id, seen: {}, ...heads(id) })).filter(({ seen }) => Object.keys(seen).length);
}

// All of them, the one played last first.
export function games() {
  return Object.entries(kept())
    .map(([id, game]) => ({ id, ...game }))
    .sort((a, b) => b.at - a.at);
}

export const game = (id) => kept()[id] ?? {};

// True unless the phone keeps nothing.
export function remember(id, more) {
  const all = kept();
  return keep({ ...all, [id]: { ...all[id], ...more, at: Date.now() } });
}

export function forget(id) {
  const { [id]: _, ...others } = kept();
  keep(others);
  keep({}, headsKey(id));
}

// Whether the game was begun in this tab just now: then its page invites others. Told once.
const BEGUN = "muggins.begun";
export function justBegun(id) {
  try {
    sessionStorage.setItem(BEGUN, id);
  } catch {
    return; // the invitation is behind the tab as well
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

// What shows the game to all has the token to watch: over a stream, with its settings (`?parts=…`) or where they are chosen, and on
// the scoreboard.
export const overlayOf = (id, token, settings = "") => `${location.origin}/overlay/${encodeURIComponent(id)}${settings}#${token}`;
export const setupOf = (id, token) => `${location.origin}/overlay/${encodeURIComponent(id)}/setup#${token}`;
export const scoreboardOf = (id, token) => `${location.origin}/scoreboard/${encodeURIComponent(id)}#${token}`;
export const linkTo = (id, token, origin = location.origin) => `${origin}/table/${encodeURIComponent(id)}#${token}`;

// Where other devices reach this server; null if none does. A page opened on the server's own computer, at an address that leads a
// phone nowhere, has to ask.
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
export async function networkOrigin() {
  if (!LOOPBACK.test(location.hostname)) return location.origin;
  const answer = await fetch("/table/network.json").catch(() => null);
  return answer?.ok ? (await answer.json()).origin : location.origin;
}
