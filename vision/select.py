"""Which detections to keep where they overlap: a piece is counted once.

Tiles lie flat beside each other, often in a line with equal ends together, so that the last half of one and the first half of
the next look like a tile of their own; and two dice that touch look like a tile. No rule between two detections can tell; all of
them together can: those are kept that do not overlap and are likeliest as a whole, each for itself a piece or none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vision.candidate import Candidate, log_odds
from vision.detect.boxes import overlap, without_duplicates

_SAME = 0.6
"""Two real dice rarely cover more of each other's boxes, even in a pile seen at a slant."""
_SAME_TILE = 0.35
"""Two real tiles cover each other's turned outlines only in a pile."""
_MOST_TRIED = 60
"""Pieces that hang together beyond this many are chosen one by one: a boneyard of a whole set has 28."""

Clashes = Mapping[int, frozenset[int]]


def suppress_overlaps(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of which none covers another: those believed as a set, then of the others whatever is likeliest."""
    rest = sorted((c for c in candidates if not c.is_piece), key=lambda c: -c.probability)
    kept = without_duplicates(rest, _clash, _best_set([c for c in candidates if c.is_piece]))
    return sorted(kept, key=lambda c: -c.probability)


def _clash(one: Candidate, other: Candidate) -> bool:
    both_tiles = one.kind == other.kind == "domino"
    return overlap(one.detection, other.detection) >= (_SAME_TILE if both_tiles else _SAME)


def _best_set(pieces: Sequence[Candidate]) -> list[Candidate]:
    clashes: Clashes = {
        i: frozenset(j for j, other in enumerate(pieces) if i != j and _clash(one, other))
        for i, one in enumerate(pieces)
    }
    # The chance of a whole answer is a product over its pieces and what is left out, so log odds add up.
    weights = [log_odds(piece.probability) for piece in pieces]
    return [pieces[i] for part in parts(frozenset(clashes), clashes) for i in best(part, clashes, weights)]


def parts(nodes: frozenset[int], clashes: Clashes) -> list[frozenset[int]]:
    """The nodes in groups that hang together."""
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
    """Of all sets of nodes without a clash the one of greatest weight: with the node of most clashes, or without it."""
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
