// What this phone remembers of the games started on it: the last game, its players, and every name that was typed.

const KEY = "muggins.begun";
const MOST = 30; // the most suggested names

export function kept() {
  try {
    return { game: "", players: [], names: [], ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return { game: "", players: [], names: [] }; // private windows may store nothing
  }
}

// `players` as typed; an empty field is an empty string.
export function keep(game, players) {
  const names = [...new Set([...players.filter(Boolean), ...kept().names])].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify({ game, players, names }));
  } catch {
    // then they have to be typed again
  }
}
