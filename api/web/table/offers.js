// The choices as buttons with their pieces and points, the best first, and beside each the choices that may be made in one go
// with it; the last events and their reasons; and a doubt with the button that confirms it.

import { known, number, t, told } from "/web/words.js";
import { drawnPiece } from "../pieces.js";
import { element } from "../shapes.js";

const SHOWN = 4; // further choices are behind a button: a hand of Cribbage Dice has thirty
const PIECES = { d6: /^[1-6]$/, d12: /^([1-9]|1[0-2])$/, domino: /^\d+-\d+$/ };

// `choose(...moves)` plays them one after the other.
export function offerButtons(offers, kind, choose) {
  const best = [...offers].sort((one, other) => other.points - one.points); // ties keep the order of the game
  const rows = best.map((offer) => offerRow(offer, kind, choose));
  if (rows.length <= SHOWN) return rows;
  const more = element("button", { type: "button", class: "more" }, t("offers.more", { count: rows.length - SHOWN }));
  more.addEventListener("click", () => {
    const rest = rows.slice(SHOWN);
    more.replaceWith(...rest);
    (rest[0].querySelector("button") ?? rest[0]).focus();
  });
  return [...rows.slice(0, SHOWN), more];
}

// A choice alone, or in a row with the choices that may end the turn after it.
function offerRow(offer, kind, choose) {
  const made = offerButton(offer, kind, choose);
  if (!offer.then.length) return made;
  const both = offer.then.map((next) => followUp(offer, next, choose));
  return element("div", { class: "offer-row", role: "group", "aria-label": told(offer.text) }, made, ...both);
}

// Its accessible name begins with the first choice, for the button plays both.
function followUp(offer, next, choose) {
  const first = element("span", { class: "spoken" }, `${told(offer.text)}${t("moves.then")}`);
  const plus = element("span", { class: "plus", "aria-hidden": "true" }, "+");
  const words = element("span", { class: "words" }, plus, " ", told(next.text));
  const made = element("button", { type: "button", class: "offer follow-up", "data-moves": `${offer.move}, ${next.move}` }, first, words);
  made.addEventListener("click", () => choose(offer.move, next.move));
  return made;
}

function offerButton(offer, kind, choose) {
  const drawn = piecesOf(offer, kind).map((piece) => drawnPiece(kind, piece));
  const words = element("span", { class: "words" }, told(offer.text));
  const what = element("span", { class: "what" }, ...(drawn.length ? [element("span", { class: "pieces", "aria-hidden": "true" }, ...drawn)] : []), words);
  const worth = element("span", { class: "worth" }, number(offer.points));
  worth.append(element("span", { class: "spoken" }, ` ${t("points", { count: offer.points })}`));
  const made = element("button", { type: "button", class: "offer", "data-move": offer.move }, what, worth);
  made.addEventListener("click", () => choose(offer.move));
  return made;
}

// The pieces that a move names; a single value, as in `point 5`, stands for all the pieces that show it.
function piecesOf({ move, items }, kind) {
  const named = move.split(" ").slice(1).filter((word) => PIECES[kind].test(word));
  const alike = ({ pieces }) => pieces.length > 1 && pieces.every((piece) => String(piece) === named[0]);
  return (named.length === 1 && items.find(alike)?.pieces) || named;
}

const pieces = (item) => item.pieces.join(typeof item.pieces[0] === "string" ? " " : "-");

export function eventLines(events) {
  return events.map((event, place) => {
    const made = element("li", {}, `${told(event.text)}.`);
    if (event.items.length) made.append(element("small", {}, counted(event.items.map(itemWords)).join("; ")));
    // Of several events by one rule the last names it.
    if (event.rule && event.rule !== events[place + 1]?.rule) made.append(" ", element("small", { class: "source" }, event.rule));
    return made;
  });
}

// Equal texts once, with their number.
function counted(texts) {
  const times = new Map();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return [...times].map(([text, count]) => (count > 1 ? `${number(count)} × ${text}` : text));
}

const itemWords = (item) => `${told(item.name)}${item.pieces.length ? ` (${pieces(item)})` : ""}: ${t("count.points", { count: item.points })}`;

// A move as it is typed, with its verb in the language of the page.
export function moveInWords(move) {
  const [verb, ...named] = move.split(" ");
  return [known(`move.${verb}`) ? t(`move.${verb}`) : verb, ...named].join(" ");
}

export function doubtLines(ruling, confirm) {
  const lines = [element("p", {}, told(ruling.doubt.message)), ...ruling.notes.map((note) => element("p", {}, told(note)))];
  if (!ruling.doubt.moves.length) return lines;
  const button = element("button", { type: "button", class: "main", id: "confirm" }, t("doubt.confirm", { moves: ruling.doubt.moves.map(moveInWords).join(t("moves.then")) }));
  button.addEventListener("click", confirm);
  return [...lines, button];
}
