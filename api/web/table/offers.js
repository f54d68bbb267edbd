// The choices as buttons with their worth; what just happened and why; and a doubt with the button that confirms it.

import { number, t, told } from "/web/words.js";
import { element } from "../shapes.js";

const SHOWN = 8; // further choices are behind a button: a hand of Cribbage Dice has thirty

export function offerButtons(offers, choose) {
  const buttons = offers.map((offer) => offerButton(offer, choose));
  if (buttons.length <= SHOWN + 1) return buttons;
  const more = element("button", { type: "button", class: "more" }, t("offers.more", { count: buttons.length - SHOWN }));
  more.addEventListener("click", () => {
    more.replaceWith(...buttons.slice(SHOWN));
    buttons[SHOWN].focus();
  });
  return [...buttons.slice(0, SHOWN), more];
}

function offerButton(offer, choose) {
  const words = element("span", { class: "what" }, told(offer.text), ...itemLines(offer.items));
  const worth = element("span", { class: "worth" }, number(offer.points));
  worth.append(element("span", { class: "spoken" }, ` ${t("points", { count: offer.points })}`));
  const made = element("button", { type: "button", class: "offer", "data-move": offer.move }, words, worth);
  made.addEventListener("click", () => choose(offer.move));
  return made;
}

const pieces = (item) => item.pieces.join(typeof item.pieces[0] === "string" ? " " : "-");

function itemLines(items) {
  if (items.length < 2) return [];
  return [element("small", {}, items.map((item) => `${told(item.name)} ${pieces(item)}: ${number(item.points)}`).join("; "))];
}

export function eventLines(events) {
  return events.map((event) => {
    const made = element("li", {}, `${told(event.text)}.`);
    if (event.items.length) made.append(element("small", {}, event.items.map(itemWords).join("; ")));
    if (event.rule) made.append(element("small", { class: "source" }, event.rule));
    return made;
  });
}

const itemWords = (item) => `${told(item.name)}${item.pieces.length ? ` (${pieces(item)})` : ""}: ${t("count.points", { count: item.points })}`;

export function doubtLines(ruling, confirm) {
  const lines = [element("p", {}, told(ruling.doubt.message)), ...ruling.notes.map((note) => element("p", {}, told(note)))];
  if (!ruling.doubt.moves.length) return lines;
  const button = element("button", { type: "button", class: "main", id: "confirm" }, t("doubt.confirm", { moves: ruling.doubt.moves.join(t("doubt.then")) }));
  button.addEventListener("click", confirm);
  return [...lines, button];
}
