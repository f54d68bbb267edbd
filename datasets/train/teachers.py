"""What both shipped readers of dice say together of a crop: how far a 3 resembles a 5, and what passes for a die.

A smaller reader learns more from that than from a bare label (Hinton, Vinyals and Dean, "Distilling the Knowledge in a Neural
Network", 2015). They see each crop once, as it is; the reader that learns sees it varied (Xie et al., "Self-training with Noisy
Student improves ImageNet classification", CVPR 2020).
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
"""How much the opinion of each counts, 1 together, so that both are no surer than one."""
_KNOWN = 0.3
"""The chance that they give a crop's label from which they know what it is; else the label alone is learned from."""
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
        """Of each class in each crop as it is (n x classes). As in a reading, the second is asked where the first is not sure."""
        said = self._first.look([plain(crop, SIDE) for crop in crops], 1).chances
        unsure = np.flatnonzero(said.max(1, initial=0) < PLAIN)
        other = self._second.look([plain(crops[i], SECOND_SIDE) for i in unsure.tolist()], 1).chances
        said[unsure] = pooled(said[unsure], other, _FIRST, _SECOND)
        return said.astype(np.float32)


class Opinions:
    """What the teachers say of the crops of files, kept in a folder, so that they are asked about each crop once."""

    def __init__(self, folder: Path) -> None:
        """`folder`: is made if it is missing."""
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def of(self, file: Path, crops: Sequence[StoredCrop], processes: int = 1) -> Chances:
        """Of each class in each crop of a file (n x classes).

        Args:
            file: of crops, whose folder and name tell it from the others.
            crops: what it holds.
            processes: how many are asked side by side, with a bar of progress if there are several.
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
    """Of this process, opened once."""
    cv2.setNumThreads(1)
    return Teachers()


def _ask(crops: Sequence[StoredCrop]) -> Chances:
    return _teachers().chances(crops)


def _asked_by(processes: int, crops: Sequence[StoredCrop]) -> Chances:
    parts = [crops[start : start + _AT_ONCE] for start in range(0, len(crops), _AT_ONCE)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:  # a fork while threads are at work may hang
        return np.concatenate(list(track(pool.map(_ask, parts), "asking the teachers", len(parts))))


def targets(labels: NDArray[np.int64], said: Chances, share: float, smoothing: float) -> Chances:
    """What is to be learned (n x classes): the label, smoothed, and where the teachers know the crop, so much of what they say.

    Args:
        labels: n classes.
        said: what the teachers say (n x classes).
        share: of what they say.
        smoothing: the share of a label that is spread over all classes.
    """
    rows, classes = np.arange(len(labels)), said.shape[1]
    hard = np.full_like(said, smoothing / classes)
    hard[rows, labels] += 1 - smoothing
    known = share * (said[rows, labels] > _KNOWN)[:, None]
    return np.asarray(known * said + (1 - known) * hard, np.float32)
