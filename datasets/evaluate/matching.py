"""Matches the reading of a photo with the ground truth: which pieces are right, misread, missed or extra.

Dice and tiles are matched separately: a die read on a photo of dominoes is an extra piece, and so is a tile among dice. If
the positions of the pieces are known, a piece matches the nearest reading; otherwise faces are matched: equal faces are right
(if there are too many, the most confident), a missing and a surplus face make one misread, the rest is missed or extra. A tile
may lie either way round. Unreadable pieces, and tiles correctly read as face down, count neither as right nor as wrong.
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
    """A piece as it was read, with its confidence rounded as in the JSON.

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
    """The comparison of one photo. `pairs`: pieces found, right or misread; `excused`: readings of unreadable pieces."""

    pairs: tuple[Pair, ...]
    missed: tuple[Piece, ...]
    extra: tuple[ReadPiece, ...]
    excused: tuple[ReadPiece, ...]

    @property
    def right(self) -> tuple[ReadPiece, ...]:
        """The readings of pieces that are right."""
        return tuple(seen for piece, seen in self.pairs if same(piece, seen))

    @property
    def misread(self) -> tuple[ReadPiece, ...]:
        """The readings of pieces that are found, but read as something else."""
        return tuple(seen for piece, seen in self.pairs if not same(piece, seen))

    @property
    def exact(self) -> bool:
        """All pieces right, and none extra."""
        return not (self.missed or self.extra or self.misread)


def compare(truth: Sequence[Hashable], ambiguous: int, read: Sequence[Hashable]) -> dict[str, int | bool]:
    """Compare faces without positions: exact, right, missed, extra and misread; up to `ambiguous` extra faces do not count."""
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
    """Whether a piece was read correctly."""
    return (piece.kind, piece.face) == (seen.kind, seen.face)


# Pairs


def by_family(pieces: Sequence[Piece], read: Sequence[ReadPiece]) -> list[Pair]:
    """Match dice with dice and tiles with tiles, by position where that is known."""
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
    """Match each piece with the reading at its position, nearest first; pieces that were not found are left out."""
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
    """The distance between centres in pixels; infinite for a reading elsewhere."""
    if piece.outline:
        return math.dist(_centre(piece.outline), seen.centre) if _inside(seen.centre, piece.outline) else math.inf
    distance = math.dist(piece.centre, seen.centre) if piece.centre else math.inf
    return distance if distance <= seen.reach else math.inf


def _inside(point: Point, outline: Quad) -> bool:
    """Whether a point lies in a convex outline: on the same side of all edges, in either winding."""
    x, y = point
    around = zip(outline, (*outline[1:], outline[0]), strict=True)
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in around]
    return min(sides) >= 0 or max(sides) <= 0


def _by_face(pieces: Sequence[Piece], read: Sequence[ReadPiece]) -> list[Pair]:
    equal = _equal(pieces, read)
    missing = _without(pieces, [piece for piece, _ in equal])
    # A tile read as face down is not matched to a piece: it may be one of those that do lie face down.
    surplus = [seen for seen in _without(read, [seen for _, seen in equal]) if seen.face != DOWN]
    missing.sort(key=lambda piece: piece.face)
    surplus.sort(key=lambda seen: seen.face)
    return equal + list(zip(missing, surplus, strict=False))


def _equal(pieces: Sequence[Piece], read: Sequence[ReadPiece]) -> list[Pair]:
    """Pairs of equal faces, the most confident first."""
    left, pairs = list(pieces), []
    for seen in sorted(read, key=lambda seen: -seen.confidence):
        piece = next((piece for piece in left if same(piece, seen)), None)
        if piece is not None:
            pairs.append((piece, seen))
            left = _without(left, [piece])
    return pairs


# What does not count


def _excused(truth: Truth, surplus: Sequence[ReadPiece]) -> list[ReadPiece]:
    """The surplus readings that do not count: tiles that do lie face down, and as many as there are unreadable pieces."""
    down = [seen for seen in surplus if seen.face == DOWN][: truth.face_down]
    there = [seen for _, seen in by_place(truth.unclear, _without(surplus, down))]
    least_sure = sorted(_without(surplus, down + there), key=lambda seen: seen.confidence)
    return down + there + least_sure[: truth.ambiguous]


def _without(items: Sequence[T], taken: Sequence[T]) -> list[T]:
    """The items that were not taken, by identity: two equal pieces are still two."""
    ids = {id(item) for item in taken}
    return [item for item in items if id(item) not in ids]
