// Typing a throw: with the keys of the pad, or in words like `point 5`.

import { t } from "/web/words.js";
import { element } from "../shapes.js";

const SIDES = { d6: 6, d12: 12 };

const $ = (id) => document.getElementById(id);

// With six sides every digit is a die: 2255146 is seven dice.
export function diceOf(text, kind) {
  const words = text.trim().toLowerCase();
  return SIDES[kind] === 6 && /^\d+$/.test(words) ? [...words].join(" ") : words;
}

export function pad(kind) {
  const sides = SIDES[kind] ?? 0;
  if (!sides) $("typing-title").textContent = t("typing.title-tiles");
  $("dice-hint").textContent = t(sides ? "typing.dice" : "typing.tiles");
  if (kind === "d12") $("dice-hint").textContent = t("typing.starter");
  const keys = Array.from({ length: sides }, (_, place) => key(String(place + 1), (text) => `${text} ${place + 1}`.trim()));
  const back = key("⌫", (text) => text.split(" ").slice(0, -1).join(" "));
  back.setAttribute("aria-label", t("typing.delete"));
  $("pad").replaceChildren(...(sides ? [...keys, back] : []));
}

function key(label, change) {
  const made = element("button", { type: "button", class: "value" }, label);
  made.addEventListener("click", () => ($("dice").value = change($("dice").value.trim())));
  return made;
}
