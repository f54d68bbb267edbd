"""Classifies dice: a small network on a crop of each die, cut from the picture with the most pixels (ONNX Runtime).

Its classes combine kind and value: nothing, another die (d4, d8, d10, d20, a cube without pips), pips 1 to 6, or a twelve-sided
die's 1 to 12. Logits are averaged over the views of a crop and calibrated with a temperature (Guo et al., "On Calibration of
Modern Neural Networks", ICML 2017) from the manifest.

Where it is in doubt, a second network with the same classes is added (`second`). Dice without pips are read by two networks for
numerals only (`numerals`): numerals take more training than pips, and the first network reads fewer of them right
(models/CARD.md). The first and one of those decide together whether it is a twelve-sided die: the real photos of numerals in the
first one's training data are all of other dice, so it tends to take real numerals for those; the other was trained only on drawn
ones, of all dice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models import Manifest, ModelFile
from vision.classify.crop_network import CropNetwork, Seen, View
from vision.classify.features import LAYERS
from vision.classify.low_view import LowView
from vision.classify.marks import MarkReader
from vision.classify.numerals import NumeralReader, named
from vision.classify.second import SecondOpinion
from vision.detect.boxes import Detection
from vision.photo import Pixels
from vision.reading import DieKind

SIDE = 112
"""Side of the network's square crop, in pixels."""
MARGIN = 1.4
"""Side of the crop over the longer side of the die's box: the surroundings show where the die ends."""
DIE_KINDS: tuple[DieKind, ...] = ("d6", "d12")
ONLY_D6: tuple[DieKind, ...] = ("d6",)
ONLY_D12: tuple[DieKind, ...] = ("d12",)
CLASSES = ("nothing", "other", *(f"pip {n}" for n in range(1, 7)), *(f"d12 {n}" for n in range(1, 13)))
"""The network's classes, in the order of its outputs."""
_NOTHING, _OTHER, _D12, _DICE = 0, 1, slice(8, 20), slice(2, 20)
WITHOUT_PIPS = (1, *range(8, 20))
"""The classes of dice without pips: the numeral networks decide between them with the first one, not the second opinion."""
_VALUES: dict[DieKind, slice] = {"d6": slice(2, 8), "d12": _D12}
VIEWS: tuple[View, ...] = ((1.0, 0.0), (1.08, 5.0))
PLAIN = 0.95
"""The probability of a class from which the first view is enough: more views and the second network would agree."""
_PERHAPS = 0.2
"""Least probability of a die for a second opinion: below it the first network alone is more accurate (docs/decisions/0042)."""
_HARDLY, _RATHER = 0.005, 0.5
"""The same for a die flush against another detection, which looks to the first network like a negative of its training data, the
end of a tile (docs/decisions/0049). Below the second probability, the first network has less weight there."""
SECOND_VIEWS: tuple[View, ...] = ((1.0, 0.0), (1.08, 5.0), (0.93, -5.0))
"""The views of the second opinion, each also mirrored; not rotated further, which would show a side face where the top is
expected (docs/decisions/0046)."""
_MAYBE = 0.1
"""The probability of a die without pips from which the numeral networks read it."""
PHOTOGRAPHED = 20.0
"""Factor on the odds that a die without pips is twelve-sided: one of the two networks takes photographed numerals for those of
other dice (docs/decisions/0047)."""
_CAUTION = 8.0
"""That factor is divided by this when deciding whether somebody is asked to look: a d10 must not pass for a d12 unnoticed."""
_PLAYED = 5.0
"""A further factor in games with twelve-sided dice: of six dice without pips on such a table, five are the game's."""


@dataclass(frozen=True, slots=True)
class Face:
    """The classification of one crop as a die of one kind: `other`, the probability that it is no such die, and the probability
    of each value, given that it is.
    """

    other: float
    values: tuple[float, ...]
    kind: DieKind = "d6"
    profile: str = ""
    """The profile that recognised it; empty: the network did."""
    low: float = 0.0
    """The probability that the die is seen from so low that its front may be read as its top."""
    unsure: float = 0.0
    """Replaces `other` in deciding whether a person is asked to look, where it is larger."""
    nothing: float = 1.0
    """The probability that it is no die of any kind; 1 where no network was run."""

    @property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """Values with their probabilities, likeliest first."""
        return tuple(sorted(enumerate(self.values, 1), key=lambda pair: (-pair[1], pair[0])))


class DiceReader:
    """Classifies dice of all kinds."""

    def __init__(self, manifest: Manifest, marks: MarkReader) -> None:
        """Use the network for all dice, a second one where that is not sure, the numeral networks where there may be
        twelve-sided dice, and, for profiles, the embedding of marks.

        Raises:
            models.ModelError: a file is missing or damaged.
        """
        model = manifest["dice"]
        self._dice, self._low, self._marks = dice_network(model), LowView.load(model), marks
        self._second = SecondOpinion(manifest["second"], MARGIN, SECOND_VIEWS)
        self._numerals = NumeralReader(manifest)

    def open(self) -> None:
        """Open the network for all dice now."""
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
        """The likeliest face in each box, of a die of one of `kinds`.

        Args:
            crops: pictures, each with a box in its pixels.
            kinds: the kinds that count.
            second: whether the second network is used where the first is in doubt.
            twelves: whether the game is known to use twelve-sided dice.
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
        """The faces as in `read`, and the features of each box; without `marks` only those that take no extra time."""
        seen = self._dice.seen_until_plain(crops, PLAIN)
        if not crops:
            return [], seen
        chances = self._with_second(crops, seen.chances, flush) if second else seen.chances
        faces, low = self._faces(crops, chances, kinds, twelves=twelves), self._low.chances(seen.features[0])
        if marks:  # profiles learn from the features of all views
            seen = replace(seen, features=self._dice.seen(crops).features)
            seen = self._with_marks(seen, [self._dice.cutter(*each)(VIEWS[0], False) for each in crops])
        return [replace(face, low=float(chance)) for face, chance in zip(faces, low, strict=True)], seen

    def _with_second(
        self, crops: Sequence[tuple[Pixels, Detection]], chances: NDArray[np.float64], flush: Sequence[bool]
    ) -> NDArray[np.float64]:
        asked = in_doubt(chances, flush)
        dismissed = np.asarray(flush, bool) & (_any_die(chances) < _RATHER) if len(flush) else ()
        return self._second.added(crops, chances, asked, WITHOUT_PIPS, dismissed)

    def features(self, views: Sequence[Pixels]) -> Seen:
        """The networks' output for finished crops (`SIDE` x `SIDE` x 3)."""
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
        if "d12" not in kinds:
            return [face_of(row, kinds) for row in chances]
        named = cautious = chances
        plain = np.flatnonzero(chances[:, _OTHER] + chances[:, _D12].sum(1) >= _MAYBE)
        if len(plain):
            numerals = self._numerals.chances([crops[i] for i in plain.tolist()])
            likelier = PHOTOGRAPHED * _PLAYED if twelves else PHOTOGRAPHED
            named, cautious = chances.copy(), chances.copy()
            cautious[plain] = with_numerals(chances[plain], numerals, self._numerals.others, likelier / _CAUTION)
            named[plain] = with_numerals(chances[plain], numerals, self._numerals.others, likelier)
        unsure = 1 - cautious[:, _D12].sum(1)
        return [_less_sure(face_of(row, kinds), float(each)) for row, each in zip(named, unsure, strict=True)]


def in_doubt(chances: NDArray[np.float64], flush: Sequence[bool] = ()) -> NDArray[np.bool_]:
    """Which rows of probabilities of `CLASSES` (n x classes) need a second opinion; `flush`: which lie flush against others.

    Flush ones need it unless the first network is sure of a die: that it sees none means little there.
    """
    beside = np.asarray(flush, bool) if len(flush) else np.zeros(len(chances), bool)
    plain = np.where(beside, chances[:, _DICE].max(1, initial=0), chances.max(1, initial=0)) >= PLAIN
    return np.asarray(~plain & (_any_die(chances) >= np.where(beside, _HARDLY, _PERHAPS)))


def _any_die(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(chances[:, _DICE].sum(1))


def dice_network(model: ModelFile) -> CropNetwork:
    """The network for all dice alone, without those for numerals.

    Raises:
        models.ModelError: its file is missing or damaged.
    """
    return CropNetwork(model, SIDE, MARGIN, VIEWS, LAYERS["die"], one_core=True)


def face_of(chances: NDArray[np.float64], kinds: Collection[DieKind] = DIE_KINDS) -> Face:
    """The face of the likeliest kind in `kinds`, from probabilities of `CLASSES`; dice of other kinds count as `other`."""
    kind = max((kind for kind in DIE_KINDS if kind in kinds), key=lambda kind: float(chances[_VALUES[kind]].sum()))
    values = chances[_VALUES[kind]]
    share = float(values.sum())
    return Face(1 - share, tuple(float(p) / max(share, 1e-12) for p in values), kind, nothing=float(chances[_NOTHING]))


def _less_sure(face: Face, unsure: float) -> Face:
    """The face with `unsure` set, if it is a twelve-sided die's; otherwise unchanged."""
    return replace(face, unsure=unsure) if face.kind == "d12" else face


def with_numerals(
    chances: NDArray[np.float64], numerals: NDArray[np.float64], others: float, likelier: float = PHOTOGRAPHED
) -> NDArray[np.float64]:
    """The probabilities of `CLASSES` (n x classes), updated by the numeral networks' (n x 13: no twelve-sided die, 1 to 12).

    Their answer is independent evidence of whether it is a twelve-sided die (`odds_of_twelve`), and its odds are multiplied by
    `likelier`. They alone decide the value. The probabilities of a die with pips and of nothing do not change.
    """
    before = chances[:, _OTHER] + chances[:, _D12].sum(1)
    odds = likelier * odds_of_twelve(chances, numerals, others)
    share = odds / (1 + odds)
    after = chances.copy()
    after[:, _OTHER] = before * (1 - share)
    after[:, _D12] = (before * share)[:, None] * named(numerals)
    return after


def odds_of_twelve(chances: NDArray[np.float64], numerals: NDArray[np.float64], others: float) -> NDArray[np.float64]:
    """The odds for each box (n) that its die, given one without pips, is twelve-sided.

    The odds of the first network (`chances`, n x classes) times the likelihood ratio of the numeral networks (n x 13): their
    odds over their prior odds, where `others` is the share of other dice in their training data.
    """
    other = chances[:, _OTHER] * numerals[:, 0] / others
    twelve = chances[:, _D12].sum(1) * numerals[:, 1:].sum(1) / (1 - others)
    return np.asarray(twelve / np.maximum(1e-12, other))
