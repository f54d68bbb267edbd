// What this phone remembers of the games begun on it: the last game, who played it, and every name that was typed.

const KEY = "muggins.begun";
const MOST = 30; // names that are suggested

export function kept() {
  try {
    return { game: "", players: [], names: [], ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return { game: "", players: [], names: [] }; // private windows may keep nothing
  }
}

// `players` as they were typed; a field that was left empty is empty.
export function keep(game, players) {
  const names = [...new Set([...players.filter(Boolean), ...kept().names])].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify({ game, players, names }));
  } catch {
    // then they are typed again
  }
}
