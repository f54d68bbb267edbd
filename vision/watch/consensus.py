"""Several looks at a table that lies still, made into one: the median of the evidence, piece by piece.

A hand's shadow, a keyframe of the compression, the light that flickers with the mains: each spoils one frame, and none of them
the frame in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.classify.dice import Face
from vision.classify.tiles import TileFace
from vision.detect.detector import Find
from vision.doubts import Candidate, covered
from vision.photo import Photo
from vision.reading import Quad
from vision.select import keep_one_of_each
from vision.watch.motion import Glimpse

_SAME = 0.5
"""Share of the smaller outline that two looks' finds of one piece have in common, at least; it may have crept."""

Evidence = tuple[Candidate | None, ...]
"""What the looks, one after the other, say of one piece: None where it was not found."""


@dataclass(frozen=True, eq=False)
class Look:
    """A frame that the networks have looked at: small, as a photo, and everything that was found on it."""

    glimpse: Glimpse
    photo: Photo
    candidates: tuple[Candidate, ...]

    @property
    def pieces(self) -> list[Candidate]:
        """What this look alone would count."""
        return [candidate for candidate in keep_one_of_each(self.candidates) if candidate.is_piece]


def apart(one: Find, other: Find) -> float:
    """How far the middles of two finds lie from each other, over the longer side of the pieces."""
    size = max(one.width, one.height, other.width, other.height, 1.0)
    return math.dist(one.middle, other.middle) / size


def nearest_pairs(ours: Sequence[Find], theirs: Sequence[Find]) -> list[tuple[int, int]]:
    """Finds of one kind that cover each other, the nearest first, each once; as places in both lists."""
    ways = [
        (apart(one, other) + _askew(one, other), i, j)
        for i, one in enumerate(ours)
        for j, other in enumerate(theirs)
        if one.kind == other.kind and apart(one, other) < 1 and covered(one, other) >= _SAME
    ]
    return each_once(ways)


def _askew(one: Find, other: Find) -> float:
    """How far the corners of two outlines lie apart over their size: a tile seen at a slant is tried both ways."""
    if one.quad is None:
        return 0.0
    size = max(one.width, one.height, 1.0)
    return min(math.dist(corner, other.corners[0]) for corner in (one.corners[0], one.corners[2])) / size


def each_once(ways: list[tuple[float, int, int]]) -> list[tuple[int, int]]:
    """Of pairs with a cost the cheapest, then the cheapest of what that leaves, and so on."""
    taken: list[tuple[int, int]] = []
    for _, i, j in sorted(ways):
        if all(i != a and j != b for a, b in taken):
            taken.append((i, j))
    return taken


def median(looks: Sequence[Look]) -> list[Candidate]:
    """What all the looks together say: a candidate for each place that more than half of them know."""
    gathered: list[list[Candidate | None]] = []
    for n, look in enumerate(looks):
        latest = [next(c for c in reversed(seen) if c is not None) for seen in gathered]
        pairs = dict(nearest_pairs([c.find for c in look.candidates], [c.find for c in latest]))
        for seen in gathered:
            seen.append(None)
        for i, candidate in enumerate(look.candidates):
            if i in pairs:
                gathered[pairs[i]][-1] = candidate
            else:
                gathered.append([*[None] * n, candidate])
    return [_merged(tuple(seen)) for seen in gathered if 2 * sum(c is not None for c in seen) > len(seen)]


def _merged(evidence: Evidence) -> Candidate:
    seen = [candidate for candidate in evidence if candidate is not None]
    latest = seen[-1]
    # A look that did not find the piece speaks with a score of zero.
    scores = [0.0 if candidate is None else candidate.find.score for candidate in evidence]
    find = replace(_place([candidate.find for candidate in seen]), score=float(np.median(scores)))
    return Candidate(find, _face([candidate.face for candidate in seen], latest.find, seen), latest.belief)


def _place(finds: Sequence[Find]) -> Find:
    """The middle one of each edge and corner; the corners of tiles in the order of the last."""
    left, top, right, bottom = (
        float(np.median([getattr(find, edge) for find in finds])) for edge in ("left", "top", "right", "bottom")
    )
    latest = finds[-1]
    if latest.quad is None:
        return replace(latest, left=left, top=top, right=right, bottom=bottom)
    corners = np.median([_as(find, latest) for find in finds], axis=0)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return replace(latest, left=left, top=top, right=right, bottom=bottom, quad=(a, b, c, d))


def _as(find: Find, other: Find) -> Quad:
    """The corners of a tile, begun at the one that is the first of the other find's."""
    a, b, c, d = find.corners
    return (c, d, a, b) if _turned(find, other) else find.corners


def _turned(find: Find, other: Find) -> bool:
    """Whether the two finds of one tile have it the other way round."""
    a, _, c, _ = find.corners
    first = other.corners[0]
    return math.dist(c, first) < math.dist(a, first)


def _face(faces: Sequence[Face | TileFace], latest: Find, seen: Sequence[Candidate]) -> Face | TileFace:
    tiles = [
        _as_tile(face, _turned(candidate.find, latest))
        for face, candidate in zip(faces, seen, strict=True)
        if isinstance(face, TileFace)
    ]
    if tiles:
        first, second = (_middle([getattr(tile, end) for tile in tiles]) for end in ("first", "second"))
        other, back = (float(np.median([getattr(tile, part) for tile in tiles])) for part in ("other", "back"))
        return TileFace(other, back, first, second)
    dice = [face for face in faces if isinstance(face, Face)]
    return Face(float(np.median([die.other for die in dice])), _middle([die.values for die in dice]))


def _as_tile(face: TileFace, turned: bool) -> TileFace:
    return replace(face, first=face.second, second=face.first) if turned else face


def _middle(chances: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The median of each chance, made to sum up to one again."""
    middle: NDArray[np.float64] = np.median(np.array(chances, np.float64), axis=0)
    return tuple(float(p) for p in middle / max(1e-12, float(middle.sum())))
