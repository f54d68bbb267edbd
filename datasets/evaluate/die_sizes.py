"""`python -m datasets.evaluate.die_sizes PHOTOS`

Measures the sizes of dice, and of the detector's false positives beside them, as ratios to the median of the photo's other dice:
how often each lies in each range of ratios, over the training photos with two pip dice or more. Every
source has the same weight. The last column is the penalty of `vision.die_sizes.lost` for a doubtful die there.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets.labels import photos as labelled
from datasets.labels.photos import UNLABELLED, Labelled
from datasets.train.dice_crops import read_rgb
from models import load_manifest
from vision.detect.boxes import Detection, Outline, iou, median, upright
from vision.detect.detector import MIN_SCORE, Detector
from vision.die_sizes import lost, size

EDGES = (0.5, 0.6, 0.67, 0.73, 0.8, 0.9, 1.0, 1.1, 1.25, 1.37, 1.5, 1.67, 2.0)
"""The edges of the bins of ratios."""
_PHOTOS = 160
"""The most photos drawn from each source."""
_SAME, _APART = 0.5, 0.3
"""Intersection over union from which a detection is the labelled piece, and below which it is something else."""
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Ratios:
    """Natural logarithms of the size ratios in one photo: of dice, and of false positives."""

    dice: Sequence[float]
    others: Sequence[float]


def main() -> None:
    """Find, count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    detector, found = Detector(load_manifest()["detector"]), defaultdict[str, list[Ratios]](list)
    for photo in track(list(chosen(labelled.load(parser.parse_args().photos))), "finding dice"):
        found[photo.source].append(ratios(photo, detector.detect(read_rgb(photo.path))))
    Console(width=100).print(_table(found))


def chosen(photos: Iterable[Labelled]) -> Iterator[Labelled]:
    """Photos of tables with enough dice, up to the same number of each source."""
    by_source = defaultdict[str, list[Labelled]](list)
    for photo in photos:
        if photo.shows == "table" and len(photo.dice) >= _FEWEST and photo.source not in UNLABELLED:
            by_source[photo.source].append(photo)
    rng = np.random.default_rng(0)
    for own in by_source.values():
        yield from (own[i] for i in rng.permutation(len(own))[:_PHOTOS])


def ratios(photo: Labelled, finds: Sequence[Detection]) -> Ratios:
    """The size ratios of a photo's detections."""
    finds = [find for find in finds if find.shape == "die" and find.score >= MIN_SCORE]
    dice = [own for box in photo.dice if (own := _size_of(finds, upright(box))) is not None]
    if len(dice) < _FEWEST:
        return Ratios((), ())
    vain = [find for find in finds if all(iou(find, upright(box)) < _APART for box in photo.boxes)]
    return Ratios(
        [own - median(dice[:i] + dice[i + 1 :]) for i, own in enumerate(dice)],
        [size(find) - median(dice) for find in vain],
    )


def _size_of(finds: Sequence[Detection], box: Outline) -> float | None:
    best = max(finds, key=lambda find: iou(find, box), default=None)
    return size(best) if best is not None and iou(best, box) > _SAME else None


def shares(sources: Iterable[Sequence[float]]) -> NDArray[np.float64]:
    """The share of ratios below, between and above `EDGES`, averaged over sources."""
    edges = [-np.inf, *np.log(EDGES), np.inf]
    return np.asarray(np.mean([np.histogram(own, edges)[0] / len(own) for own in sources if len(own)], 0))


def _table(found: Mapping[str, Sequence[Ratios]]) -> Table:
    dice = [[ratio for photo in own for ratio in photo.dice] for own in found.values()]
    others = [[ratio for photo in own for ratio in photo.others] for own in found.values()]
    table = Table(
        "size over that of the others", f"{sum(map(len, dice))} dice", f"{sum(map(len, others))} other things", "lost"
    )
    named = [
        f"below {EDGES[0]:.2f}",
        *(f"{a:.2f} to {b:.2f}" for a, b in itertools.pairwise(EDGES)),
        f"{EDGES[-1]:.2f} or more",
    ]
    middles = [EDGES[0], *(math.sqrt(a * b) for a, b in itertools.pairwise(EDGES)), EDGES[-1]]
    for name, middle, of_dice, of_others in zip(named, middles, shares(dice), shares(others), strict=True):
        table.add_row(name, f"{of_dice:.1%}", f"{of_others:.1%}", f"{lost(math.log(middle)):.1f}")
    return table


if __name__ == "__main__":
    main()
