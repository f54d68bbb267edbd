"""Suppresses overlapping detections, so that every piece is counted once.

Tiles often lie in a line with equal ends together, so that the last half of one and the first half of the next look like another
tile; and two dice that touch look like a tile. A pairwise rule, as in greedy non-maximum suppression, cannot decide these:
instead, the non-overlapping set is kept that is likeliest as a whole, each candidate being a piece or none independently.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from vision.candidate import Candidate, log_odds
from vision.classify.tiles import TileFace, halves
from vision.detect.boxes import overlap, without_duplicates
from vision.reading import Quad

_SAME = 0.6
"""Two real dice rarely cover more of each other's boxes, even in a pile seen at a slant."""
_SAME_TILE = 0.35
"""Two real tiles cover each other's turned outlines only in a pile, and no die lies half on a tile."""
_LONG_DIE = 1.4
"""A die's box is about square; one this much longer than wide belongs to a tile, if one was detected."""
_SEEN, _SAME_END = 0.1, 0.35
"""The detection score from which a tile may claim an end, and the greatest distance between two outlines of one end, in ends."""
_SURPRISE = 2.0
"""Log odds taken from a piece that the tiles around it explain better; for an elongated die this is the minimum."""
_MOST_TRIED = 60
"""Larger groups of connected clashes are resolved greedily: a boneyard of a whole set has 28 tiles."""

Clashes = Mapping[int, frozenset[int]]


def suppress_overlaps(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without overlaps: the likeliest set of those that count, then the others greedily by probability."""
    rest = sorted((c for c in candidates if not c.is_piece), key=lambda c: -c.probability)
    kept = without_duplicates(rest, _clash, _best_set([c for c in candidates if c.is_piece], candidates))
    return sorted(kept, key=lambda c: -c.probability)


def in_reading_order(pieces: Sequence[Candidate]) -> list[Candidate]:
    """Rows from the top, each from left to right.

    A row goes on to the right as long as the next piece is at most half a piece higher or lower than the last, so it may slant.
    """
    rows: list[list[Candidate]] = []
    for piece in sorted(pieces, key=lambda piece: piece.detection.middle):
        beside = [row for row in rows if _rise(row[-1], piece) < 1]
        if beside:
            min(beside, key=lambda row: _rise(row[-1], piece)).append(piece)
        else:
            rows.append([piece])
    return [piece for row in sorted(rows, key=_middle_of_row) for piece in row]


def _rise(one: Candidate, other: Candidate) -> float:
    """How much higher or lower one piece lies than the other, in halves of their mean height."""
    height = (one.detection.height + other.detection.height) / 2
    return 2 * abs(one.detection.middle[1] - other.detection.middle[1]) / max(1.0, height)


def _middle_of_row(row: Sequence[Candidate]) -> float:
    return sum(piece.detection.middle[1] for piece in row) / len(row)


def _clash(one: Candidate, other: Candidate) -> bool:
    a_tile = "domino" in (one.kind, other.kind)
    return overlap(one.detection, other.detection) >= (_SAME_TILE if a_tile else _SAME)


def _best_set(pieces: Sequence[Candidate], candidates: Sequence[Candidate]) -> list[Candidate]:
    clashes: Clashes = {
        i: frozenset(j for j, other in enumerate(pieces) if i != j and _clash(one, other))
        for i, one in enumerate(pieces)
    }
    # The probability of a set is a product over the pieces in it and those left out, so log odds add up.
    weights = [log_odds(piece.probability) - _surprise(piece, candidates) for piece in pieces]
    return [pieces[i] for part in parts(frozenset(clashes), clashes) for i in best(part, clashes, weights)]


def _surprise(piece: Candidate, candidates: Sequence[Candidate]) -> float:
    """The penalty on a piece's log odds because the candidates around it explain it better."""
    tiles = [each for each in candidates if each.kind == "domino" and each.detection.score >= _SEEN]
    if piece.kind == "domino":
        return _SURPRISE if _bridges(piece, tiles) else 0.0
    box = piece.detection
    if box.long_side <= _LONG_DIE * min(box.width, box.height):
        return 0.0
    return max((_as_domino(tile) for tile in tiles if _clash(piece, tile)), default=0.0)


def _as_domino(tile: Candidate) -> float:
    """The penalty on an elongated die that overlaps a tile: the higher, the less the whole tile looks like dice."""
    return _SURPRISE if tile.whole is None else max(_SURPRISE, -log_odds(tile.whole.dice))


def _bridges(tile: Candidate, tiles: Sequence[Candidate]) -> bool:
    """Whether a double is really the last half of one tile and the first half of the next, which show the same in a line."""
    ends = _ends(tile)
    if not ends or ends[0][0] != ends[1][0]:
        return False
    claims = [
        [other for other in tiles if other is not tile and any(_same_end(end, theirs) for theirs in _ends(other))]
        for end in ends
    ]
    return any(not _clash(one, other) for one in claims[0] for other in claims[1])


_End = tuple[int, float, float, float]
"""An end of a tile: its likeliest value, its centre x and y, and its side, in pixels."""


def _ends(tile: Candidate) -> list[_End]:
    """Both ends of a tile; empty if it lies face down."""
    if not isinstance(tile.face, TileFace) or tile.face_down:
        return []
    chances = (tile.face.first, tile.face.second)
    return [_end(each, half) for each, half in zip(chances, halves(tile.detection.corners), strict=True)]


def _end(chances: Sequence[float], half: Quad) -> _End:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = half
    value = max(range(len(chances)), key=lambda n: chances[n])
    return value, (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4, math.dist((ax, ay), (bx, by))


def _same_end(one: _End, other: _End) -> bool:
    far = math.dist(one[1:3], other[1:3])
    return one[0] == other[0] and far < _SAME_END * min(one[3], other[3])


def parts(nodes: frozenset[int], clashes: Clashes) -> list[frozenset[int]]:
    """The connected components of the clash graph."""
    left, found = set(nodes), []
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            group |= edge
            edge = {j for i in edge for j in clashes[i]} & left
            left -= edge
        found.append(frozenset(group))
    return found


def best(nodes: frozenset[int], clashes: Clashes, weights: Sequence[float]) -> frozenset[int]:
    """The maximum-weight independent set, by branching on the node with the most clashes: with it, or without it."""
    if len(nodes) <= 1:
        return nodes
    most = max(nodes, key=lambda i: (len(clashes[i] & nodes), weights[i]))
    if not clashes[most] & nodes:
        return nodes
    if len(nodes) > _MOST_TRIED:
        likeliest = max(nodes, key=lambda i: weights[i])
        return best(nodes - clashes[likeliest] - {likeliest}, clashes, weights) | {likeliest}
    without = _best_of_parts(nodes - {most}, clashes, weights)
    with_it = _best_of_parts(nodes - {most} - clashes[most], clashes, weights) | {most}
    return max(with_it, without, key=lambda chosen: sum(weights[i] for i in chosen))


def _best_of_parts(nodes: frozenset[int], clashes: Clashes, weights: Sequence[float]) -> frozenset[int]:
    return frozenset().union(*(best(part, clashes, weights) for part in parts(nodes, clashes)))
