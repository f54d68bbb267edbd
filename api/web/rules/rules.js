// The rules of one game: in short, and every option with what the rule text says and its usual value.

import { list, number, t, told } from "/web/words.js";
import { element } from "../shapes.js";
import { Api } from "../table/api.js";
import { plain } from "../table/rules.js";

const $ = (id) => document.getElementById(id);

async function show() {
  const name = decodeURIComponent(location.pathname.split("/")[2]);
  const { games } = await new Api(null).json("/table/games.json");
  const game = games.find((each) => each.name === name);
  if (!game) throw new Error(t("rules.unknown"));
  $("title").textContent = game.title;
  $("summary").textContent = told(game.summary);
  $("short").replaceChildren(...game.in_short.map((each) => element("li", {}, told(each))));
  for (const part of [$("in-short"), $("short")]) part.hidden = !game.in_short.length;
  $("options").replaceChildren(...game.options.flatMap(described));
}

function described(option) {
  const { low, high } = option;
  const range = option.kind === "number" ? ` ${t("start.range", { low: number(low), high: number(high) })}` : "";
  const choices = option.words.length ? ` ${t("rules.one-of", { words: list(option.words.map(plain)) })}` : "";
  const usual = ` ${t("rules.usual", { value: inWords(option) })}`;
  return [element("dt", {}, plain(option.name)), element("dd", {}, told(option.says), range, choices, usual)];
}

function inWords({ kind, usual }) {
  if (kind === "switch") return t(`rules.${usual}`);
  if (kind === "number") return number(Number(usual));
  return usual === "none" ? t("rules.none") : list(usual.split(",").map(plain));
}

show().catch((error) => {
  $("rules").hidden = true;
  $("trouble").textContent = error.message;
  $("trouble").hidden = false;
});
