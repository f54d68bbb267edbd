"""What to believe of the finds, and when to say "please look".

A find becomes a piece when locator and reader of faces together believe in it. Everything between "surely" and "surely not"
is told as a `Doubt`: a wrong value without a doubt is the worst that can happen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from vision.classify.dice import Face
from vision.classify.tiles import TileFace
from vision.detect.detector import Find, Kind
from vision.photo import Photo
from vision.reading import Doubt

_SURE_PIECE = 0.85
_MAYBE_PIECE = 0.2
_SURE_VALUE = 0.9
_SURE_SIDE = 0.85
"""Of a tile: whether it lies face up or face down."""
_LEAST_TILE = 0.25
"""A tile whose ends are anyone's guess is told as something that may be a tile, not counted."""
_LEAST_PIXELS = 14
"""Of the full photo; below it the pips of a six run together."""
_OVERLAP = 0.45
_TILE_OVERLAP = 0.25
"""Tiles lie in turned boxes that barely cover each other; more than this is a pile or one tile found twice."""
_HALF = 0.7
"""A die that is the end of a tile, or was taken for one, lies in the tile's outline with so much of its box."""
_SEEN_TILE = 0.15
"""The locator's score from which a tile that was not counted makes the dice in it doubtful."""
_EDGE = 0.004
"""How near the picture's edge, over its longer side, a box meets it."""
_WHOLE = 0.9
"""A die that merely touches the edge is whole: its box is about as high as wide."""
_NAMES: dict[Kind, str] = {"d6": "die with pips", "d12": "twelve-sided die", "domino": "domino"}


@dataclass(frozen=True, slots=True)
class Belief:
    """How the two networks' scores make one chance that a find is a piece of its kind: a logistic of both log odds.

    `back` is for a tile that shows its back, which is as plain as a patch of table. Fitted on pictures held apart from
    training (`python -m datasets.train.calibrate`).
    """

    locator: float = 0.7
    faces: float = 0.7
    offset: float = 0.5
    back: float = 0.0

    @classmethod
    def of(cls, calibration: Mapping[str, float]) -> Belief:
        """From the manifest's numbers."""
        known = {f"belief_{part.name}": part.name for part in fields(cls)}
        return cls(**{known[key]: value for key, value in calibration.items() if key in known})

    def chance(self, find: Find, face: Face | TileFace) -> float:
        """That the find is a piece of its kind, 0..1."""
        score, readable, back = evidence(find, face)
        odds = self.locator * score + self.faces * readable + self.back * back + self.offset
        return 1 / (1 + math.exp(-odds))


def evidence(find: Find, face: Face | TileFace) -> tuple[float, float, float]:
    """What speaks for a piece: log odds of the locator and of the reader, and the chance that it is the back of a tile.

    A tile speaks for itself by two ends that can be read, too: print that passes for a tile is seldom sure of its pips.
    Numerals on a die are hard enough to read for that to say little.
    """
    if not isinstance(face, TileFace):
        return log_odds(find.score), log_odds(1 - face.other), 0.0
    plain = face.back + (1 - face.back) * max(face.first) * max(face.second)
    return log_odds(find.score), log_odds((1 - face.other) * plain), face.back


def log_odds(p: float) -> float:
    """The natural log of p / (1 - p), kept within +-7."""
    p = min(0.9991, max(0.0009, p))
    return math.log(p / (1 - p))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A find with what its reader says."""

    find: Find
    face: Face | TileFace
    belief: Belief

    @property
    def kind(self) -> Kind:
        """Of the piece that it may be."""
        return self.find.kind

    @property
    def chance(self) -> float:
        """That it is a piece of its kind, 0..1."""
        return self.belief.chance(self.find, self.face)

    @property
    def is_piece(self) -> bool:
        """Whether it is counted: it is likelier a piece than none, and not a tile that shows nothing."""
        return self.chance >= 0.5 and (self.kind != "domino" or self.confidence >= _LEAST_TILE)

    @property
    def face_down(self) -> bool:
        """Whether it is a tile that shows its back."""
        return isinstance(self.face, TileFace) and self.face.back >= 0.5

    @property
    def confidence(self) -> float:
        """That it is a piece and shows what it is said to show."""
        if isinstance(self.face, TileFace):
            return self.chance * (self.face.back if self.face_down else (1 - self.face.back) * self.face.ranked[0][1])
        return self.chance * self.face.ranked[0][1]


def doubts_of(
    photo: Photo, dice: Sequence[Candidate], tiles: Sequence[Candidate], rejected: Sequence[Candidate]
) -> Iterator[Doubt]:
    """Everything a person should look at; `dice` and `tiles` in the order of the reading."""
    for note in photo.notes:
        yield Doubt(note.code, note.message)
    if not dice and not tiles:
        yield Doubt(
            "no-pieces", "No dice or dominoes were found. Take the photo from nearer, with all of them in the picture."
        )
    for i, die in enumerate(dice):
        yield from _doubts_of_die(photo, i, die)
    for i, tile in enumerate(tiles):
        yield from (replace(doubt, tile=i) for doubt in _doubts_of_tile(photo, tile))
    yield from _overlaps(dice, tiles)
    # A tile face down, which is as plain as the table, changes no score.
    if maybe := [candidate for candidate in rejected if candidate.chance > _MAYBE_PIECE and not candidate.face_down]:
        (x, y), (height, width) = maybe[0].find.middle, photo.pixels.shape[:2]
        place, name = where(x / width, y / height), _NAMES[maybe[0].kind]
        yield Doubt("uncertain-piece", f"Something {place} may be a {name}; it was not counted.")


def two_dice_rather(tiles: Sequence[Candidate], outdone: Sequence[Candidate]) -> Iterator[Doubt]:
    """Tiles that were believed instead of dice which were sure by themselves: two dice side by side look like a tile."""
    for i, tile in enumerate(tiles):
        if any(die.chance >= _SURE_PIECE and die.find.inside(tile.find) > _HALF for die in outdone):
            yield Doubt("overlapping", "This may be dice that touch rather than a domino.", tile=i)


def tile_rather(dice: Sequence[Candidate], candidates: Sequence[Candidate]) -> Iterator[Doubt]:
    """Dice that lie in what the locator took for a tile, though nobody believed it: the end of a domino looks like a die."""
    tiles = [c.find for c in candidates if c.kind == "domino" and c.find.score >= _SEEN_TILE]
    for i, die in enumerate(dice):
        if any(die.find.inside(tile) > _HALF for tile in tiles):
            yield Doubt("uncertain-piece", "This may be the end of a domino rather than a die.", i)


def _overlaps(dice: Sequence[Candidate], tiles: Sequence[Candidate]) -> Iterator[Doubt]:
    for i, die in enumerate(dice):
        if any(covered(die.find, other.find) > _OVERLAP for other in [*dice[i + 1 :], *tiles]):
            yield Doubt("overlapping", "Two finds overlap here; they may be one piece.", i)
    for i, tile in enumerate(tiles):
        if any(covered(tile.find, other.find) > _TILE_OVERLAP for other in tiles[i + 1 :]):
            yield Doubt("overlapping", "Two tiles overlap here; they may be one, or one may hide pips.", tile=i)


def _doubts_of_die(photo: Photo, i: int, die: Candidate) -> Iterator[Doubt]:
    assert isinstance(die.face, Face)
    (value, p), (second, q), *_ = die.face.ranked
    if die.chance < _SURE_PIECE:
        message = f"This may not be a {_NAMES[die.kind]} ({die.chance:.0%} sure); it was counted as {value}."
        yield Doubt("uncertain-piece", message, i)
    if p < _SURE_VALUE:
        yield Doubt("uncertain-value", f"This may be {value} ({p:.0%}) or {second} ({q:.0%}).", i)
    if _cut_off(photo, die.find):
        yield Doubt("cut-off", f"This die leaves the picture; it was read as {value}.", i)
    if max(die.find.width, die.find.height) * photo.scale < _LEAST_PIXELS:
        yield Doubt("too-small", f"This die is very small in the photo; it was read as {value}. Go nearer.", i)


def _doubts_of_tile(photo: Photo, tile: Candidate) -> Iterator[Doubt]:
    assert isinstance(tile.face, TileFace)
    if tile.chance < _SURE_PIECE:
        yield Doubt("uncertain-piece", f"This may not be a domino ({tile.chance:.0%} sure); it was counted.")
    if max(tile.face.back, 1 - tile.face.back) < _SURE_SIDE:
        yield Doubt("face-down", f"This tile may lie face down ({tile.face.back:.0%}).")
    if tile.face_down:
        return
    ((a, b), p), ((c, d), q), *_ = tile.face.ranked
    if p < _SURE_VALUE:
        yield Doubt("uncertain-value", f"This may be {a}-{b} ({p:.0%}) or {c}-{d} ({q:.0%}).")
    if _leaves(photo, tile.find):
        yield Doubt("cut-off", f"This tile leaves the picture; it was read as {a}-{b}.")
    if math.dist(tile.find.corners[0], tile.find.corners[1]) / 2 * photo.scale < _LEAST_PIXELS:
        yield Doubt("too-small", f"This tile is very small in the photo; it was read as {a}-{b}. Go nearer.")


def _leaves(photo: Photo, find: Find) -> bool:
    """Whether a corner of the outline lies well outside the picture."""
    height, width = photo.pixels.shape[:2]
    slack = 0.12 * math.dist(find.corners[1], find.corners[2])
    return any(not (-slack <= x <= width + slack and -slack <= y <= height + slack) for x, y in find.corners)


def _cut_off(photo: Photo, find: Find) -> bool:
    """Whether the die goes on outside: its box meets the picture's edge, and is shorter across that edge than along it."""
    height, width = photo.pixels.shape[:2]
    slack = _EDGE * max(height, width)
    sideways = min(find.left, width - find.right) <= slack and find.width < _WHOLE * find.height
    return bool(sideways or (min(find.top, height - find.bottom) <= slack and find.height < _WHOLE * find.width))


def where(x: float, y: float) -> str:
    """A place in words: `x` from the left and `y` from the top, in shares of the picture."""
    column = ("at the left", "in the middle", "at the right")[min(2, int(3 * x))]
    row = ("at the top", "", "at the bottom")[min(2, int(3 * y))]
    return " ".join(part for part in (row, column) if part)


def covered(a: Find, b: Find) -> float:
    """The share of the smaller outline that lies in the other, 0..1."""
    return max(a.inside(b), b.inside(a))
