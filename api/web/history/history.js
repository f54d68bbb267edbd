// The games of this server, newest first, and each player's statistics. For phones that may start games here.

import { date, list, number, t, told } from "/web/words.js";
import { element } from "../shapes.js";
import { Api } from "../table/api.js";
import * as join from "../table/join.js";
import * as link from "../table/link.js";

const PAGE = 20; // games per request

const $ = (id) => document.getElementById(id);
const api = new Api(null);
let last = null; // the id of the oldest game shown

async function showPlayers() {
  const { counted, players } = await api.json("/v1/players", join.headers());
  $("counted").textContent = counted ? t("past.counted", { count: counted }) : t("past.none");
  $("players").replaceChildren(...players.map(tally));
}

function tally({ name, games }) {
  return element("section", { class: "tally" }, element("h3", {}, name), element("ul", {}, ...games.map(lineOf)));
}

function lineOf({ title, played, won, turns, above, best }) {
  const parts = [element("span", {}, element("strong", {}, title), ` ${t("past.won", { won, count: played })}`)];
  if (best) parts.push(element("small", {}, t("past.best", { what: told(best.text), count: best.points })));
  if (above !== null) {
    const key = above < 0 ? "past.below" : "past.above";
    parts.push(element("small", {}, t(key, { count: Math.abs(above), turns: t("ended.turns", { count: turns }) })));
  }
  return element("li", {}, ...parts);
}

async function showGames() {
  const before = last ? `&before=${encodeURIComponent(last)}` : "";
  const { games, more } = await api.json(`/v1/games?most=${PAGE}${before}`, join.headers());
  $("games").append(...games.map(row));
  hideIfEmpty("games");
  last = games.at(-1)?.id ?? last;
  $("more").hidden = !more;
}

function hideIfEmpty(part) {
  $(part).closest("section").hidden = !$(part).children.length;
}

// A game that this phone has joined is a link; of others only the result is shown.
function row(game) {
  const title = element("strong", {}, game.title);
  const named = link.token(game.id) ? element("a", { href: `/table/${encodeURIComponent(game.id)}` }, title) : title;
  const when = element("time", { datetime: game.begun }, date(game.begun));
  return element("li", {}, named, when, element("span", {}, went(game)));
}

function went({ over, players, winners, scores }) {
  if (!over) return t("past.running", { names: list(players) });
  const points = [...scores].sort((a, b) => b.points - a.points).map(({ names, points }) => `${list(names)} ${number(points)}`);
  return winners.length ? t("past.over", { names: list(winners), scores: points.join(", ") }) : points.join(", ");
}

function failed(error) {
  ["players", "games"].forEach(hideIfEmpty);
  $("trouble").textContent = error.message;
  $("trouble").hidden = false;
}

$("more").addEventListener("click", () => showGames().catch(failed));
join.take();
showGames().then(showPlayers).catch(failed);
