// The corrections that turn one reading of a photo into another: pieces with the same centre are the same. A face-down tile can
// be removed but not added again, for its value is unknown.

const NEAR = 2; // pixels: an added piece is at integer coordinates

export const differences = (from, to) => [...of("die", from.dice, to.dice, dieWords), ...of("tile", from.tiles, to.tiles, tileWords)];

const dieWords = ({ value, starter }) => ({ value, starter });
const tileWords = ({ ends }) => ({ ends });

// Pieces are removed from the last to the first, and added ones come last, so every index is still valid when it is used.
function of(name, mine, wanted, words) {
  const placeOf = (piece) => mine.findIndex((other) => same(piece, other));
  const readable = wanted.filter((piece) => piece.face_up ?? true);
  const other = (piece) => placeOf(piece) >= 0 && JSON.stringify(words(piece)) !== JSON.stringify(words(mine[placeOf(piece)]));
  const gone = mine.map((_, place) => place).filter((place) => !wanted.some((piece) => same(piece, mine[place])));
  return [
    ...readable.filter(other).map((piece) => ({ change: { [name]: placeOf(piece), ...words(piece) } })),
    ...gone.reverse().map((place) => ({ remove: { [name]: place } })),
    ...readable.filter((piece) => placeOf(piece) < 0).map((piece) => ({ add: { kind: piece.kind ?? "domino", at: middle(piece.box), ...words(piece) } })),
  ];
}

function same(one, other) {
  const [x, y] = middle(one.box);
  const [atX, atY] = middle(other.box);
  return Math.hypot(x - atX, y - atY) < NEAR;
}

const middle = (box) => [0, 1].map((axis) => Math.round(box.reduce((sum, point) => sum + point[axis], 0) / box.length));
