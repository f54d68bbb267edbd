"""Whether a die is seen from so low that its front may be read as its top: a linear layer on the dice network's features.

From below about 25 degrees over the table, the front of a die is larger in the picture than its top, and every classifier
reads the front. `python -m datasets.train.low_view` makes `models/low_view.npz` for the network beside it: its weights are fitted
to drawings, its offset to training photos.
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
        """The layer of a dice network, from the network's folder.

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
        """The probability, for each row of features (the input of the network's last layer), of a view from too low, 0..1."""
        odds = features.astype(np.float64) @ self.weights + self.offset
        return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50, 50))))

    def save(self, network: ModelFile) -> None:
        """Write the layer beside its dice network."""
        weights = self.weights.astype(np.float32)
        file = network.path.with_name(NAME)
        np.savez_compressed(file, network=np.array(network.sha256), weights=weights, offset=np.array(self.offset))
