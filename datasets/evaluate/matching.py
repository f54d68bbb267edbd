"""What was read on a photo against what is on the table: which piece is right, misread, missed, or not there at all.

Dice and tiles are matched apart: a die read on a photo of dominoes is an extra piece, and so is a tile among dice. Where the
places of the pieces are known, a piece is what was read nearest to it; else by what they show: equal faces are right (of more
than there are, the surest), a missing and a surplus face make one misread, the rest is missed or extra. A tile may lie
either way round. What nobody can read, and a tile that is listed as face down and is, count neither as right nor as wrong.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from datasets.labels.truth import DOWN, Face, Piece, Truth, tile
from vision.detect.boxes import Kind
from vision.reading import Die, Point, Quad, Reading, Tile

T = TypeVar("T")
Pair = tuple[Piece, "ReadPiece"]


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A piece as it was read, its confidence rounded as the JSON has it.

    `reach`: half its longer side in pixels; `flagged`: a doubt names it.
    """

    kind: Kind
    face: Face
    confidence: float
    centre: Point
    reach: float
    flagged: bool


@dataclass(frozen=True, slots=True)
class Match:
    """One photo compared. `pairs`: pieces found, rightly read or not; `excused`: what was read of unreadable pieces."""

    pairs: tuple[Pair, ...]
    missed: tuple[Piece, ...]
    extra: tuple[ReadPiece, ...]
    excused: tuple[ReadPiece, ...]

    @property
    def right(self) -> tuple[ReadPiece, ...]:
        """Read as what they are."""
        return tuple(seen for piece, seen in self.pairs if same(piece, seen))

    @property
    def misread(self) -> tuple[ReadPiece, ...]:
        """Found, and read as something else."""
        return tuple(seen for piece, seen in self.pairs if not same(piece, seen))

    @property
    def exact(self) -> bool:
        """All pieces right, and nothing more."""
        return not (self.missed or self.extra or self.misread)


def compare(truth: Sequence[Hashable], ambiguous: int, read: Sequence[Hashable]) -> dict[str, int | bool]:
    """Exact, right, missed, extra and misread of bare faces without places; up to `ambiguous` surplus faces do not count."""
    missing, surplus = Counter(truth) - Counter(read), Counter(read) - Counter(truth)
    lost, more = missing.total(), surplus.total()
    excused = min(ambiguous, max(0, more - lost))
    misread = min(lost, more)
    return {
        "exact": lost == 0 and more - excused == 0,
        "right": len(truth) - lost,
        "missed": lost - misread,
        "extra": more - misread - excused,
        "misread": misread,
    }


def match(truth: Truth, reading: Reading) -> Match:
    """Compare a reading with the truth."""
    read = pieces_of(reading)
    pairs = tuple(by_family(truth.pieces, read))
    surplus = _without(read, [seen for _, seen in pairs])
    excused = _excused(truth, surplus)
    return Match(
        pairs=pairs,
        missed=tuple(_without(truth.pieces, [piece for piece, _ in pairs])),
        extra=tuple(_without(surplus, excused)),
        excused=tuple(excused),
    )


def pieces_of(reading: Reading) -> list[ReadPiece]:
    """The dice, then the tiles."""
    dice, tiles = {doubt.piece for doubt in reading.doubts}, {doubt.tile for doubt in reading.doubts}
    return [
        *(_read_die(die, i in dice) for i, die in enumerate(reading.dice)),
        *(_read_tile(each, i in tiles) for i, each in enumerate(reading.tiles)),
    ]


def _read_die(die: Die, flagged: bool) -> ReadPiece:
    return ReadPiece(die.kind, (die.value,), round(die.confidence, 4), _centre(die.box), _reach(die.box), flagged)


def _read_tile(read: Tile, flagged: bool) -> ReadPiece:
    first, second = read.ends
    face = DOWN if first is None or second is None else tile(first, second)
    return ReadPiece("domino", face, round(read.confidence, 4), _centre(read.box), _reach(read.box), flagged)


def _centre(box: Quad) -> Point:
    return sum(x for x, _ in box) / 4, sum(y for _, y in box) / 4


def _reach(box: Quad) -> float:
    return max(math.dist(box[0], box[1]), math.dist(box[1], box[2])) / 2


def same(piece: Piece, seen: ReadPiece) -> bool:
    """Whether a piece was read as what it is."""
    return (piece.kind, piece.face) == (seen.kind, seen.face)


# Pairs


def by_family(pieces: Sequence[Piece], read: Sequence[ReadPiece]) -> list[Pair]:
    """Dice with dice, tiles with tiles: each piece with what was read of it, by place where that is known."""
    return [
        pair
        for tiles in (False, True)
        for pair in _pairs(
            [piece for piece in pieces if (piece.kind == "domino") == tiles],
            [seen for seen in read if (seen.kind == "domino") == tiles],
        )
    ]


def _pairs(pieces: Sequence[Piece], read: Sequence[ReadPiece]) -> list[Pair]:
    return by_place(pieces, read) if all(piece.placed for piece in pieces) else _by_face(pieces, read)


def by_place(pieces: Sequence[Piece], read: Sequence[ReadPiece]) -> list[Pair]:
    """Each piece with what was read at its place, the nearest first; a piece that was not found is left out."""
    near = [
        (distance, i, j)
        for i, piece in enumerate(pieces)
        for j, seen in enumerate(read)
        if (distance := _distance(piece, seen)) < math.inf
    ]
    pairs: dict[int, int] = {}
    for _, i, j in sorted(near):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return [(pieces[i], read[j]) for i, j in sorted(pairs.items())]


def _distance(piece: Piece, seen: ReadPiece) -> float:
    """From middle to middle in pixels; infinite for what was read elsewhere."""
    if piece.outline:
        return math.dist(_centre(piece.outline), seen.centre) if _inside(seen.centre, piece.outline) else math.inf
    distance = math.dist(piece.centre, seen.centre) if piece.centre else math.inf
    return distance if distance <= seen.reach else math.inf


def _inside(point: Point, outline: Quad) -> bool:
    """Whether a point lies in a convex outline: always on the same side of its edges, whichever way these run."""
    x, y = point
    around = zip(outline, (*outline[1:], outline[0]), strict=True)
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in around]
    return min(sides) >= 0 or max(sides) <= 0


def _by_face(pieces: Sequence[Piece], read: Sequence[ReadPiece]) -> list[Pair]:
    equal = _equal(pieces, read)
    missing = _without(pieces, [piece for piece, _ in equal])
    # A tile listed as face down is not taken for a misread one: it may be one of those that are.
    surplus = [seen for seen in _without(read, [seen for _, seen in equal]) if seen.face != DOWN]
    missing.sort(key=lambda piece: piece.face)
    surplus.sort(key=lambda seen: seen.face)
    return equal + list(zip(missing, surplus, strict=False))


def _equal(pieces: Sequence[Piece], read: Sequence[ReadPiece]) -> list[Pair]:
    """Pairs of equal faces, the surest first."""
    left, pairs = list(pieces), []
    for seen in sorted(read, key=lambda seen: -seen.confidence):
        piece = next((piece for piece in left if same(piece, seen)), None)
        if piece is not None:
            pairs.append((piece, seen))
            left = _without(left, [piece])
    return pairs


# What does not count


def _excused(truth: Truth, surplus: Sequence[ReadPiece]) -> list[ReadPiece]:
    """Of what was read and is no known piece: the tiles that do lie face down, and as many as nobody can read."""
    down = [seen for seen in surplus if seen.face == DOWN][: truth.face_down]
    there = [seen for _, seen in by_place(truth.unclear, _without(surplus, down))]
    least_sure = sorted(_without(surplus, down + there), key=lambda seen: seen.confidence)
    return down + there + least_sure[: truth.ambiguous]


def _without(items: Sequence[T], taken: Sequence[T]) -> list[T]:
    """The items that were not taken. Two equal pieces are still two."""
    ids = {id(item) for item in taken}
    return [item for item in items if id(item) not in ids]
