// The choices as buttons with their worth; what just happened and why; and a doubt with the button that confirms it.

import { counted, element } from "../shapes.js";

const SHOWN = 8; // further choices are behind a button: a hand of Cribbage Dice has thirty

export function offerButtons(offers, choose) {
  const buttons = offers.map((offer) => offerButton(offer, choose));
  if (buttons.length <= SHOWN + 1) return buttons;
  const more = element("button", { type: "button", class: "more" }, `${buttons.length - SHOWN} more choices`);
  more.addEventListener("click", () => {
    more.replaceWith(...buttons.slice(SHOWN));
    buttons[SHOWN].focus();
  });
  return [...buttons.slice(0, SHOWN), more];
}

function offerButton(offer, choose) {
  const words = element("span", { class: "what" }, offer.text, ...itemLines(offer.items));
  const worth = element("span", { class: "worth" }, String(offer.points));
  worth.append(element("span", { class: "spoken" }, offer.points === 1 ? " point" : " points"));
  const made = element("button", { type: "button", class: "offer", "data-move": offer.move }, words, worth);
  made.addEventListener("click", () => choose(offer.move));
  return made;
}

const pieces = (item) => item.pieces.join(typeof item.pieces[0] === "string" ? " " : "-");

function itemLines(items) {
  if (items.length < 2) return [];
  return [element("small", {}, items.map((item) => `${item.name} ${pieces(item)}: ${item.points}`).join("; "))];
}

export function eventLines(events) {
  return events.map((event) => {
    const made = element("li", {}, `${event.text}.`);
    if (event.items.length) made.append(element("small", {}, event.items.map(itemWords).join("; ")));
    if (event.rule) made.append(element("small", { class: "source" }, event.rule));
    return made;
  });
}

const itemWords = (item) => `${item.name}${item.pieces.length ? ` (${pieces(item)})` : ""}: ${counted(item.points, "point", "points")}`;

export function doubtLines(ruling, confirm) {
  const lines = [element("p", {}, ruling.doubt.message), ...ruling.notes.map((note) => element("p", {}, note))];
  if (!ruling.doubt.moves.length) return lines;
  const button = element("button", { type: "button", class: "main", id: "confirm" }, `Yes, that’s right: ${ruling.doubt.moves.join(", then ")}`);
  button.addEventListener("click", confirm);
  return [...lines, button];
}
