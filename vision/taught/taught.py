"""Combines profiles with the networks' readings of dice and tiles: a profile adds to them, and rarely overrules a sure one.

A profile counts where the network is in doubt or sees none of its own classes, and the piece is close to a taught one. Where the
network is sure, it counts only if people corrected this very misreading: on one photo it raises a doubt, on two it overrules the
network. The exception is a set of symbols of which the network was sure only of wrong values.
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
"""The probability from which a network is sure of a value."""
_CLOSE = 0.3
"""The margin (`Match`) from which a profile counts where the network is in doubt."""
_TOLD, _TOLD_END = 0.55, 0.3
"""The gap (`Match`) from which a sure network is overruled or doubted where people corrected it: for a die, for a tile's end."""
_DOUBTED_END = 0.15
"""The gap from which such an end is doubted on a table that is evidently of the profile's set."""
_AMONG = 0.09
"""Added to `_CLOSE` for each doubling of the number of loaded profiles: the closest of many is close to anything."""
_SEEN, _CLOSE_SEEN, _AMONG_SEEN = 0.3, 0.15, 0.13
"""The detection score from which something is probably a die, and the values for it instead of `_CLOSE` and `_AMONG`: from
fourteen profiles on, they make no difference."""
_BESIDE = 0.05
"""The same margin for a die beside others that a profile has read on the same photo."""
_BETTER, _BETTER_END = 0.35, 0.15
"""The gap from which a value is overruled that the network reads without being sure: for a die, for a tile's end."""
_GUESSED, _GUESS = 0.3, 0.4
"""How far below "none of these" a die beside such others may score and still count as its most similar side; and the probability
that side gets, which raises a doubt."""
_NEXT = 0.9
"""The greatest probability of the second value, over that of the first."""
_MAYBE = 0.34
"""The probability of a die that such a thing gets if it looks like no side: enough for a doubt, not enough to count."""
_MAYBE_FAR = 0.6
"""How far below "none of these" it may score."""
_NOTICED = 0.85
"""The greatest probability of a value that overrules a sure network, or may be a side that was not taught: it raises a doubt."""
_KNOWN_SIDE = 0.6
"""The margin from which a side of a set of symbols is a taught one, even though not all sides were taught."""
_SYMBOLS = 2
"""So many values that the networks cannot read make a set one of symbols: nothing reads a side of it that was not taught."""
_UNREADABLE = 1 / 3
"""The share of taught pieces that the network must read as labelled for its sure readings of symbols to count."""
_LIKE_SET, _SHARE = 0.0, 0.25
"""The least margin of both ends of a tile that may be of a profile's set, and the share of such tiles on a table of that set."""
_STEEP, _HALF = 9.0, 0.1
"""Slope and midpoint of the logistic function from the gap to a probability."""
_MOST = 0.999
_AGREE = 2
"""Photos with the same correction that it takes to overrule a sure network; on one, its value is doubted."""
_OTHER, _FIRST = 0, 2
"""Indices in the classes of the network for ends: no end, and 0 pips."""
DieLabel = tuple[TaughtKind, int]
"""Kind and value; "other" and 0 if it is no die."""
_NO_DIE: DieLabel = ("other", 0)
L = TypeVar("L", bound=Hashable)


@dataclass(frozen=True)
class _Lessons(Generic[L]):
    """What one profile learned about one shape.

    Attributes:
        profile: the profile's name.
        layer: the fitted classifier.
        misread: by label: the labels that the network surely and wrongly read on taught pieces, each with the number of photos.
        symbols: whether it is a set of symbols, which the network can hardly read.
        unshown: of a set of symbols, the sides that were not taught.
        read: the labels that the network read surely, and always rightly, on the taught pieces.
        to_learn: the labels that the network did not read rightly on every taught piece.
        unreadable: whether it is a set of symbols of which the network read hardly any as labelled.
    """

    profile: str
    layer: Layer[L]
    misread: Mapping[L, Mapping[L, int]]
    symbols: bool
    unshown: tuple[L, ...]
    read: frozenset[L]
    to_learn: frozenset[L]
    unreadable: bool

    @property
    def only_wrong(self) -> bool:
        """Whether the network was sure only of wrong values on such a set."""
        return self.unreadable and bool(self.misread) and not self.read


@dataclass(frozen=True)
class _Opinion(Generic[L]):
    """The closest match among all profiles."""

    lessons: _Lessons[L]
    match: Match[L]
    among: int
    """The number of profiles that were compared."""

    @property
    def label(self) -> L:
        """The label of the match."""
        return self.match.label

    def holds(self, network: _Network[L], *, close: float, better: float, told: float = _TOLD) -> bool:
        """Whether the profile prevails over the network.

        Args:
            network: the network's answer.
            close: the margin that it takes where the network is not sure.
            better: the gap that it takes against a value that the network reads without being sure.
            told: the gap that it takes against a sure value that people corrected on two photos.
        """
        if self.label == network.label and network.sure:
            return False
        if network.sure:
            shown_twice = self.match.gap >= told and self._photos(network) >= _AGREE
            return shown_twice or (self.lessons.only_wrong and self.match.margin >= self.close)
        if network.label in (None, self.label) or self.lessons.symbols:
            return self.match.margin >= close
        # A side of which the network read every taught piece rightly needs no profile: the network is not overruled.
        return self.match.margin >= close and self.label in self.lessons.to_learn and self.match.gap >= better

    def vouches(self, network: _Network[L], close: float) -> bool:
        """Whether the profile confirms a sure network: the piece is like the taught ones; for unreadable symbols, like those
        of this value.
        """
        known = network.label == self.label or not self.lessons.unreadable
        return network.sure and known and self.match.margin >= min(close, self.close_seen)

    def opposed(self, network: _Network[L]) -> bool:
        """Whether the network is sure of another label, and people have not corrected it on two photos."""
        return network.sure and network.label != self.label and self._photos(network) < _AGREE

    def sees_more(self, network: _Network[L]) -> bool:
        """Whether the profile prevails beside other pieces of an unreadable set, however sure the network is."""
        known = network.sure and network.label in self.lessons.read
        return self.lessons.unreadable and not known and self.match.margin >= _BESIDE

    def doubts(self, network: _Network[L], told: float = _TOLD) -> bool:
        """Whether a sure network is doubted: people corrected this very misreading, or the piece is close to a side that the
        network does not always read rightly.
        """
        if not network.sure or network.label == self.label:
            return False
        learned = self.label in self.lessons.to_learn and self.match.gap >= self.close
        return learned or (self.match.gap >= told and self._photos(network) > 0)

    def chance(self, network: _Network[L]) -> float:
        """The probability that the profile is right."""
        chance = min(_MOST, 1 / (1 + math.exp(-_STEEP * (self.match.gap - _HALF))))
        other_side = bool(self.lessons.unshown) and self.match.margin < _KNOWN_SIDE
        return min(chance, _NOTICED) if network.sure or other_side else chance

    @property
    def close(self) -> float:
        """The margin from which the profile counts where the network is in doubt."""
        return _CLOSE + _AMONG * math.log2(self.among)

    @property
    def close_seen(self) -> float:
        """The same margin for a piece that the detector sees."""
        return min(self.close, _CLOSE_SEEN + _AMONG_SEEN * math.log2(self.among))

    @property
    def second(self) -> L | None:
        """The alternative label: the only side that was not taught, or if all were, the next most similar one."""
        left = self.lessons.unshown
        return left[0] if len(left) == 1 else None if left else self.match.second

    def _photos(self, network: _Network[L]) -> int:
        """The number of photos on which people corrected the network's label to this one."""
        return self.lessons.misread.get(self.label, {}).get(network.label, 0) if network.label is not None else 0


@dataclass(frozen=True)
class _Network(Generic[L]):
    """The network's answer: its label, None where it sees none of its classes, and whether it is sure."""

    label: L | None
    sure: bool


class Taught:
    """Profiles, fitted to the networks of a reader."""

    def __init__(
        self,
        profiles: Sequence[Profile],
        dice: DiceReader,
        tiles: TileReader,
        negatives: Mapping[Shape, Negatives],
    ) -> None:
        """Compute the features of every piece in several views, and fit a layer for each profile: milliseconds per piece.

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
        """The faces of dice, changed where a profile prevails or raises a doubt. `scores`: their detection scores."""
        opinions = _opinions(self._dice, self._negatives["die"], seen)
        if not opinions:
            return [*faces]
        networks = [_of_face(face) for face in faces]
        close = [_close(*each) for each in zip(opinions, networks, scores, strict=True)]
        # The lowest score is also the one for pieces that the witness did not see (`vision.witness`).
        weak = [score <= MIN_SCORE for score in scores]
        read = [_die(*each, kinds) for each in zip(faces, opinions, close, weak, strict=True)]
        # One die of a set is seldom alone: another thing beside it may be a die on a side that was not taught.
        active = {face.profile for face in read if face.profile}
        asked = zip(read, opinions, weak, strict=True)
        beside = [_beside(*each, kinds) if each[1].lessons.profile in active else each[0] for each in asked]
        # Beside a set of symbols it need not even look like a taught side, for not all may have been taught.
        symbols = next((each.profile for each in self._dice if each.unreadable and each.profile in active), "")
        return [
            _stranger(*each, symbols) if symbols else each[0] for each in zip(beside, opinions, scores, strict=True)
        ]

    def tiles(self, faces: Sequence[TileFace], seen: Seen) -> list[TileFace]:
        """The faces of tiles, changed where a profile prevails or raises a doubt. `seen`: two rows per tile, first end first."""
        opinions = _opinions(self._ends, self._negatives["tile"], seen)
        if not opinions:
            return [*faces]
        of_set, unreadable = _of_set(seen.chances, opinions)
        asked = zip(seen.chances, opinions, of_set, strict=True)
        ends = [_end(*each) if each[2] or not unreadable else _end_beside(*each[:2], unreadable) for each in asked]
        pairs = zip(ends[::2], ends[1::2], strict=True)
        return [_tile(face, *pair) for face, pair in zip(faces, pairs, strict=True)]

    def contradicted(self) -> list[str]:
        """The labels that contradict a sure network, as messages: a slip, or something the network cannot read."""
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
    """What one profile teaches about one shape; empty if it has no such piece.

    `seen`: the output for all views of each piece, the unaltered one first. `sides`: all labels there are. `unsure_counts`:
    whether a photo with an unsure misreading counts, if there is one with the same misreading, but sure.
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
    # A sure misreading on one photo and an unsure one on another count as two.
    counting = guessed if unsure_counts else misread
    counted = {label: {taken: len(counting[label][taken]) for taken in each} for label, each in misread.items()}
    # A side is not a symbol if the network surely read one piece of it, even if it was not sure of another.
    symbols = len(strange - read - {_NO_DIE}) >= _SYMBOLS
    unshown = tuple(side for side in sides if symbols and side not in labels)
    read -= {taken for each in misread.values() for taken in each}
    unreadable = symbols and named < _UNREADABLE * len(labels)
    return [_Lessons(name, layer, counted, symbols, unshown, frozenset(read), frozenset(to_learn), unreadable)]


def _contradictions(lessons: _Lessons[L], written: Callable[[L, L], str]) -> list[str]:
    """The contradictions as messages; `written`: formats a label, given the one that it contradicts."""
    return [
        f"{lessons.profile}: what the network is sure shows {written(taken, label)} was said to show {written(label, taken)}."
        for label, each in lessons.misread.items()
        for taken in each
    ]


def _die_shows(label: DieLabel, other: DieLabel) -> str:
    """A label in words, with its kind where the two labels differ in kind: a 3 of a six-sided or of a twelve-sided die."""
    kind, value = label
    if kind == "other":
        return "no piece"
    return f"{value} (a {NAMES[kind]})" if other[0] not in (kind, "other") else f"{value}"


def _opinions(lessons: Sequence[_Lessons[L]], negatives: Negatives, seen: Seen) -> list[_Opinion[L]]:
    """The closest match for each box; empty if no profile has such pieces."""
    if not lessons or not len(seen.chances):
        return []
    points: Features = negatives.scaled(seen.features)
    every = [[_Opinion(each, match, len(lessons)) for match in each.layer.match(points)] for each in lessons]
    return [max(own, key=lambda opinion: opinion.match.margin) for own in zip(*every, strict=True)]


# The networks' answers, and how profiles change them


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
    """The margin from which a profile counts for a die with this detection score."""
    plain = score >= _SEEN and network.label in (None, opinion.label)
    return opinion.close_seen if plain else opinion.close


def _die(face: Face, opinion: _Opinion[DieLabel], close: float, weak: bool, kinds: Collection[DieKind]) -> Face:
    """The face of a die after its profile; `weak`: the detector hardly sees it."""
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
    """The face with a profile's label and its probability; rejected if its kind is not in `kinds`."""
    kind, shown = opinion.label
    for known, sides in SIDES.items():
        if known == kind and kind in kinds:
            values = _likely(sides, shown, chance, _value(opinion.second, kind))
            return replace(face, other=1 - _MOST, values=values, kind=known, profile=opinion.lessons.profile)
    return replace(face, other=_MOST, profile=opinion.lessons.profile)


def _value(label: DieLabel | None, kind: str) -> int:
    """The value of a die of that kind; 0 for any other label."""
    return label[1] if label is not None and label[0] == kind else 0


def _likely(sides: int, shown: int, chance: float, second: int) -> tuple[float, ...]:
    """The probabilities of all values: `chance` for `shown`, some for the alternative `second` (0: none), the rest shared."""
    may_be = min((1 - chance) / 2, _NEXT * chance) if second else 0.0
    others = (1 - chance - may_be) / (sides - (2 if second else 1))
    known = {shown: chance} | ({second: may_be} if second else {})
    return tuple(known.get(value, others) for value in range(1, sides + 1))


def _doubted(values: Sequence[float], shown: int) -> tuple[float, ...]:
    """The probabilities of values with some moved to `shown`, which raises a doubt about the likeliest."""
    return tuple(_NOTICED * chance + (1 - _NOTICED) * (value == shown) for value, chance in enumerate(values, 1))


def _beside(face: Face, opinion: _Opinion[DieLabel], weak: bool, kinds: Collection[DieKind]) -> Face:
    """The face of a thing beside dice of the same profile: recognised at a lower margin; or guessed with a doubt if the network
    sees no die of its own and the detector sees it well.
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
    """The face of a detection beside dice of a set of symbols that the network takes for another die: it raises a doubt."""
    plain = face.profile or _of_face(face).label is not None or opinion.label[1] == 0
    if plain or not some_die(score, face):
        return face
    return replace(face, other=min(face.other, 1 - _MAYBE), profile=profile)


@dataclass(frozen=True)
class _End:
    """The probabilities of an end's classes, and the profile that changed them."""

    chances: NDArray[np.float64]
    profile: str = ""


def _end(chances: NDArray[np.float64], opinion: _Opinion[int], of_set: bool) -> _End:
    """An end after its profile; `of_set`: whether its tile is evidently of the profile's set, or else a sure network prevails."""
    network = _of_end(chances)
    if network.sure and not of_set:
        return _doubted_end(chances, opinion) if opinion.doubts(network, _TOLD_END) else _End(chances)
    counts = opinion.holds(network, close=opinion.close, better=_BETTER_END, told=_TOLD_END)
    if not counts and not (of_set and opinion.sees_more(network)):
        return _doubted_end(chances, opinion) if opinion.doubts(network, _DOUBTED_END) else _End(chances)
    chance = opinion.chance(network)
    said = np.zeros_like(chances)
    if network.sure and network.label not in (None, opinion.label) and not opinion.lessons.unreadable:
        # The rest goes to the network's value: spread over all values, it would be lost on those that no tile of the set has, and
        # with it the doubt. (For unreadable symbols the network's value means nothing.)
        said[_FIRST + network.label] = (1 - chance) * _MOST
    else:
        said[_FIRST:] = (1 - chance) * _MOST / (len(said) - _FIRST - 1)
    said[_FIRST + opinion.label] = chance * _MOST
    said[_OTHER] = 1 - _MOST
    return _End(said, opinion.lessons.profile)


def _of_set(chances: NDArray[np.float64], opinions: Sequence[_Opinion[int]]) -> tuple[list[bool], list[_Lessons[int]]]:
    """For each end, whether its tile matches a profile on both ends and lies on a table of that set; and the unreadable
    sets found.

    It is such a table if a share of its tiles match, and at least one of them is close on both ends and the network does not
    oppose both.
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
        each for each in lessons.values() if each.unreadable
    ]


def _end_beside(chances: NDArray[np.float64], opinion: _Opinion[int], unreadable: Sequence[_Lessons[int]]) -> _End:
    """An end of another tile beside those of a set of symbols: a sure reading of the network is doubted."""
    end, network = _end(chances, opinion, of_set=False), _of_end(chances)
    if end.profile or not network.sure or any(network.label in lessons.read for lessons in unreadable):
        return end
    return replace(_doubted_end(chances, opinion), profile=unreadable[0].profile)


def _doubted_end(chances: NDArray[np.float64], opinion: _Opinion[int]) -> _End:
    """A sure reading of the network with some probability moved to the profile's label, which raises a doubt."""
    doubted = _NOTICED * chances
    doubted[_FIRST + opinion.label] += 1 - _NOTICED
    return _End(doubted, opinion.lessons.profile)


def _tile(face: TileFace, first: _End, second: _End) -> TileFace:
    profile = first.profile or second.profile
    return face_of_ends(first.chances, second.chances, profile) if profile else face
