"""What a die is and what it shows: one small network on a crop of each die, cut from the most pixels there are (ONNX Runtime).

It names kind and value together: nothing, another die (d4, d8, d10, d20, a cube without pips), pips 1 to 6, or a twelve-sided
die's 1 to 12. Logits are averaged over the views of a crop and calibrated with a temperature (Guo et al., "On Calibration of
Modern Neural Networks", ICML 2017) that the manifest carries.

Where it is in doubt, another network of the same classes is asked, too (`second`). What is a die without pips is looked at by
two that know numerals alone (`numerals`): they take more training than pips, and the first network reads fewer of them right
(models/CARD.md). The first and one of those have a say in whether it is a twelve-sided die: the real photos of numerals that the
first learned from are all of other dice, so it tends to take real numerals for those; the other has only seen drawn ones, of
all dice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models import Manifest, ModelFile
from vision.classify.crop_network import CropNetwork, Seen, View, crop
from vision.classify.features import LAYERS
from vision.classify.low_view import LowView
from vision.classify.marks import MarkReader
from vision.classify.numerals import NumeralReader, named
from vision.classify.second import SecondOpinion
from vision.detect.boxes import Detection
from vision.photo import Pixels
from vision.reading import DieKind

SIDE = 112
"""Pixels of the square crop that the network looks at."""
MARGIN = 1.4
"""Side of the crop over the longer side of the die's box: what lies around a die tells where it ends."""
DIE_KINDS: tuple[DieKind, ...] = ("d6", "d12")
ONLY_D6: tuple[DieKind, ...] = ("d6",)
ONLY_D12: tuple[DieKind, ...] = ("d12",)
CLASSES = ("nothing", "other", *(f"pip {n}" for n in range(1, 7)), *(f"d12 {n}" for n in range(1, 13)))
"""What the network tells apart, in the order of its answers."""
_NOTHING, _OTHER, _D12, _DICE = 0, 1, slice(8, 20), slice(2, 20)
WITHOUT_PIPS = (1, *range(8, 20))
"""Which of these it is, the networks of numerals decide with the first, not the second opinion."""
_VALUES: dict[DieKind, slice] = {"d6": slice(2, 8), "d12": _D12}
VIEWS: tuple[View, ...] = ((1.0, 0.0), (1.08, 5.0))
PLAIN = 0.95
"""The chance of a class from which the first view is enough: the others, and the second network, would say the same."""
_PERHAPS = 0.2
"""The least chance of a die for a second opinion: below it the first network errs less by itself (docs/decisions/0042),"""
_HARDLY, _RATHER = 0.005, 0.5
"""unless it lies flush against another find: such dice look to the first network like the ends of a tile, which it learned as no
dice (docs/decisions/0049). What it takes for none, it has less say in there."""
SECOND_VIEWS: tuple[View, ...] = ((1.0, 0.0), (1.08, 5.0), (0.93, -5.0))
"""Of the second opinion, each also in a mirror; not turned further, which would show a side face where the top is expected
(docs/decisions/0046)."""
_MAYBE = 0.1
"""From this chance that it is a die without pips, it is worth a second network."""
PHOTOGRAPHED = 20.0
"""How many times likelier a die without pips is twelve-sided than both networks say, to one of which a photographed numeral is
another die's (docs/decisions/0047)."""
_CAUTION = 8.0
"""For deciding whether somebody is asked to look, that factor is so many times smaller: a d10 must not pass for a d12 unseen."""
_PLAYED = 5.0
"""A further factor where a game is played with twelve-sided dice: of six dice without pips on such a table, five are thrown."""


@dataclass(frozen=True, slots=True)
class Face:
    """The answer for one crop, for a die of one kind: `other`, the chance that it is no such die, and if it is, of each value."""

    other: float
    values: tuple[float, ...]
    kind: DieKind = "d6"
    profile: str = ""
    """The profile that says so; empty: the network itself."""
    low: float = 0.0
    """The chance that the die is seen from so low that its front may pass for its top."""
    unsure: float = 0.0
    """The chance that it is no such die that decides whether a person is asked to look, where it is more than `other`."""
    nothing: float = 1.0
    """The chance that it is no die of any kind; 1 where no network was asked."""

    @property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """Values with their chances, likeliest first."""
        return tuple(sorted(enumerate(self.values, 1), key=lambda pair: (-pair[1], pair[0])))


class DiceReader:
    """Reads dice of all kinds."""

    def __init__(self, manifest: Manifest, marks: MarkReader) -> None:
        """Read with the network of all dice, with a second one where that is not sure, with those of the numerals of
        twelve-sided ones where there may be any, and, for profiles, with the one that tells marks apart.

        Raises:
            models.ModelError: a file is missing or damaged.
        """
        model = manifest["dice"]
        self._dice, self._low, self._marks = dice_network(model), LowView.load(model), marks
        self._second = SecondOpinion(manifest["second"], MARGIN, SECOND_VIEWS)
        self._numerals = NumeralReader(manifest)

    def open(self) -> None:
        """Open the network of all dice now."""
        self._dice.open()

    def read(
        self,
        crops: Sequence[tuple[Pixels, Detection]],
        kinds: Collection[DieKind] = DIE_KINDS,
        *,
        second: bool = True,
        twelves: bool = False,
        flush: Sequence[bool] = (),
    ) -> list[Face]:
        """The likeliest face in each box, of a die of one of `kinds`; every box comes with the picture that it lies in.

        Args:
            crops: a picture and a box in it, each.
            kinds: those that count.
            second: whether a second network is asked where the first is in doubt.
            twelves: whether it is known that twelve-sided dice are played with.
            flush: which boxes lie flush against others; empty: none.
        """
        return self.read_with_features(crops, kinds, marks=False, second=second, twelves=twelves, flush=flush)[0]

    def read_with_features(
        self,
        crops: Sequence[tuple[Pixels, Detection]],
        kinds: Collection[DieKind] = DIE_KINDS,
        *,
        marks: bool = True,
        second: bool = True,
        twelves: bool = False,
        flush: Sequence[bool] = (),
    ) -> tuple[list[Face], Seen]:
        """The same, and the features of each box; without `marks` only those that cost nothing."""
        seen = self._dice.seen_until_plain(crops, PLAIN)
        if not crops:
            return [], seen
        chances = self._with_second(crops, seen.chances, flush) if second else seen.chances
        faces, low = self._faces(crops, chances, kinds, twelves=twelves), self._low.chances(seen.features[0])
        if marks:  # profiles learn from the features of all views
            seen = replace(seen, features=self._dice.seen(crops).features)
            seen = self._with_marks(seen, [crop(*cut, VIEWS[0], SIDE, MARGIN) for cut in self._dice.cut_smaller(crops)])
        return [replace(face, low=float(chance)) for face, chance in zip(faces, low, strict=True)], seen

    def _with_second(
        self, crops: Sequence[tuple[Pixels, Detection]], chances: NDArray[np.float64], flush: Sequence[bool]
    ) -> NDArray[np.float64]:
        asked = in_doubt(chances, flush)
        dismissed = np.asarray(flush, bool) & (_any_die(chances) < _RATHER) if len(flush) else ()
        return self._second.added(crops, chances, asked, WITHOUT_PIPS, dismissed)

    def features(self, views: Sequence[Pixels]) -> Seen:
        """What the networks see in crops that are cut already (`SIDE` x `SIDE` x 3)."""
        return self._with_marks(self._dice.look(views, 1), views)

    def _with_marks(self, seen: Seen, views: Sequence[Pixels]) -> Seen:
        return replace(seen, features=(*seen.features, self._marks.embeddings(views, MARGIN)))

    def _faces(
        self,
        crops: Sequence[tuple[Pixels, Detection]],
        chances: NDArray[np.float64],
        kinds: Collection[DieKind],
        *,
        twelves: bool,
    ) -> list[Face]:
        if "d12" in kinds:
            plain = np.flatnonzero(chances[:, _OTHER] + chances[:, _D12].sum(1) >= _MAYBE)
            numerals = self._numerals.chances([crops[i] for i in plain.tolist()])
            chances = chances.copy()
            likelier = PHOTOGRAPHED * _PLAYED if twelves else PHOTOGRAPHED
            cautious = chances.copy()
            cautious[plain] = with_numerals(chances[plain], numerals, self._numerals.others, likelier / _CAUTION)
            chances[plain] = with_numerals(chances[plain], numerals, self._numerals.others, likelier)
            unsure = 1 - cautious[:, _D12].sum(1)
            return [_less_sure(face_of(row, kinds), float(each)) for row, each in zip(chances, unsure, strict=True)]
        return [face_of(row, kinds) for row in chances]


def in_doubt(chances: NDArray[np.float64], flush: Sequence[bool] = ()) -> NDArray[np.bool_]:
    """Which rows of chances of `CLASSES` (n x classes) are worth a second opinion; `flush`: which lie flush against others.

    Of those it is asked unless the first network is sure of a die: that it is none says little there.
    """
    beside = np.asarray(flush, bool) if len(flush) else np.zeros(len(chances), bool)
    plain = np.where(beside, chances[:, _DICE].max(1, initial=0), chances.max(1, initial=0)) >= PLAIN
    return np.asarray(~plain & (_any_die(chances) >= np.where(beside, _HARDLY, _PERHAPS)))


def _any_die(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(chances[:, _DICE].sum(1))


def dice_network(model: ModelFile) -> CropNetwork:
    """The network of all dice alone, without that of numerals.

    Raises:
        models.ModelError: its file is missing or damaged.
    """
    return CropNetwork(model, SIDE, MARGIN, VIEWS, LAYERS["die"])


def face_of(chances: NDArray[np.float64], kinds: Collection[DieKind] = DIE_KINDS) -> Face:
    """What the chances of `CLASSES` say of a die of the likeliest of some kinds; dice of the other kinds are none of these."""
    kind = max((kind for kind in DIE_KINDS if kind in kinds), key=lambda kind: float(chances[_VALUES[kind]].sum()))
    values = chances[_VALUES[kind]]
    share = float(values.sum())
    return Face(1 - share, tuple(float(p) / max(share, 1e-12) for p in values), kind, nothing=float(chances[_NOTHING]))


def _less_sure(face: Face, unsure: float) -> Face:
    """A face of a twelve-sided die that is doubted as much as this."""
    return replace(face, unsure=unsure) if face.kind == "d12" else face


def with_numerals(
    chances: NDArray[np.float64], numerals: NDArray[np.float64], others: float, likelier: float = PHOTOGRAPHED
) -> NDArray[np.float64]:
    """The chances of `CLASSES` (n x classes) once those of numerals have looked, too (n x 13: no twelve-sided die, 1 to 12).

    What they saw counts as evidence of its own, whether this is a twelve-sided die or another: see `odds_of_twelve`; it is so
    many times `likelier` twelve-sided. Of the value they alone decide. That it is a die with pips, or nothing, stays as likely
    as it was.
    """
    before = chances[:, _OTHER] + chances[:, _D12].sum(1)
    odds = likelier * odds_of_twelve(chances, numerals, others)
    share = odds / (1 + odds)
    after = chances.copy()
    after[:, _OTHER] = before * (1 - share)
    after[:, _D12] = (before * share)[:, None] * named(numerals)
    return after


def odds_of_twelve(chances: NDArray[np.float64], numerals: NDArray[np.float64], others: float) -> NDArray[np.float64]:
    """The odds of each box (n) that its die, if it has no pips, is twelve-sided and no other, as the networks see it.

    Those of the first (`chances`, n x classes) times how much likelier those of numerals (n x 13) find it than before they
    had looked, when `others` of the crops that they learned from were other dice.
    """
    other = chances[:, _OTHER] * numerals[:, 0] / others
    twelve = chances[:, _D12].sum(1) * numerals[:, 1:].sum(1) / (1 - others)
    return np.asarray(twelve / np.maximum(1e-12, other))
