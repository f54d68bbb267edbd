"""The negatives for "none of these": features of drawn dice, ends and other things, which ship with the networks.

`models/taught.npz` is made by `python -m datasets.train.taught_negatives` for the networks beside it, from drawings only.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models import FOLDER, Manifest
from vision.classify.features import Features
from vision.classify.stored_arrays import check_owner, damaged, load_arrays
from vision.detect.boxes import SHAPES, Shape

FILE = FOLDER / "taught.npz"
NETWORKS: dict[Shape, tuple[str, ...]] = {"die": ("dice", "marks"), "tile": ("ends", "marks")}
"""The networks whose features these are, as the manifest names them."""
_MAKE = "Install Muggins again, or run `python -m datasets.train.taught_negatives` if you have trained networks of your own."
_STEPS = 127


@dataclass(frozen=True)
class Negatives:
    """The scaling of a network's features, and the scaled features of the negatives.

    Attributes:
        means: the mean of each part of the features.
        scales: the divisor of each part, so that all parts have the same weight.
        points: n x all parts, each a unit vector.
    """

    means: tuple[Features, ...]
    scales: tuple[float, ...]
    points: Features

    @classmethod
    def of(cls, parts: Sequence[Features]) -> Negatives:
        """From the features of drawings, part by part (n x features each)."""
        means = tuple(part.mean(0) for part in parts)
        scales = tuple(float(part.std() * part.shape[1] ** 0.5) for part in parts)
        scaling = cls(means, scales, np.zeros((0, 0), np.float32))
        return cls(means, scales, scaling.scaled(parts))

    def scaled(self, parts: Sequence[Features]) -> Features:
        """Features as unit vectors in which all parts have the same weight (n x all parts)."""
        joined = np.hstack(
            [(part - mean) / scale for part, mean, scale in zip(parts, self.means, self.scales, strict=True)]
        )
        lengths = np.linalg.norm(joined, axis=1, keepdims=True)
        return np.asarray(joined / np.maximum(lengths, 1e-9), np.float32)

    def to_arrays(self, shape: Shape, manifest: Manifest) -> dict[str, NDArray[Any]]:
        """The arrays of the file: the points quantised to 255 steps, with the hashes of their networks."""
        step = float(np.abs(self.points).max()) / _STEPS
        arrays: dict[str, NDArray[Any]] = {
            f"{shape}_points": np.round(self.points / step).astype(np.int8),
            f"{shape}_step": np.array(step, np.float32),
            f"{shape}_scales": np.array(self.scales, np.float32),
        }
        arrays |= {_owner(network): np.array(manifest[network].sha256) for network in NETWORKS[shape]}
        return arrays | {f"{shape}_mean_{i}": mean.astype(np.float32) for i, mean in enumerate(self.means)}


def load_negatives(manifest: Manifest, file: Path | None = None) -> dict[Shape, Negatives]:
    """The negatives for the networks of a manifest, by default from the file beside them.

    Raises:
        ModelError: they are missing, damaged, or belong to other networks.
    """
    file = file or manifest[NETWORKS["die"][0]].path.with_name(FILE.name)
    owners, negatives = _loaded(file)
    for network in _ALL:
        check_owner(owners, _owner(network), manifest[network], file, _MAKE)
    return negatives


_ALL = tuple(network for networks in NETWORKS.values() for network in networks)


def _owner(network: str) -> str:
    return f"network_{network}"


@functools.cache
def _loaded(file: Path) -> tuple[dict[str, NDArray[Any]], dict[Shape, Negatives]]:
    """The hashes of the networks, and the negatives."""
    arrays = load_arrays(file, _MAKE)
    try:
        owners = {_owner(network): arrays[_owner(network)] for network in _ALL}
        return owners, {shape: _from_arrays(arrays, shape) for shape in SHAPES}
    except KeyError as error:
        raise damaged(file, _MAKE) from error


def _from_arrays(arrays: Any, shape: Shape) -> Negatives:
    scales = tuple(float(scale) for scale in arrays[f"{shape}_scales"])
    means = tuple(arrays[f"{shape}_mean_{i}"] for i in range(len(scales)))
    return Negatives(means, scales, arrays[f"{shape}_points"].astype(np.float32) * arrays[f"{shape}_step"])
