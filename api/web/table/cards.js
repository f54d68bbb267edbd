// One card per game: its name, what it needs, how it is won, and its rules in half a minute.

import { number, t, told } from "/web/words.js";
import { element } from "../shapes.js";

// `chosen()` is called when another game is chosen.
export function cards(games, current, chosen) {
  return games.map((game) => card(game, game.name === current, chosen));
}

function card(game, current, chosen) {
  const input = element("input", { type: "radio", name: "game", value: game.name });
  input.checked = current;
  input.addEventListener("change", chosen);
  const words = [element("span", { class: "summary" }, told(game.summary)), element("span", { class: "needs" }, needs(game))];
  const label = element("label", {}, input, element("strong", {}, game.title), ...words);
  return element("div", { class: "card" }, label, inShort(game));
}

function needs({ kind, seats }) {
  const [least, most] = [Math.max(seats[0], Math.min(2, seats.at(-1))), seats.at(-1)];
  const players = least === most ? t("start.exactly", { count: least }) : t("start.from-to", { least, most });
  return `${t(`start.needs-${kind}`)} · ${players}`;
}

function inShort({ name, in_short: sentences }) {
  const full = element("p", {}, element("a", { href: `/rules/${name}` }, t("start.in-full")));
  if (!sentences.length) return element("div", { class: "short" }, full);
  const made = element("details", { class: "short" }, element("summary", {}, t("start.in-short")));
  made.append(element("ol", {}, ...sentences.map((each) => element("li", {}, told(each)))));
  made.append(full);
  return made;
}
