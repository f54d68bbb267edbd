"""Distillation: soft targets from both shipped dice classifiers, such as how much a 3 resembles a 5, or what looks like a die.

A smaller network learns more from them than from bare labels (Hinton, Vinyals and Dean, "Distilling the Knowledge in a Neural
Network", 2015). The teachers see each crop once, without augmentation; the student sees it augmented (Xie et al.,
"Self-training with Noisy Student improves ImageNet classification", CVPR 2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.labels.crop_files import StoredCrop
from datasets.train.dice_views import plain
from models import load_manifest
from vision.classify.crop_network import CropNetwork
from vision.classify.dice import MARGIN, PLAIN, SIDE, dice_network
from vision.classify.second import SIDE as SECOND_SIDE
from vision.classify.second import pooled

Chances = NDArray[np.float32]

_FIRST, _SECOND = 0.55, 0.45
"""Weights of both in the pooled output; they sum to 1, so both together are no surer than one alone."""
_KNOWN = 0.3
"""Probability of the label from which their output is used; below it, the target is the label alone."""
_AT_ONCE = 512


class Teachers:
    """The shipped readers `dice` and `second`."""

    def __init__(self) -> None:
        """Open the networks of the installed manifest.

        Raises:
            models.ModelError: a file is missing or damaged.
        """
        manifest = load_manifest()
        self._first = dice_network(manifest["dice"])
        self._second = CropNetwork(manifest["second"], SECOND_SIDE, MARGIN, ((1.0, 0.0),))

    def chances(self, crops: Sequence[StoredCrop]) -> Chances:
        """Probabilities for crops as they are (n x classes). As in a reading, the second runs only where the first is unsure."""
        said = self._first.look([plain(crop, SIDE) for crop in crops], 1).chances
        unsure = np.flatnonzero(said.max(1, initial=0) < PLAIN)
        other = self._second.look([plain(crops[i], SECOND_SIDE) for i in unsure.tolist()], 1).chances
        said[unsure] = pooled(said[unsure], other, _FIRST, _SECOND)
        return said.astype(np.float32)


class Opinions:
    """The teachers' outputs for files of crops, cached in a folder, so that the teachers see each crop once."""

    def __init__(self, folder: Path) -> None:
        """`folder`: is created if it is missing."""
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def of(self, file: Path, crops: Sequence[StoredCrop], processes: int = 1) -> Chances:
        """Probabilities for the crops of a file (n x classes).

        Args:
            file: the file; its name and that of its folder are the key of the cache.
            crops: the contents of the file.
            processes: number of parallel processes; several show a progress bar.
        """
        kept = self._folder / f"{file.parent.name}-{file.stem}.npy"
        if not kept.exists():
            said = _asked_by(processes, crops) if processes > 1 else _teachers().chances(crops)
            part = kept.with_suffix(f".{np.random.default_rng().integers(1 << 40)}.part")
            with part.open("wb") as stream:
                np.save(stream, said)
            part.replace(kept)
        return np.asarray(np.load(kept), np.float32)


@cache
def _teachers() -> Teachers:
    """The teachers of this process, opened once."""
    cv2.setNumThreads(1)
    return Teachers()


def _ask(crops: Sequence[StoredCrop]) -> Chances:
    return _teachers().chances(crops)


def _asked_by(processes: int, crops: Sequence[StoredCrop]) -> Chances:
    parts = [crops[start : start + _AT_ONCE] for start in range(0, len(crops), _AT_ONCE)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:  # a fork while threads are at work may hang
        return np.concatenate(list(track(pool.map(_ask, parts), "asking the teachers", len(parts))))


def targets(labels: NDArray[np.int64], said: Chances, share: float, smoothing: float) -> Chances:
    """Target probabilities (n x classes): the smoothed label, mixed with the teachers' output where they know the crop.

    Args:
        labels: n classes.
        said: the teachers' output (n x classes).
        share: weight of that output.
        smoothing: label smoothing, the share of a label that is spread over all classes.
    """
    rows, classes = np.arange(len(labels)), said.shape[1]
    hard = np.full_like(said, smoothing / classes)
    hard[rows, labels] += 1 - smoothing
    known = share * (said[rows, labels] > _KNOWN)[:, None]
    return np.asarray(known * said + (1 - known) * hard, np.float32)
