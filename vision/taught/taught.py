"""What profiles say of dice and tiles that the networks have read: they add to it, and never overrule what is plain.

A profile speaks where the network is in doubt or sees none of its own, and the piece is close to one that was shown. Where the
network is sure, it speaks only of what it was shown to misread in just this way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.classify.dice import DiceReader, Face, Seen, face_of
from vision.classify.features import Features
from vision.classify.tiles import TileFace, TileReader, face_of_ends
from vision.detect.boxes import Shape
from vision.photo import Pixels
from vision.reading import DieKind
from vision.taught.layer import Layer, Match
from vision.taught.negatives import Negatives
from vision.taught.profile import Profile
from vision.taught.views import die_views, end_views

_PLAIN = 0.9
"""How sure a network is of what it does not leave to profiles."""
_CLOSE, _VERY_CLOSE = 0.25, 0.55
"""The margin from which a profile speaks where the network is in doubt, and where it is sure."""
_AMONG = 0.07
"""What is added to that each time that twice as many profiles are loaded: the closest of many is close to anything."""
_STEEP, _HALF = 9.0, 0.1
"""How the gap to the next label becomes a chance: a logistic."""
_MOST = 0.999
_SIDES: dict[DieKind, int] = {"d6": 6, "d12": 12}
_OTHER, _FIRST = 0, 2
"""Places in the classes of the network of ends: no end, and 0 pips."""
DieLabel = tuple[str, int]
"""Kind and value; "other" and 0 for what is no die."""
L = TypeVar("L", bound=Hashable)


@dataclass(frozen=True)
class _Lessons(Generic[L]):
    """What one profile learned of one shape.

    Attributes:
        profile: its name.
        layer: what it learned.
        misread: by label: what the network took pieces for that were shown, where it was sure of that, and wrong.
    """

    profile: str
    layer: Layer[L]
    misread: Mapping[L, frozenset[L]]


@dataclass(frozen=True)
class _Opinion(Generic[L]):
    """The closest match of any profile."""

    lessons: _Lessons[L]
    match: Match[L]
    among: int
    """So many profiles were compared."""

    @property
    def label(self) -> L:
        """What it takes the piece for."""
        return self.match.label

    def holds(self, sure_of: L | None) -> bool:
        """Whether it counts; `sure_of`: what the network is sure of, None where it is in doubt."""
        if sure_of is None:
            return self.match.margin >= _CLOSE + _AMONG * math.log2(self.among)
        return self.match.gap >= _VERY_CLOSE and sure_of in self.lessons.misread.get(self.label, ())

    @property
    def chance(self) -> float:
        """That it is right."""
        return min(_MOST, 1 / (1 + math.exp(-_STEEP * (self.match.gap - _HALF))))


class Taught:
    """Profiles, made ready for the networks of a reader."""

    def __init__(
        self,
        profiles: Sequence[Profile],
        dice: DiceReader,
        tiles: TileReader,
        negatives: Mapping[Shape, Negatives],
    ) -> None:
        """Look at every piece of every profile in several views, and learn from them: milliseconds a piece.

        Raises:
            InvalidProfile: a picture cannot be read.
        """
        self._negatives = negatives
        self._dice = [each for profile in profiles for each in self._of_dice(profile, dice)]
        self._ends = [each for profile in profiles for each in self._of_ends(profile, tiles)]

    def dice(self, faces: Sequence[Face], seen: Seen, kinds: Collection[DieKind]) -> list[Face]:
        """The faces of dice; those that a profile knows better, as it says."""
        opinions = _opinions(self._dice, self._negatives["die"], seen)
        return [_die(face, each, kinds) for face, each in zip(faces, opinions, strict=True)] if opinions else [*faces]

    def tiles(self, faces: Sequence[TileFace], seen: Seen) -> list[TileFace]:
        """The faces of tiles; those that a profile knows better, as it says. `seen`: of both ends of each in turn."""
        opinions = _opinions(self._ends, self._negatives["tile"], seen)
        if not opinions:
            return [*faces]
        ends = [_end(chances, each) for chances, each in zip(seen.chances, opinions, strict=True)]
        pairs = zip(ends[::2], ends[1::2], strict=True)
        return [_tile(face, *pair) for face, pair in zip(faces, pairs, strict=True)]

    def _of_dice(self, profile: Profile, dice: DiceReader) -> list[_Lessons[DieLabel]]:
        pieces = [piece for piece in profile.pieces if piece.shape == "die"]
        labels = [(piece.kind, sum(piece.shows)) for piece in pieces]
        views = [die_views(piece) for piece in pieces]
        return _learned(profile.name, labels, views, dice.features, _sure_die, self._negatives["die"])

    def _of_ends(self, profile: Profile, tiles: TileReader) -> list[_Lessons[int]]:
        pieces = [piece for piece in profile.pieces if piece.shape == "tile"]
        labels = [value for piece in pieces for value in piece.shows]
        views = [end for piece in pieces for end in end_views(piece)]
        return _learned(profile.name, labels, views, tiles.features, _sure_end, self._negatives["tile"])


def _learned(
    name: str,
    labels: Sequence[L],
    views: Sequence[Sequence[Pixels]],
    look: Callable[[Sequence[Pixels]], Seen],
    sure_of: Callable[[NDArray[np.float64]], L | None],
    negatives: Negatives,
) -> list[_Lessons[L]]:
    """One profile's lessons of one shape; none if it has no piece of it. The first view of a piece is as it was shown."""
    if not labels:
        return []
    seen = [look(each) for each in views]
    parts = [np.concatenate(part) for part in zip(*(each.features for each in seen), strict=True)]
    each_label = [label for label, own in zip(labels, views, strict=True) for _ in own]
    misread: dict[L, set[L]] = {}
    for label, own in zip(labels, seen, strict=True):
        taken_for = sure_of(own.chances[0])
        if taken_for is not None and taken_for != label:
            misread.setdefault(label, set()).add(taken_for)
    layer = Layer(negatives.scaled(parts), each_label, negatives.points)
    return [_Lessons(name, layer, {label: frozenset(each) for label, each in misread.items()})]


def _opinions(lessons: Sequence[_Lessons[L]], negatives: Negatives, seen: Seen) -> list[_Opinion[L]]:
    """Of each box the closest match; nothing where no profile knows such pieces."""
    if not lessons or not len(seen.chances):
        return []
    points: Features = negatives.scaled(seen.features)
    every = [[_Opinion(each, match, len(lessons)) for match in each.layer.match(points)] for each in lessons]
    return [max(own, key=lambda opinion: opinion.match.margin) for own in zip(*every, strict=True)]


# What the networks are sure of, and what becomes of it


def _sure_die(chances: NDArray[np.float64]) -> DieLabel | None:
    face = face_of(chances)
    value, chance = face.ranked[0]
    return (face.kind, value) if (1 - face.other) * chance >= _PLAIN else None


def _sure_end(chances: NDArray[np.float64]) -> int | None:
    value = int(chances[_FIRST:].argmax())
    return value if chances[_FIRST + value] >= _PLAIN else None


def _die(face: Face, opinion: _Opinion[DieLabel], kinds: Collection[DieKind]) -> Face:
    value, chance = face.ranked[0]
    sure_of = (face.kind, value) if (1 - face.other) * chance >= _PLAIN else None
    if opinion.label == sure_of or not opinion.holds(sure_of):
        return face
    kind, shown = opinion.label
    for known, sides in _SIDES.items():
        if known == kind and kind in kinds:
            rest = (1 - opinion.chance) / (sides - 1)
            values = tuple(opinion.chance if value == shown else rest for value in range(1, sides + 1))
            return Face(1 - _MOST, values, known, opinion.lessons.profile)
    return Face(_MOST, face.values, face.kind, opinion.lessons.profile)


@dataclass(frozen=True)
class _End:
    """The chances of an end, and the profile that says so."""

    chances: NDArray[np.float64]
    profile: str = ""


def _end(chances: NDArray[np.float64], opinion: _Opinion[int]) -> _End:
    sure_of = _sure_end(chances)
    if opinion.label == sure_of or not opinion.holds(sure_of):
        return _End(chances)
    said = np.zeros_like(chances)
    said[_FIRST:] = (1 - opinion.chance) * _MOST / (len(said) - _FIRST - 1)
    said[_FIRST + opinion.label] = opinion.chance * _MOST
    said[_OTHER] = 1 - _MOST
    return _End(said, opinion.lessons.profile)


def _tile(face: TileFace, first: _End, second: _End) -> TileFace:
    profile = first.profile or second.profile
    return face_of_ends(first.chances, second.chances, profile) if profile else face
