// How large scores can be so that all of them fit, with room for the throw beside them (landscape) or below (portrait).

export const LEAST = 96; // pixels: what is read from across a table
const LINE = 0.8; // of a score's size: digits have nothing below the line
const GAP = 6; // pixels between two sides, and round all of them
const PADDING = 8; // pixels inside a side, left and right together
const NAME = 1.35; // of a name's size: its line
const MARGIN = 2; // pixels round a score, above and below together
// How much of the window the scores get: the second if they would be smaller than the least with the first.
const SHARES = { beside: [0.5, 0.7], below: [0.62, null] };
const THROW = 104; // pixels of height that are left to the throw at the least

// The width of the widest text at a size of one pixel.
export function widest(texts, family) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `800 100px ${family}`;
  return Math.max(...texts.map((text) => pen.measureText(text).width)) / 100;
}

// For `count` scores, the widest of which is `text` times its size wide, in a window: the `layout` (a class), how many `columns`,
// the `size` of scores and of the `name` above each in pixels, and how much scores are made narrower (`squeeze`, 1: not at all).
export function fit(room, count, text) {
  const way = room.width > room.height ? "beside" : "below";
  const [roomy, tight] = SHARES[way].map((share) => best(areaOf(room, way, share), count, text));
  return roomy.size >= LEAST && roomy.squeeze === 1 ? { layout: way, ...roomy } : { layout: `${way} tight`, ...tight };
}

function areaOf({ width, height }, way, share) {
  if (way === "beside") return { width: width * share, height };
  return { width, height: share === null ? height - THROW : height * share };
}

// The most readable of all numbers of columns: large first, then wide.
function best(area, count, text) {
  const tries = Array.from({ length: count }, (_, place) => inColumns(area, place + 1, count, text));
  return tries.reduce((one, other) => (worth(other) > worth(one) ? other : one));
}

// Above the least size it is the size that counts; below, first of all that the least is reached.
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
