// Where parts go so that they cover no piece on the table: a part stays at its place where that covers none, and goes from there
// no further than it must. Where there is no room it becomes smaller, and at last covers as little as can be.

const overlaps = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const wider = (box, by) => ({ left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by });
const area = ({ left, top, right, bottom }) => (right - left) * (bottom - top);
const SMALLER = [1, 0.8, 0.65, 0.5]; // a part that finds no place is tried smaller

// The pieces in pixels of a window. The camera's picture fills the window, which cuts off what sticks out, or fits into it.
export function inWindow({ aspect, boxes }, camera, [width, height]) {
  const down = (camera === "fill" ? Math.max : Math.min)(width / aspect, height);
  const [wide, high] = [down * aspect, down];
  const [left, top] = [(width - wide) / 2, (height - high) / 2];
  return boxes.map((box) => ({ left: left + box[0] * wide, top: top + box[1] * high, right: left + box[2] * wide, bottom: top + box[3] * high }));
}

// Where each part goes from its home: by how much, [x, y], and how large it is there. `homes` and `pieces` are boxes in a window that
// is `size` large; `gap` stays free between parts and round pieces, and `edge` at the window's edge.
export function moves(homes, pieces, size, { gap, edge }) {
  const kept = pieces.map((piece) => wider(piece, gap));
  const placed = new Map(homes.filter((home) => !kept.some((piece) => overlaps(home, piece))).map((home) => [home, { spot: home, scale: 1 }]));
  for (const home of homes.filter((home) => !placed.has(home)).sort((one, other) => area(other) - area(one))) {
    const parts = [...placed.values()].map(({ spot }) => wider(spot, gap));
    placed.set(home, free(home, kept, parts, size, edge));
  }
  return homes.map((home) => [placed.get(home), home]).map(([{ spot, scale }, home]) => ({ by: [spot.left - home.left, spot.top - home.top], scale }));
}

// The nearest place that covers nothing; where there is none, one for a smaller part; or else where it covers least.
function free(home, pieces, parts, size, edge) {
  let least = { spot: home, scale: 1, covered: Infinity };
  for (const scale of SMALLER) {
    for (const spot of places(home, scale, [...pieces, ...parts], size, edge)) {
      if (parts.some((part) => overlaps(spot, part))) continue;
      const covered = pieces.reduce((sum, piece) => sum + common(spot, piece), 0);
      if (covered < least.covered) least = { spot, scale, covered };
      if (!covered) return least;
    }
  }
  return least;
}

// Where a part of this size lies against something on both axes, and its home; the nearest first.
function places(home, scale, obstacles, [width, height], edge) {
  const [wide, high] = [scale * (home.right - home.left), scale * (home.bottom - home.top)];
  const across = [home.left, edge, width - edge - wide, ...obstacles.flatMap(({ left, right }) => [left - wide, right])];
  const down = [home.top, edge, height - edge - high, ...obstacles.flatMap(({ top, bottom }) => [top - high, bottom])];
  const inside = (start, length, all) => start >= edge && start + length <= all - edge;
  const spots = across
    .filter((left) => inside(left, wide, width))
    .flatMap((left) => down.filter((top) => inside(top, high, height)).map((top) => ({ left, top, right: left + wide, bottom: top + high })));
  const far = (spot) => Math.hypot(spot.left - home.left, spot.top - home.top);
  return (scale === 1 ? [home, ...spots] : spots).sort((one, other) => far(one) - far(other));
}

// Of two boxes, in square pixels.
function common(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(across, 0) * Math.max(down, 0);
}
