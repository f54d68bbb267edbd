"""Dice that lie flush against each other, pushed together: they look like the ends of dominoes.

The first dice classifier, trained with the ends of tiles as negatives, tends to reject them, and the detector tends to take two
of them for a tile.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from vision.candidate import Calibration, Candidate, log_odds
from vision.classify.tiles import halves
from vision.detect.boxes import Detection, Outline, inside, overlap, upright

_SEEN = 0.15
"""The score from which another detection may be one that a die lies flush against."""
_ALIKE = 1.5
"""How many times as large one of two such dice may be as the other."""
_NEAR = 1.1
"""The greatest distance of their centres, over the mean of their longer sides."""
_WITHIN = 0.5
"""The share of a die's box from which it may be half of a tile; and the overlap from which two boxes are the same detection."""
_SURE = 0.85
"""Confidence from which a die is evidence against the tiles on its table."""
PASSES = 0.5
"""`Candidate.dice_likeness` from which a tile is likelier dice."""
_AMONG_DICE = 3.0
"""Log odds that a tile loses among dice: at most one in twenty such tables has dominoes, too."""
_AS_LARGE = 1.4
"""The largest ratio, either way, between the size of a die and of an end of such a tile."""


def lies_flush(die: Detection, finds: Sequence[Detection]) -> bool:
    """Whether a die lies edge to edge with another detection of about its size, or inside a detected tile."""
    return any(
        _within(die, each) if each.shape == "tile" else _beside(die, each) for each in finds if each.score >= _SEEN
    )


def _within(die: Detection, tile: Detection) -> bool:
    return inside(die, tile) > _WITHIN


def _beside(die: Detection, other: Detection) -> bool:
    sides = [each.long_side for each in (die, other)]
    near = math.dist(die.middle, other.middle) < _NEAR * sum(sides) / 2
    return near and max(sides) <= _ALIKE * min(sides) and overlap(die, other) <= _WITHIN


def end_boxes(tile: Detection) -> Iterator[Detection]:
    """Both ends of a tile as detections of dice."""
    for half in halves(tile.corners):
        box = upright(Outline.around(half))
        yield Detection(box.left, box.top, box.right, box.bottom, tile.score)


def completed(dice: Sequence[Candidate], tiles: Sequence[Candidate], calibration: Calibration) -> list[Candidate]:
    """The dice, and both ends of every tile that looks like dice, where no die was found.

    `calibration`: the one for dice.
    """
    found = [*dice]
    for tile in _as_dice(tiles):
        assert tile.ends_as_dice is not None
        for end, face in zip(end_boxes(tile.detection), tile.ends_as_dice, strict=True):
            if not any(overlap(die.detection, end) > _WITHIN and die.is_piece for die in dice):
                # However clear its pips: an end is no likelier a die than the whole tile is dice.
                found.append(Candidate(end, replace(face, other=max(face.other, 1 - tile.dice_likeness)), calibration))
    return found


def less_likely_tiles(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; each tile that looks like dice loses the log odds of being dice."""
    less = _as_dice(candidates)
    return [
        replace(each, context_penalty=each.context_penalty + log_odds(each.dice_likeness)) if each in less else each
        for each in candidates
    ]


def _as_dice(tiles: Sequence[Candidate]) -> list[Candidate]:
    """The tiles that look like dice and are not recognised by a profile.

    Dominoes rarely mix with dice: tiles that cannot be dice vouch for one that looks like dice.
    """
    asked = [tile for tile in tiles if tile.ends_as_dice is not None]
    if sum(log_odds(tile.dice_likeness) for tile in asked) <= 0:
        return []
    return [tile for tile in asked if tile.dice_likeness >= PASSES and not tile.face.profile]


def among_dice(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates where no game was named: among sure dice, a tile is likelier two more dice.

    Only sure dice count that lie on no tile and are about as large as the tile's ends: a table of dominoes has none.
    """
    tiles = [each for each in candidates if each.kind == "domino" and each.is_piece]
    dice = [
        each.detection
        for each in candidates
        if each.kind == "d6"
        and each.confidence >= _SURE
        and not any(inside(each.detection, tile.detection) > _WITHIN for tile in tiles)
    ]
    return [
        replace(each, context_penalty=each.context_penalty + _AMONG_DICE)
        if each.kind == "domino" and any(_as_large_as_an_end(die, each.detection) for die in dice)
        else each
        for each in candidates
    ]


def _as_large_as_an_end(die: Detection, tile: Detection) -> bool:
    ratio = math.sqrt(2 * die.area / max(1.0, tile.area))
    return 1 / _AS_LARGE < ratio < _AS_LARGE
