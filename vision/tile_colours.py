"""The tiles of a set have one colour: a double blank of another colour is a patch of table, a cell of a board, or a card.

Nothing else distinguishes it: two blank ends look as plain as the table. Tiles with pips are recognised by those, and the back of
a tile may have any colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.candidate import Candidate
from vision.classify.colour import Lab, ground_of
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.photo import Pixels

_SURE = 0.85
"""Confidence from which a tile with pips is a reference for the colour of the set."""
_FEWEST = 3
"""How many such tiles it takes."""
_BLANK = 0.25
"""Probability of two blank ends from which a tile's colour is checked."""
_LIKE, _STEEP = 20.0, 2.5
"""Colour distance (CIELAB, 0 to 255 as OpenCV scales them, lightness counted half) at which a double blank is as likely a tile of
the set as not, and the distance over which its odds fall by a factor of e. Of 501 tiles on photos, the farthest is 6 from the
most similar sure tile; false double blanks are at 40 and more (docs/decisions/0064)."""
_UNLIKELY, _ALIKE = 0.3, 15.0
"""Confidence below which a tile is worth a closer look only within this colour distance of a sure one."""
_SCORED = 0.3
"""The score from which a detection is classified whatever its colour."""


def of_one_colour(candidates: Sequence[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; double blanks of another colour than the sure tiles in `kept` become less likely tiles."""
    sure = _grounds(kept)
    return [_of(each, sure) for each in candidates] if len(sure) >= _FEWEST else [*candidates]


def worth_reading(found: Sequence[Detection], kept: Sequence[Candidate], picture: Pixels) -> list[Detection]:
    """The detected tiles without those of low score and another colour than the sure ones: on the squares of a game board, one
    pass may find a hundred.
    """
    sure = _grounds(kept)
    if len(sure) < _FEWEST:
        return [*found]
    return [
        each for each in found if each.score >= _SCORED or _nearest(ground_of(picture, each.corners), sure) < _ALIKE
    ]


def worth_a_look(tiles: Sequence[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    """The tiles without the unlikely ones of another colour than the sure ones: mostly printed cells of a board."""
    sure = _grounds(kept)
    if len(sure) < _FEWEST:
        return [*tiles]
    return [each for each in tiles if each.confidence >= _UNLIKELY or _nearest(each.ground, sure) < _ALIKE]


def _grounds(kept: Sequence[Candidate]) -> list[Lab]:
    """The colours of the sure tiles with pips."""
    return [
        each.ground
        for each in kept
        if each.ground is not None and not each.face_down and each.confidence >= _SURE and _blank(each) < _BLANK
    ]


def _blank(tile: Candidate) -> float:
    """The probability that both ends are blank, given a tile that lies face up."""
    return tile.face.first[0] * tile.face.second[0] if isinstance(tile.face, TileFace) else 0.0


def _of(tile: Candidate, sure: Sequence[Lab]) -> Candidate:
    """A candidate; less likely a tile if it is a double blank of a colour that no sure tile has."""
    face = tile.face
    if not isinstance(face, TileFace) or face.profile or tile.ground is None or _blank(tile) < _BLANK:
        return tile
    fits = 1 / (1 + math.exp((_nearest(tile.ground, sure) - _LIKE) / _STEEP))
    return replace(tile, face=replace(face, other=1 - (1 - face.other) * fits))


def _nearest(ground: Lab | None, sure: Sequence[Lab]) -> float:
    """The colour distance of a tile to the most similar sure tile; 0 if its colour was not measured."""
    return 0.0 if ground is None else min(_one_sided_distance(ground, other) for other in sure)


def _one_sided_distance(colour: Lab, sure: Lab) -> float:
    """Colour distance. Lightness varies most: it counts half, and only if `colour` is darker, for lamps make black tiles grey."""
    return math.hypot(max(0.0, sure[0] - colour[0]) / 2, colour[1] - sure[1], colour[2] - sure[2])
