"""Whether a die is seen from so low that its front may pass for its top: a linear layer on the features of the reader of dice.

Seen from under some 25 degrees over the table, the front of a die is larger in the picture than its top, and all readers of
pips read it. `python -m datasets.train.low_view` makes `models/low_view.npz` for the network beside it: fitted to drawings, its
offset set by photos to learn from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.classify.features import Features
from vision.classify.stored_arrays import check_owner, damaged, load_arrays

NAME = "low_view.npz"
_MAKE = "Install Muggins again, or run `python -m datasets.train.low_view` if you have trained networks of your own."


@dataclass(frozen=True)
class LowView:
    """The layer: a weight for each feature, and an offset."""

    weights: Features
    offset: float

    @classmethod
    def load(cls, network: ModelFile) -> Self:
        """That of a reader of dice, from the folder where the network lies.

        Raises:
            ModelError: it is missing, damaged, or belongs to another network.
        """
        file = network.path.with_name(NAME)
        arrays = load_arrays(file, _MAKE)
        check_owner(arrays, "network", network, file, _MAKE)
        try:
            return cls(arrays["weights"].astype(np.float32), float(arrays["offset"]))
        except KeyError as error:
            raise damaged(file, _MAKE) from error

    def chances(self, features: Features) -> NDArray[np.float64]:
        """Of each row of features (those before the network's last layer) that its die is seen from too low, 0..1."""
        odds = features.astype(np.float64) @ self.weights + self.offset
        return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50, 50))))

    def save(self, network: ModelFile) -> None:
        """Write it beside a reader of dice."""
        weights = self.weights.astype(np.float32)
        file = network.path.with_name(NAME)
        np.savez_compressed(file, network=np.array(network.sha256), weights=weights, offset=np.array(self.offset))
