"""What profiles say of dice and tiles that the networks have read: they add to it, and never overrule what is plain.

A profile speaks where the network is in doubt or sees none of its own, and the piece is close to one that was shown. Where the
network is sure, it speaks only of what it was shown to misread in just this way: shown once it doubts, on two photos it says so;
or of a set of symbols of which the network was only ever sure of what was wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.classify.crop_network import Seen
from vision.classify.dice import DiceReader, Face, face_of
from vision.classify.features import Features
from vision.classify.tiles import TileFace, TileReader, face_of_ends
from vision.detect.boxes import NAMES, Shape
from vision.detect.detector import MIN_SCORE
from vision.reading import DieKind
from vision.taught.end_order import ends_in_order
from vision.taught.layer import Layer, Match
from vision.taught.negatives import Negatives
from vision.taught.pieces import ENDS, SIDES, TaughtKind
from vision.taught.profile import Profile
from vision.taught.search import Templates
from vision.taught.views import die_views, end_views
from vision.unread_dice import some_die

_PLAIN = 0.9
"""How sure a network is of what it does not leave to profiles."""
_CLOSE = 0.3
"""The margin from which a profile speaks where the network is in doubt."""
_TOLD, _TOLD_END = 0.55, 0.3
"""The gap that it takes to overrule what the network is sure of, or to doubt it, where people said that this is wrong: of a die,
of a tile's end."""
_DOUBTED_END = 0.15
"""The gap from which such an end is doubted on a table that is evidently of the profile's set."""
_AMONG = 0.09
"""What is added to that each time that twice as many profiles are loaded: the closest of many is close to anything."""
_SEEN, _CLOSE_SEEN, _AMONG_SEEN = 0.3, 0.15, 0.13
"""The detector's score from which something is rather a die than not, and both of these for it: of fourteen profiles none is
believed sooner for that."""
_BESIDE = 0.05
"""The same for a die beside others that a profile has read on the same photo."""
_BETTER, _BETTER_END = 0.35, 0.15
"""The gap that it takes to overrule a value which the network reads without being sure of it: of a die, of a tile's end."""
_GUESSED, _GUESS = 0.3, 0.4
"""How far below "none of these" a die beside them may lie and count as the side it looks most like, and its chance: a doubt."""
_NEXT = 0.9
"""The chance at most of what it may be instead, over that of what it counts as."""
_MAYBE = 0.34
"""The chance to be a die of what lies beside them and looks like no side: enough to doubt, not to count."""
_MAYBE_FAR = 0.6
"""How far below "none of these" it may lie."""
_NOTICED = 0.85
"""The chance at most of what overrules a sure network, or may be a side that was not shown: somebody is asked to look."""
_KNOWN_SIDE = 0.6
"""The margin from which a side of a set of symbols is the one that was shown, though not all sides were."""
_SYMBOLS = 2
"""So many values that the networks do not read make a set one of symbols: of it a side that was not shown is read by nobody."""
_FOREIGN = 1 / 3
"""The share of what was shown that the network has to name as people did, to have a say where it is sure of a symbol."""
_LIKE_SET, _SHARE = 0.0, 0.25
"""The margin of both ends of a tile that is like those of a profile, and the share of such tiles on a table of that set."""
_STEEP, _HALF = 9.0, 0.1
"""How the gap to the next label becomes a chance: a logistic."""
_MOST = 0.999
_AGREE = 2
"""Photos on which people have to say the same before a sure network is overruled; on one, what it says is doubted."""
_OTHER, _FIRST = 0, 2
"""Places in the classes of the network of ends: no end, and 0 pips."""
DieLabel = tuple[TaughtKind, int]
"""Kind and value; "other" and 0 for what is no die."""
_NO_DIE: DieLabel = ("other", 0)
L = TypeVar("L", bound=Hashable)


@dataclass(frozen=True)
class _Lessons(Generic[L]):
    """What one profile learned of one shape.

    Attributes:
        profile: its name.
        layer: what it learned.
        misread: by label: what the network took pieces for that were shown, where it was sure of that, and wrong; and on how many
            photos.
        symbols: whether it is a set of symbols, of which the network says next to nothing.
        unshown: of a set of symbols, the sides that were not shown.
        read: the labels that the network was sure of, and always right, among what was shown.
        to_learn: the labels of pieces of which the network did not name every one as people did: what was to be learned.
        foreign: whether it is a set of symbols of which the network named hardly any as people did.
    """

    profile: str
    layer: Layer[L]
    misread: Mapping[L, Mapping[L, int]]
    symbols: bool
    unshown: tuple[L, ...]
    read: frozenset[L]
    to_learn: frozenset[L]
    foreign: bool

    @property
    def misleading(self) -> bool:
        """Whether of such a set the network was sure of what was wrong, and never of what was right."""
        return self.foreign and bool(self.misread) and not self.read


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

    def holds(self, network: _Network[L], *, close: float, better: float, told: float = _TOLD) -> bool:
        """Whether it counts against what the network says.

        Args:
            network: what it says.
            close: the margin that it takes where the network is not sure.
            better: the gap that it takes against a value which the network reads without being sure.
            told: the gap that it takes against one that it is sure of, where people said on two photos that it is wrong.
        """
        if self.label == network.label and network.sure:
            return False
        if network.sure:
            shown_twice = self.match.gap >= told and self._photos(network) >= _AGREE
            return shown_twice or (self.lessons.misleading and self.match.margin >= self.close)
        if network.label in (None, self.label) or self.lessons.symbols:
            return self.match.margin >= close
        # Where the network named all that was shown of a side, there was nothing to learn of it: it is not overruled.
        return self.match.margin >= close and self.label in self.lessons.to_learn and self.match.gap >= better

    def vouches(self, network: _Network[L], close: float) -> bool:
        """Whether the network is sure of a value, and the piece is like those that were shown; like those of that value, if they
        are symbols.
        """
        known = network.label == self.label or not self.lessons.foreign
        return network.sure and known and self.match.margin >= min(close, self.close_seen)

    def opposed(self, network: _Network[L]) -> bool:
        """Whether the network is sure of something else, and people did not say on two photos that this is wrong."""
        return network.sure and network.label != self.label and self._photos(network) < _AGREE

    def sees_more(self, network: _Network[L]) -> bool:
        """Whether it counts beside others of a set of which the network says nothing that is right, however sure it is."""
        known = network.sure and network.label in self.lessons.read
        return self.lessons.foreign and not known and self.match.margin >= _BESIDE

    def doubts(self, network: _Network[L], told: float = _TOLD) -> bool:
        """Whether somebody has to look at what the network is sure of: people said that it was wrong in just this way, or
        the piece is close to a side that it did not know.
        """
        if not network.sure or network.label == self.label:
            return False
        learned = self.label in self.lessons.to_learn and self.match.gap >= self.close
        return learned or (self.match.gap >= told and self._photos(network) > 0)

    def chance(self, network: _Network[L]) -> float:
        """That it is right."""
        chance = min(_MOST, 1 / (1 + math.exp(-_STEEP * (self.match.gap - _HALF))))
        other_side = bool(self.lessons.unshown) and self.match.margin < _KNOWN_SIDE
        return min(chance, _NOTICED) if network.sure or other_side else chance

    @property
    def close(self) -> float:
        """The margin from which it speaks where the network is in doubt."""
        return _CLOSE + _AMONG * math.log2(self.among)

    @property
    def close_seen(self) -> float:
        """The same of what the detector sees."""
        return min(self.close, _CLOSE_SEEN + _AMONG_SEEN * math.log2(self.among))

    @property
    def second(self) -> L | None:
        """What it is if it is not that: the only side that was not shown; where all were, what it looks like next."""
        left = self.lessons.unshown
        return left[0] if len(left) == 1 else None if left else self.match.second

    def _photos(self, network: _Network[L]) -> int:
        """On how many photos people said that what the network says was this instead."""
        return self.lessons.misread.get(self.label, {}).get(network.label, 0) if network.label is not None else 0


@dataclass(frozen=True)
class _Network(Generic[L]):
    """What the network says: its label, None where it sees none of its own, and whether it is sure of it."""

    label: L | None
    sure: bool


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
        self.templates = Templates.of([piece for profile in profiles for piece in profile.pieces])
        self._dice = [each for profile in profiles for each in self._of_dice(profile, dice)]
        self._ends = [each for profile in profiles for each in self._of_ends(profile, tiles)]

    def dice(
        self, faces: Sequence[Face], scores: Sequence[float], seen: Seen, kinds: Collection[DieKind]
    ) -> list[Face]:
        """The faces of dice; those that a profile knows better, as it says. `scores`: of each, the detector's."""
        opinions = _opinions(self._dice, self._negatives["die"], seen)
        if not opinions:
            return [*faces]
        networks = [_of_face(face) for face in faces]
        close = [_close(*each) for each in zip(opinions, networks, scores, strict=True)]
        # The least score is also what is left where a witness saw nothing (`vision.witness`).
        weak = [score <= MIN_SCORE for score in scores]
        read = [_die(*each, kinds) for each in zip(faces, opinions, close, weak, strict=True)]
        # One die of a set is seldom alone: what lies beside it may be another, on a side that was not shown.
        active = {face.profile for face in read if face.profile}
        asked = zip(read, opinions, weak, strict=True)
        beside = [_beside(*each, kinds) if each[1].lessons.profile in active else each[0] for each in asked]
        # Nor does it have to look like any side of a set of symbols, of which not all may have been shown.
        symbols = next((each.profile for each in self._dice if each.foreign and each.profile in active), "")
        return [
            _stranger(*each, symbols) if symbols else each[0] for each in zip(beside, opinions, scores, strict=True)
        ]

    def tiles(self, faces: Sequence[TileFace], seen: Seen) -> list[TileFace]:
        """The faces of tiles; those that a profile knows better, as it says. `seen`: of both ends of each in turn."""
        opinions = _opinions(self._ends, self._negatives["tile"], seen)
        if not opinions:
            return [*faces]
        of_set, foreign = _of_set(seen.chances, opinions)
        asked = zip(seen.chances, opinions, of_set, strict=True)
        ends = [_end(*each) if each[2] or not foreign else _end_beside(*each[:2], foreign) for each in asked]
        pairs = zip(ends[::2], ends[1::2], strict=True)
        return [_tile(face, *pair) for face, pair in zip(faces, pairs, strict=True)]

    def contradicted(self) -> list[str]:
        """What people said of pieces of which the network is sure of something else: a slip, or what it has to learn."""
        dice = [_contradictions(each, _die_shows) for each in self._dice]
        ends = [_contradictions(each, lambda end, _: str(end)) for each in self._ends]
        return [text for each in (*dice, *ends) for text in each]

    def _of_dice(self, profile: Profile, dice: DiceReader) -> list[_Lessons[DieLabel]]:
        pieces = [piece for piece in profile.pieces if piece.shape == "die"]
        labels = [(piece.kind, sum(piece.shows)) for piece in pieces]
        seen = [dice.features(die_views(piece)) for piece in pieces]
        photos = [piece.photo for piece in pieces]
        kind: DieKind = "d12" if any(kind == "d12" for kind, _ in labels) else "d6"
        sides = [(kind, value) for value in range(1, SIDES[kind] + 1)]
        return _learned(profile.name, labels, photos, seen, _of_die, self._negatives["die"], sides)

    def _of_ends(self, profile: Profile, tiles: TileReader) -> list[_Lessons[int]]:
        pieces = [piece for piece in profile.pieces if piece.shape == "tile"]
        looks = [(tiles.features(first), tiles.features(second)) for first, second in map(end_views, pieces)]
        ends = ends_in_order(pieces, looks, self._negatives["tile"])
        known = [(piece, own, each) for piece, own, each in zip(pieces, looks, ends, strict=True) if each]
        labels = [value for _, _, each in known for value in each]
        seen = [end for _, own, _ in known for end in own]
        photos = [piece.photo for piece, _, each in known for _ in each]
        negatives = self._negatives["tile"]
        return _learned(profile.name, labels, photos, seen, _of_end, negatives, range(ENDS), unsure_counts=True)


def _learned(
    name: str,
    labels: Sequence[L],
    photos: Sequence[str],
    seen: Sequence[Seen],
    network: Callable[[NDArray[np.float64]], _Network[L]],
    negatives: Negatives,
    sides: Sequence[L],
    *,
    unsure_counts: bool = False,
) -> list[_Lessons[L]]:
    """One profile's lessons of one shape; none if it has no piece of it.

    `seen`: of each piece all views, the first as it was shown. `sides`: what there is to show. `unsure_counts`: whether a photo
    counts on which the network misread a piece without being sure, where it was sure on another.
    """
    if not labels:
        return []
    parts = [np.concatenate(part) for part in zip(*(each.features for each in seen), strict=True)]
    each_label = [label for label, own in zip(labels, seen, strict=True) for _ in own.chances]
    misread: dict[L, dict[L, set[str]]] = {}
    guessed: dict[L, dict[L, set[str]]] = {}
    strange: set[L] = set()
    read: set[L] = set()
    to_learn: set[L] = set()
    named = 0
    for label, photo, own in zip(labels, photos, seen, strict=True):
        taken = network(own.chances[0])
        if taken.label not in (None, label):
            for each in (guessed, misread) if taken.sure else (guessed,):
                each.setdefault(label, {}).setdefault(taken.label, set()).add(photo)
        named += taken.label == label
        if taken.label != label:
            to_learn.add(label)
        if taken.sure and taken.label == label:
            read.add(label)
        if not taken.sure:
            strange.add(label)
    layer = Layer(negatives.scaled(parts), each_label, negatives.points)
    # What the network was sure of once, and took another for without being sure, was misread twice.
    counting = guessed if unsure_counts else misread
    counted = {label: {taken: len(counting[label][taken]) for taken in each} for label, each in misread.items()}
    # A side of which it surely read one piece is none of a symbol, though it was not sure of another.
    symbols = len(strange - read - {_NO_DIE}) >= _SYMBOLS
    unshown = tuple(side for side in sides if symbols and side not in labels)
    read -= {taken for each in misread.values() for taken in each}
    foreign = symbols and named < _FOREIGN * len(labels)
    return [_Lessons(name, layer, counted, symbols, unshown, frozenset(read), frozenset(to_learn), foreign)]


def _contradictions(lessons: _Lessons[L], written: Callable[[L, L], str]) -> list[str]:
    """`written`: a label as people are told of it, beside another that it is said to differ from."""
    return [
        f"{lessons.profile}: what the network is sure shows {written(taken, label)} was said to show {written(label, taken)}."
        for label, each in lessons.misread.items()
        for taken in each
    ]


def _die_shows(label: DieLabel, other: DieLabel) -> str:
    """With its kind where that is what both differ in: a 3 is said to be a 3 of a twelve-sided die."""
    kind, value = label
    if kind == "other":
        return "no piece"
    return f"{value} (a {NAMES[kind]})" if other[0] not in (kind, "other") else f"{value}"


def _opinions(lessons: Sequence[_Lessons[L]], negatives: Negatives, seen: Seen) -> list[_Opinion[L]]:
    """Of each box the closest match; nothing where no profile knows such pieces."""
    if not lessons or not len(seen.chances):
        return []
    points: Features = negatives.scaled(seen.features)
    every = [[_Opinion(each, match, len(lessons)) for match in each.layer.match(points)] for each in lessons]
    return [max(own, key=lambda opinion: opinion.match.margin) for own in zip(*every, strict=True)]


# What the networks say, and what becomes of it


def _of_die(chances: NDArray[np.float64]) -> _Network[DieLabel]:
    return _of_face(face_of(chances))


def _of_face(face: Face) -> _Network[DieLabel]:
    value, chance = face.ranked[0]
    label = (face.kind, value) if face.other < 0.5 else None
    return _Network(label, (1 - face.other) * chance >= _PLAIN)


def _of_end(chances: NDArray[np.float64]) -> _Network[int]:
    value = int(chances[_FIRST:].argmax())
    label = value if chances[_FIRST:].sum() >= 0.5 else None
    return _Network(label, bool(chances[_FIRST + value] >= _PLAIN))


def _close(opinion: _Opinion[DieLabel], network: _Network[DieLabel], score: float) -> float:
    """The margin from which a profile speaks of a die that the detector scores so much."""
    plain = score >= _SEEN and network.label in (None, opinion.label)
    return opinion.close_seen if plain else opinion.close


def _die(face: Face, opinion: _Opinion[DieLabel], close: float, weak: bool, kinds: Collection[DieKind]) -> Face:
    """What becomes of a die; `weak`: the detector hardly sees it."""
    network = _of_face(face)
    kind, shown = opinion.label
    if opinion.holds(network, close=close, better=_BETTER):
        return _said(face, opinion, kinds, opinion.chance(network))
    if kind != face.kind:
        return face
    if opinion.doubts(network) and not weak:
        return replace(face, values=_doubted(face.values, shown), profile=opinion.lessons.profile)
    if weak and opinion.vouches(network, close):
        return replace(face, other=1 - _MOST, profile=opinion.lessons.profile)
    return face


def _said(face: Face, opinion: _Opinion[DieLabel], kinds: Collection[DieKind], chance: float) -> Face:
    """The face as a profile says it, with the chance that it is right; no die of a kind that nobody looks for."""
    kind, shown = opinion.label
    for known, sides in SIDES.items():
        if known == kind and kind in kinds:
            values = _likely(sides, shown, chance, _value(opinion.second, kind))
            return replace(face, other=1 - _MOST, values=values, kind=known, profile=opinion.lessons.profile)
    return replace(face, other=_MOST, profile=opinion.lessons.profile)


def _value(label: DieLabel | None, kind: str) -> int:
    """Of a die of that kind; 0 of anything else."""
    return label[1] if label is not None and label[0] == kind else 0


def _likely(sides: int, shown: int, chance: float, second: int) -> tuple[float, ...]:
    """The chances of all values: of what is shown, of what may be instead (0: nothing that is known), and of the others."""
    may_be = min((1 - chance) / 2, _NEXT * chance) if second else 0.0
    others = (1 - chance - may_be) / (sides - (2 if second else 1))
    known = {shown: chance} | ({second: may_be} if second else {})
    return tuple(known.get(value, others) for value in range(1, sides + 1))


def _doubted(values: Sequence[float], shown: int) -> tuple[float, ...]:
    """The chances of values of which the likeliest is doubted, because people once said that it was another."""
    return tuple(_NOTICED * chance + (1 - _NOTICED) * (value == shown) for value, chance in enumerate(values, 1))


def _beside(face: Face, opinion: _Opinion[DieLabel], weak: bool, kinds: Collection[DieKind]) -> Face:
    """What lies beside dice of the same profile: read more readily, or guessed and doubted where the network sees another die,
    unless the detector hardly sees one.
    """
    if face.profile:
        return face
    read = _die(face, opinion, _BESIDE, weak, kinds)
    if (
        read.profile
        or weak
        or _of_face(face).label is not None
        or opinion.label[1] == 0
        or opinion.match.margin < -_MAYBE_FAR
    ):
        return read
    if opinion.match.margin >= -_GUESSED:
        return _said(face, opinion, kinds, _GUESS)
    return replace(face, other=1 - _MAYBE, profile=opinion.lessons.profile)


def _stranger(face: Face, opinion: _Opinion[DieLabel], score: float, profile: str) -> Face:
    """What the detector sees beside dice of a set of symbols, and the network takes for another die: one that nobody knows."""
    plain = face.profile or _of_face(face).label is not None or opinion.label[1] == 0
    if plain or not some_die(score, face):
        return face
    return replace(face, other=min(face.other, 1 - _MAYBE), profile=profile)


@dataclass(frozen=True)
class _End:
    """The chances of an end, and the profile that says so."""

    chances: NDArray[np.float64]
    profile: str = ""


def _end(chances: NDArray[np.float64], opinion: _Opinion[int], of_set: bool) -> _End:
    """`of_set`: whether the tile is evidently one of the profile's set; elsewhere a sure network is doubted at most."""
    network = _of_end(chances)
    if network.sure and not of_set:
        return _doubted_end(chances, opinion) if opinion.doubts(network, _TOLD_END) else _End(chances)
    counts = opinion.holds(network, close=opinion.close, better=_BETTER_END, told=_TOLD_END)
    if not counts and not (of_set and opinion.sees_more(network)):
        return _doubted_end(chances, opinion) if opinion.doubts(network, _DOUBTED_END) else _End(chances)
    chance = opinion.chance(network)
    said = np.zeros_like(chances)
    if network.sure and network.label not in (None, opinion.label) and not opinion.lessons.foreign:
        # Spread over all values, it would be lost on those that no tile of the set has, and with it the doubt. (What the network
        # takes symbols for means nothing.)
        said[_FIRST + network.label] = (1 - chance) * _MOST
    else:
        said[_FIRST:] = (1 - chance) * _MOST / (len(said) - _FIRST - 1)
    said[_FIRST + opinion.label] = chance * _MOST
    said[_OTHER] = 1 - _MOST
    return _End(said, opinion.lessons.profile)


def _of_set(chances: NDArray[np.float64], opinions: Sequence[_Opinion[int]]) -> tuple[list[bool], list[_Lessons[int]]]:
    """Of each end, whether its tile is like those of its profile on both ends, and lies on a table of that set.

    A table is one where a share of the tiles are, and one is close on both ends and the network has nothing against one of them.
    With it the profiles of such sets of which the network says nothing that is right.
    """
    own: dict[str, list[int]] = {}
    agreed: set[str] = set()
    tiles = 0
    for first in range(0, len(opinions), 2):
        both, looks = opinions[first : first + 2], chances[first : first + 2]
        margin = min(each.match.margin for each in both)
        alike = both[0].lessons is both[1].lessons and margin >= _LIKE_SET
        tiles += alike or float(looks[:, _OTHER].mean()) < 0.5
        if alike:
            own.setdefault(both[0].lessons.profile, []).append(first)
            opposed = all(each.opposed(_of_end(look)) for each, look in zip(both, looks, strict=True))
            if margin >= _CLOSE and not opposed:
                agreed.add(both[0].lessons.profile)
    evident = {first for name in agreed if len(own[name]) >= _SHARE * tiles for first in own[name]}
    lessons = {opinions[first].lessons.profile: opinions[first].lessons for first in evident}
    return [end // 2 * 2 in evident for end in range(len(opinions))], [
        each for each in lessons.values() if each.foreign
    ]


def _end_beside(chances: NDArray[np.float64], opinion: _Opinion[int], foreign: Sequence[_Lessons[int]]) -> _End:
    """An end of another tile beside those of a set of symbols: what the network is sure of is doubted."""
    end, network = _end(chances, opinion, of_set=False), _of_end(chances)
    if end.profile or not network.sure or any(network.label in lessons.read for lessons in foreign):
        return end
    return replace(_doubted_end(chances, opinion), profile=foreign[0].profile)


def _doubted_end(chances: NDArray[np.float64], opinion: _Opinion[int]) -> _End:
    """What the network is sure of, doubted for what a profile takes it for."""
    doubted = _NOTICED * chances
    doubted[_FIRST + opinion.label] += 1 - _NOTICED
    return _End(doubted, opinion.lessons.profile)


def _tile(face: TileFace, first: _End, second: _End) -> TileFace:
    profile = first.profile or second.profile
    return face_of_ends(first.chances, second.chances, profile) if profile else face
