// Places parts so that they cover no piece on the table: a part stays at its home where it covers none, and otherwise moves as
// little as possible. Where there is no room it becomes smaller, and in the end covers as little as possible.

const overlaps = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const wider = (box, by) => ({ left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by });
const area = ({ left, top, right, bottom }) => (right - left) * (bottom - top);
const SMALLER = [1, 0.8, 0.65, 0.5]; // scales that are tried for a part that finds no place

// The pieces in pixels of a window. The camera's picture fills the window, cropped, or fits into it.
export function inWindow({ aspect, boxes }, camera, [width, height]) {
  const down = (camera === "fill" ? Math.max : Math.min)(width / aspect, height);
  const [wide, high] = [down * aspect, down];
  const [left, top] = [(width - wide) / 2, (height - high) / 2];
  return boxes.map((box) => ({ left: left + box[0] * wide, top: top + box[1] * high, right: left + box[2] * wide, bottom: top + box[3] * high }));
}

// Each part's offset from its home, [x, y], and its scale. `homes` and `pieces` are boxes in a window of `size`; `gap` is kept
// free between parts and around pieces, and `edge` at the window's edge.
export function moves(homes, pieces, size, { gap, edge }) {
  const kept = pieces.map((piece) => wider(piece, gap));
  const placed = new Map(homes.filter((home) => !kept.some((piece) => overlaps(home, piece))).map((home) => [home, { spot: home, scale: 1 }]));
  for (const home of homes.filter((home) => !placed.has(home)).sort((one, other) => area(other) - area(one))) {
    const parts = [...placed.values()].map(({ spot }) => wider(spot, gap));
    placed.set(home, free(home, kept, parts, size, edge));
  }
  return homes.map((home) => [placed.get(home), home]).map(([{ spot, scale }, home]) => ({ by: [spot.left - home.left, spot.top - home.top], scale }));
}

// The nearest place that covers nothing; if there is none, one for a smaller part; otherwise the one that covers least.
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

// Candidate places for a part of this size: its home, and those that touch an obstacle on both axes; nearest first.
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

// The overlap of two boxes, in square pixels.
function common(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(across, 0) * Math.max(down, 0);
}
