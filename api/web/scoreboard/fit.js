// The largest scores that all fit, with room for the throw beside them (landscape) or below (portrait).

export const LEAST = 96; // pixels: readable from across a table
const LINE = 0.8; // line height of a score, relative to its size: digits have no descenders
const GAP = 6; // pixels between two sides, and around all of them
const PADDING = 8; // pixels inside a side, left and right together
const NAME = 1.35; // line height of a name, relative to its size
const MARGIN = 2; // pixels around a score, above and below together
// Share of the window for the scores: the second if the first would make them smaller than the least size.
const SHARES = { beside: [0.5, 0.7], below: [0.62, null] };
const THROW = 104; // minimum height in pixels for the throw

// The width of the widest text at a font size of one pixel.
export function widest(texts, family) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `800 100px ${family}`;
  return Math.max(...texts.map((text) => pen.measureText(text).width)) / 100;
}

// For `count` scores, the widest of which is `text` times its size wide, in a window: the `layout` (a class), the number
// of `columns`, the `size` of scores and of the `name` above each in pixels, and the horizontal scale of scores (`squeeze`).
export function fit(room, count, text) {
  const way = room.width > room.height ? "beside" : "below";
  const [roomy, tight] = SHARES[way].map((share) => best(areaOf(room, way, share), count, text));
  return roomy.size >= LEAST && roomy.squeeze === 1 ? { layout: way, ...roomy } : { layout: `${way} tight`, ...tight };
}

function areaOf({ width, height }, way, share) {
  if (way === "beside") return { width: width * share, height };
  return { width, height: share === null ? height - THROW : height * share };
}

// The most readable number of columns: large first, then wide.
function best(area, count, text) {
  const tries = Array.from({ length: count }, (_, place) => inColumns(area, place + 1, count, text));
  return tries.reduce((one, other) => (worth(other) > worth(one) ? other : one));
}

// From the least size on, larger is better; below it, reaching the least size comes first.
const worth = ({ size, squeeze }) => (size >= LEAST ? size * squeeze + LEAST : size);

function inColumns(area, columns, count, text) {
  const rows = Math.ceil(count / columns);
  const wide = (area.width - GAP) / columns - GAP - PADDING;
  const high = (area.height - GAP) / rows - GAP;
  const name = Math.round(Math.min(Math.max(Math.min(wide * 0.1, high * 0.16), 15), 56));
  const tallest = Math.floor((high - name * NAME - MARGIN) / LINE);
  const size = Math.min(tallest, Math.max(Math.floor(wide / text), LEAST));
  return { columns, size, name, squeeze: Math.min(1, wide / (text * size)) };
}
