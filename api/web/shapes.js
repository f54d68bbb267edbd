// Shared by the pages: elements made without markup, pieces in words, and pieces drawn on their photo.
// Text from the server or from file names only ever becomes text nodes, never markup.

import { list, sureness, t, told } from "/web/words.js";

const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function drawing(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Pieces in words

export const doubted = (reading, kind) => new Set(reading.doubts.map((doubt) => doubt[kind]));
export const named = (tile) => (tile.face_up ? tile.ends.join("-") : t("piece.face-down"));
const sure = (piece) => t("piece.sure", { percent: sureness(piece.confidence) });

export function inWords(doubt) {
  const message = told(doubt.message);
  if (doubt.tile !== null) return t("doubt.tile", { number: doubt.tile + 1, message });
  return doubt.piece === null ? message : t("doubt.die", { number: doubt.piece + 1, message });
}

export function found({ dice, tiles }) {
  const kinds = [];
  if (dice.length) kinds.push(t("count.dice", { count: dice.length }));
  if (tiles.length) kinds.push(t("count.tiles", { count: tiles.length }));
  return list(kinds);
}

// Pieces on the photo

// Every piece of a reading, dice first, with its rotation; with the role "button" where a tap does something.
export function drawnPieces(reading, role = "img") {
  const dice = doubted(reading, "piece");
  const tiles = doubted(reading, "tile");
  return [
    ...reading.dice.map((die, place) => drawnDie(die, place, dice.has(place), reading.width, role)),
    ...reading.tiles.map((tile, place) => drawnTile(tile, place, tiles.has(place), reading.width, role)),
  ];
}

function drawnDie(die, place, look, width, role) {
  const words = t("piece.die", { number: place + 1, colour: t(`colour.${die.colour}`), value: die.value, sure: sure(die) });
  const label = words + (die.starter ? t("piece.starter") : "");
  return drawnPiece("die", die.box, `${die.value}${die.starter ? "★" : ""}`, label, look, width, role);
}

function drawnTile(tile, place, look, width, role) {
  const label = t("piece.tile", { number: place + 1, ends: named(tile), sure: sure(tile) });
  return drawnPiece("tile", tile.box, named(tile), label, look, width, role);
}

function drawnPiece(kind, box, text, label, look, width, role) {
  const points = box.map((point) => point.join(",")).join(" ");
  const [left, top, right, bottom] = extent(box);
  const size = Math.max(Math.min(right - left, bottom - top) * 0.28, width * 0.045);
  return drawing(
    "g",
    { class: `piece ${kind}${look ? " look" : ""}`, tabindex: 0, role, "aria-label": look ? t("piece.look", { piece: label }) : label },
    drawing("polygon", { points, class: "under" }),
    drawing("polygon", { points, class: "over" }),
    ...tag(text, left, top, size, width),
  );
}

function extent(box) {
  const xs = box.map(([x]) => x);
  const ys = box.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

// The value, beside the pips rather than over them: above the box's corner, or inside it at the top of the picture. The picture
// is `across` wide and clips what is outside.
function tag(value, left, top, size, across) {
  const y = Math.max(top - size, 0);
  const width = Math.max(size, size * 0.5 * value.length);
  const x = Math.max(0, Math.min(left, across - width));
  const text = drawing("text", { x: 0, y: 0, transform: `translate(${x + width / 2} ${y + size / 2}) scale(${size * 0.8})` });
  text.append(value);
  return [drawing("rect", { x, y, width, height: size, rx: size * 0.15 }), text];
}
