// Draws dice and tiles.

import { t } from "/web/words.js";
import { drawing, element } from "./shapes.js";

// Columns and rows of the pips, from -1 to 1.
const CORNERS = [[-1, -1], [1, 1], [1, -1], [-1, 1]];
const PIPS = [
  [],
  [[0, 0]],
  CORNERS.slice(0, 2),
  [...CORNERS.slice(0, 2), [0, 0]],
  CORNERS,
  [...CORNERS, [0, 0]],
  [...CORNERS, [-1, 0], [1, 0]],
];
const SIZE = 100; // side of a die, in units of the drawing; a tile is twice as high

const drawn = { d6: drawnDie, d12: drawnTwelve, domino: drawnTile, end: drawnEnd };

// `value`: of a die or of one end of a tile, or the name of a tile such as 3-0.
export function drawnPiece(kind, value, marks = "") {
  const high = kind === "domino" ? 2 * SIZE : SIZE;
  return drawing("svg", { class: `drawn ${kind} ${marks}`.trim(), viewBox: `0 0 ${SIZE} ${high}`, "data-value": value }, ...drawn[kind](value));
}

// The pieces on the table: earlier ones are separated from the throw, and the starter is marked.
export function fillTable(table, { kind, thrown, aside, starter }) {
  const values = [...aside, ...thrown];
  const first = starter === null ? -1 : values.indexOf(starter);
  const pieces = values.map((value, place) => drawnPiece(kind, value, `${place < aside.length ? "aside" : "thrown"}${place === first ? " starter" : ""}`));
  pieces.slice(aside.length).forEach((piece, place) => piece.style.setProperty("--place", place));
  const groups = [pieces.slice(0, aside.length), pieces.slice(aside.length)].filter((group) => group.length);
  table.replaceChildren(...groups.map((group) => element("span", {}, ...group)));
  table.setAttribute("aria-label", inWords(thrown, aside, starter));
}

function inWords(thrown, aside, starter) {
  const before = aside.length ? t("pieces.before", { pieces: aside.join(", ") }) : "";
  return `${thrown.join(", ")}${before}${starter === null ? "" : t("pieces.starter", { piece: starter })}`;
}

// Values above six, on the end of a large tile, are written as numbers.
function pips(count, left, top) {
  if (count >= PIPS.length) return [drawing("text", { class: "number", x: left, y: top }, String(count))];
  return PIPS[count].map(([across, down]) => drawing("circle", { class: "pip", cx: left + across * 26, cy: top + down * 26, r: 9.5 }));
}

function drawnDie(value) {
  return [drawing("rect", { class: "body", x: 4, y: 4, width: 92, height: 92, rx: 18 }), ...pips(value, 50, 50)];
}

function drawnTile(name) {
  const [first, second] = name.split("-").map(Number);
  return [
    drawing("rect", { class: "body", x: 4, y: 4, width: 92, height: 192, rx: 16 }),
    drawing("line", { class: "bar", x1: 16, x2: 84, y1: 100, y2: 100 }),
    ...pips(first, 50, 52),
    ...pips(second, 50, 148),
  ];
}

// One half of a tile.
function drawnEnd(count) {
  return [drawing("rect", { class: "body", x: 4, y: 4, width: 92, height: 92, rx: 8 }), ...pips(count, 50, 50)];
}

// A d12 from above: a decagon, with the number in the pentagon on top.
function drawnTwelve(value) {
  const [around, top] = [corners(10, 47), corners(5, 31)];
  const edges = top.map(([x, y], place) => drawing("line", { class: "edge", x1: x, y1: y, x2: around[place * 2][0], y2: around[place * 2][1] }));
  return [
    drawing("polygon", { class: "body", points: around.join(" ") }),
    drawing("polygon", { class: "edge", points: top.join(" ") }),
    ...edges,
    drawing("text", { class: "number", x: 50, y: 53 }, String(value)),
  ];
}

function corners(count, radius) {
  const turns = Array.from({ length: count }, (_, place) => (place / count) * 2 * Math.PI - Math.PI / 2);
  return turns.map((turn) => [50 + radius * Math.cos(turn), 50 + radius * Math.sin(turn)].map((at) => Number(at.toFixed(1))));
}
