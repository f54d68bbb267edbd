"""Combines several samples of a still table into one: the median of the evidence, piece by piece.

A hand's shadow, a keyframe of the compression, a light that flickers with the mains: each corrupts single frames, but not the
median.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.candidate import Candidate
from vision.classify.colour import Lab
from vision.classify.dice import Face
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection, overlap
from vision.photo import Photo
from vision.reading import Quad
from vision.select import suppress_overlaps
from vision.watch.motion import Thumbnail

_SAME = 0.5
"""Least overlap, as a share of the smaller outline, of two samples' detections of one piece, which may have shifted a little."""

Evidence = tuple[Candidate | None, ...]
"""One piece in each of the samples, in order; None where it was not found."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A frame that the networks have read: its thumbnail, its photo, and all candidates."""

    thumbnail: Thumbnail
    photo: Photo
    candidates: tuple[Candidate, ...]

    @property
    def pieces(self) -> list[Candidate]:
        """The pieces that this sample alone would count."""
        return [candidate for candidate in suppress_overlaps(self.candidates) if candidate.is_piece]


def apart(one: Detection, other: Detection) -> float:
    """The distance between the centres of two detections, over their longest side."""
    size = max(one.width, one.height, other.width, other.height, 1.0)
    return math.dist(one.middle, other.middle) / size


def nearest_pairs(ours: Sequence[Detection], theirs: Sequence[Detection]) -> list[tuple[int, int]]:
    """Overlapping detections of one shape, matched greedily by distance; as indices into both lists."""
    ways = [
        (apart(one, other) + _askew(one, other), i, j)
        for i, one in enumerate(ours)
        for j, other in enumerate(theirs)
        if one.shape == other.shape and apart(one, other) < 1 and overlap(one, other) >= _SAME
    ]
    return each_once(ways)


def _askew(one: Detection, other: Detection) -> float:
    """The distance between the first corners of two outlines, over their size; a tile may start at either end.

    It tells apart the two detections of a nearly square tile (`Detection.either_way`).
    """
    if one.quad is None:
        return 0.0
    size = max(one.width, one.height, 1.0)
    return min(math.dist(corner, other.corners[0]) for corner in (one.corners[0], one.corners[2])) / size


def each_once(ways: list[tuple[float, int, int]]) -> list[tuple[int, int]]:
    """Greedy matching: from (cost, i, j), the cheapest pair first, every i and j at most once."""
    taken: list[tuple[int, int]] = []
    for _, i, j in sorted(ways):
        if all(i != a and j != b for a, b in taken):
            taken.append((i, j))
    return taken


def median(looks: Sequence[Sample]) -> list[Candidate]:
    """The median of all samples: a candidate for each piece that more than half of them found."""
    gathered: list[list[Candidate | None]] = []
    for n, look in enumerate(looks):
        latest = [next(c for c in reversed(seen) if c is not None) for seen in gathered]
        pairs = dict(nearest_pairs([c.detection for c in look.candidates], [c.detection for c in latest]))
        for seen in gathered:
            seen.append(None)
        for i, candidate in enumerate(look.candidates):
            if i in pairs:
                gathered[pairs[i]][-1] = candidate
            else:
                gathered.append([*[None] * n, candidate])
    return [_merged(tuple(seen)) for seen in gathered if 2 * sum(c is not None for c in seen) > len(seen)]


def joined(ours: Sequence[Candidate], theirs: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of two readings of one table: where both read the same, the surer one; where they differ, the mean; and
    every candidate that only one of them has.
    """
    pairs = nearest_pairs([each.detection for each in ours], [each.detection for each in theirs])
    both = {i: _of_both(ours[i], theirs[j]) for i, j in pairs}
    found = {j for _, j in pairs}
    return [
        *(both.get(i, one) for i, one in enumerate(ours)),
        *(other for j, other in enumerate(theirs) if j not in found),
    ]


def _of_both(one: Candidate, other: Candidate) -> Candidate:
    if one.kind == other.kind and one.face.ranked[0][0] == other.face.ranked[0][0]:
        return max(one, other, key=lambda each: each.confidence)
    return _merged((one, other))


def _merged(evidence: Evidence) -> Candidate:
    seen = [candidate for candidate in evidence if candidate is not None]
    latest = seen[-1]
    # A sample without the piece counts as a score of zero.
    scores = [0.0 if candidate is None else candidate.detection.score for candidate in evidence]
    detection = replace(_place([candidate.detection for candidate in seen]), score=float(np.median(scores)))
    return Candidate(
        detection,
        _face([candidate.face for candidate in seen], latest.detection, seen),
        latest.calibration,
        latest.ends_as_dice,
        latest.whole,
        ground=_ground(seen),
    )


def _ground(seen: Sequence[Candidate]) -> Lab | None:
    """The median of each channel of a tile's colour; None if no sample has one."""
    grounds = [candidate.ground for candidate in seen if candidate.ground is not None]
    if not grounds:
        return None
    lightness, red, yellow = (float(channel) for channel in np.median(np.array(grounds, np.float64), axis=0))
    return lightness, red, yellow


def _place(detections: Sequence[Detection]) -> Detection:
    """The median of each edge and corner; the corners of tiles in the order of the last detection."""
    left, top, right, bottom = (
        float(np.median([getattr(detection, edge) for detection in detections]))
        for edge in ("left", "top", "right", "bottom")
    )
    latest = detections[-1]
    if latest.quad is None:
        return replace(latest, left=left, top=top, right=right, bottom=bottom)
    corners = np.median([_as(detection, latest) for detection in detections], axis=0)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return replace(latest, left=left, top=top, right=right, bottom=bottom, quad=(a, b, c, d))


def _as(detection: Detection, other: Detection) -> Quad:
    """The corners of a tile, starting at the same end as the other detection."""
    a, b, c, d = detection.corners
    return (c, d, a, b) if _turned(detection, other) else detection.corners


def _turned(detection: Detection, other: Detection) -> bool:
    """Whether two detections of one tile have its ends in opposite order."""
    a, _, c, _ = detection.corners
    first = other.corners[0]
    return math.dist(c, first) < math.dist(a, first)


def _face(faces: Sequence[Face | TileFace], latest: Detection, seen: Sequence[Candidate]) -> Face | TileFace:
    tiles = [
        _as_tile(face, _turned(candidate.detection, latest))
        for face, candidate in zip(faces, seen, strict=True)
        if isinstance(face, TileFace)
    ]
    if tiles:
        first, second = (_middle([getattr(tile, end) for tile in tiles]) for end in ("first", "second"))
        other, back = (float(np.median([getattr(tile, part) for tile in tiles])) for part in ("other", "back"))
        return TileFace(other, back, first, second, _profile(tiles))
    dice = [face for face in faces if isinstance(face, Face)]
    kind = max((die.kind for die in dice), key=[die.kind for die in dice].count)
    mine = [die for die in dice if die.kind == kind]
    # A sample that took it for a die of another kind counts as probability 1 that it is not of this kind.
    others = [die.other if die.kind == kind else 1.0 for die in dice]
    unsure = [max(die.other, die.unsure) if die.kind == kind else 1.0 for die in dice]
    low = float(np.median([die.low for die in mine]))
    nothing = float(np.median([die.nothing for die in dice]))
    values = _middle([die.values for die in mine])
    return Face(float(np.median(others)), values, kind, _profile(mine), low, float(np.median(unsure)), nothing)


def _profile(faces: Sequence[Face | TileFace]) -> str:
    """The profile that read most of them; empty if the networks did."""
    named = [face.profile for face in faces]
    return max(named, key=named.count)


def _as_tile(face: TileFace, turned: bool) -> TileFace:
    return replace(face, first=face.second, second=face.first) if turned else face


def _middle(chances: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The median of each probability, normalised to a sum of 1."""
    middle: NDArray[np.float64] = np.median(np.array(chances, np.float64), axis=0)
    return tuple(float(p) for p in middle / max(1e-12, float(middle.sum())))
