"""Measures the twelve-sided dice classifier alone, without the detector, on crops that hold one die each.

The author of `d12-crops` cut its pictures around the die, 72 x 72 px, so there is nothing to detect; the whole picture
serves as the detection.
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
"""Pixels of 72 between the die and the picture's sides, estimated by eye. Not tuned for accuracy."""
_AT_ONCE = 32


class Reader(Protocol):
    """Classifies boxes as faces of twelve-sided dice."""

    def read(self, crops: Sequence[tuple[Pixels, Detection]]) -> list[Face]:
        """The face in each box."""


@dataclass(frozen=True, slots=True)
class Alone:
    """The result for one crop: the value, its confidence, and whether the classifier finds "no such die" likelier."""

    truth: Truth
    value: int
    confidence: float
    no_die: bool

    @property
    def right(self) -> bool:
        """Whether the likeliest value is the true one; `no_die` is reported separately, because the detector affects it."""
        return (self.value,) == self.truth.pieces[0].face


@dataclass(frozen=True, slots=True)
class NumeralReader:
    """The shipped dice classifier, restricted to twelve-sided dice."""

    reader: DiceReader

    def read(self, crops: Sequence[tuple[Pixels, Detection]]) -> list[Face]:
        """The face in each box."""
        return self.reader.read(crops, ONLY_D12)


def open_reader(manifest: Manifest) -> Reader:
    """The shipped dice classifier, for twelve-sided dice.

    Raises:
        models.ModelError: its file is missing or damaged.
    """
    return NumeralReader(DiceReader(manifest, MarkReader(manifest["marks"])))


def read_alone(truths: Iterable[Truth], reader: Reader) -> list[Alone]:
    """Classify every whole crop."""
    left, results = list(truths), []
    while left:
        now, left = left[:_AT_ONCE], left[_AT_ONCE:]
        crops = [(pixels, whole(pixels)) for pixels in (load(truth.path).pixels for truth in now)]
        results += [_alone(truth, face) for truth, face in zip(now, reader.read(crops), strict=True)]
    return results


def whole(pixels: Pixels) -> Detection:
    """The detection of a die that fills the picture."""
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
