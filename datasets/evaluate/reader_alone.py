"""The reader of twelve-sided dice on crops that hold one die each, without the detector: what reading alone is worth.

The crops of `d12-crops` were cut around the die by their author, 72 x 72 px, so that nothing is left to find; the reader is
given the whole picture as the detection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from datasets.evaluate.measuring import EDGES, interval
from datasets.evaluate.statistics import expected_calibration_error, reliability
from datasets.labels.truth import Truth
from models import Manifest
from vision.classify.dice import ONLY_D12, DiceReader, Face
from vision.classify.marks import MarkReader
from vision.detect.boxes import Detection
from vision.photo import Pixels, load

INSET = 2.0
"""Pixels of 72 that the die stays away from the picture's sides, by eye. Not chosen by what reads best."""
_AT_ONCE = 32


class Reader(Protocol):
    """Anything that names the faces of twelve-sided dice in boxes."""

    def read(self, crops: Sequence[tuple[Pixels, Detection]]) -> list[Face]:
        """The face in each box."""


@dataclass(frozen=True, slots=True)
class Alone:
    """One crop read: the value, how sure, and whether the reader would rather have said that this is no such die."""

    truth: Truth
    value: int
    confidence: float
    no_die: bool

    @property
    def right(self) -> bool:
        """Whether the likeliest value is the true one; `no_die` is reported beside it, because the detector has a say in that."""
        return (self.value,) == self.truth.pieces[0].face


@dataclass(frozen=True, slots=True)
class NumeralReader:
    """The shipped reader of dice where all are twelve-sided."""

    reader: DiceReader

    def read(self, crops: Sequence[tuple[Pixels, Detection]]) -> list[Face]:
        """The face in each box."""
        return self.reader.read(crops, ONLY_D12)


def open_reader(manifest: Manifest) -> Reader:
    """The shipped reader of dice, for twelve-sided ones.

    Raises:
        models.ModelError: its file is missing or damaged.
    """
    return NumeralReader(DiceReader(manifest, MarkReader(manifest["marks"])))


def read_alone(truths: Iterable[Truth], reader: Reader) -> list[Alone]:
    """Every crop read as it is, whole."""
    left, results = list(truths), []
    while left:
        now, left = left[:_AT_ONCE], left[_AT_ONCE:]
        crops = [(pixels, whole(pixels)) for pixels in (load(truth.path).pixels for truth in now)]
        results += [_alone(truth, face) for truth, face in zip(now, reader.read(crops), strict=True)]
    return results


def whole(pixels: Pixels) -> Detection:
    """The detection that a detector would make of a die that fills the picture."""
    height, width = pixels.shape[:2]
    inset = INSET / 72 * max(height, width)
    return Detection(inset, inset, width - inset, height - inset, 1.0)


def _alone(truth: Truth, face: Face) -> Alone:
    value, chance = face.ranked[0]
    return Alone(truth, value, chance * (1 - face.other), face.other > 0.5)


def summary(results: Sequence[Alone]) -> dict[str, Any]:
    """The figures, ready for JSON."""
    right = sum(result.right for result in results)
    pairs = [(result.confidence, result.right) for result in results]
    return {
        "crops": len(results),
        "right": right,
        "right_share": round(right / max(1, len(results)), 4),
        "right_wilson_95": interval(right, len(results)),
        "taken_for_no_die": sum(result.no_die for result in results),
        "expected_calibration_error": round(expected_calibration_error(pairs, EDGES), 4),
        "reliability": reliability(pairs, EDGES),
        "confusion": _confusion(results),
    }


def by_source(results: Sequence[Alone]) -> dict[str, list[Alone]]:
    """The results of every run, and pooled."""
    sources = dict.fromkeys(result.truth.source for result in results)
    named = {source: [result for result in results if result.truth.source == source] for source in sources}
    return {**named, "pooled": list(results)}


def _confusion(results: Sequence[Alone]) -> dict[str, dict[str, int]]:
    counted = Counter((result.truth.pieces[0].face[0], result.value) for result in results)
    rows: dict[str, dict[str, int]] = {}
    for truth, value in sorted(counted):
        rows.setdefault(str(truth), {})[str(value)] = counted[truth, value]
    return rows
