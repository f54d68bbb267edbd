"""A second opinion on dice of which the first network is not sure: another network, trained from another start, errs elsewhere.

Their probabilities are combined in a logarithmic opinion pool (Genest and Zidek, "Combining Probability Distributions",
Statistical Science 1986): they are multiplied, each raised to a weight from the manifest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.classify.crop_network import CropNetwork, View
from vision.detect.boxes import Detection
from vision.photo import Pixels

SIDE = 128
"""Side of the network's square crop, in pixels."""
_LEAST = 1e-9


class SecondOpinion:
    """The second network for dice."""

    def __init__(self, model: ModelFile, margin: float, views: Sequence[View]) -> None:
        """The network is opened when it is first needed.

        Args:
            model: the network's file.
            margin: side of the crop over the longer side of the box.
            views: its views, each also mirrored: it does not decide which numeral a die shows.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network = CropNetwork(model, SIDE, margin, views, mirrored=True)
        given = model.calibration
        self._weights = given["first"], given["own"]
        self._dismissed = given.get("first_dismissed", given["first"]), given.get("own_dismissed", given["own"])

    def added(
        self,
        crops: Sequence[tuple[Pixels, Detection]],
        chances: NDArray[np.float64],
        asked: NDArray[np.bool_],
        kept: Sequence[int],
        dismissed: Sequence[bool] | NDArray[np.bool_] = (),
    ) -> NDArray[np.float64]:
        """The probabilities of each class in each box (n x classes), pooled with this network's for the boxes in `asked`.

        Args:
            crops: pictures, each with a box in its pixels.
            chances: the first network's probabilities.
            asked: for which boxes this network is run (n).
            kept: see `pooled`.
            dismissed: the boxes in which the first network has less weight, because it tends to reject dice that lie flush
                against others. Empty: none.
        """
        boxes = np.flatnonzero(asked)
        if not len(boxes):
            return chances
        own = self._network.chances([crops[i] for i in boxes.tolist()])
        less = np.asarray(dismissed, bool)[boxes] if len(dismissed) else np.zeros(len(boxes), bool)
        first_weight, own_weight = np.where(less[:, None], self._dismissed, self._weights).T
        together = chances.copy()
        together[boxes] = pooled(chances[boxes], own, first_weight, own_weight, kept)
        return together


def pooled(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    first_weight: NDArray[np.float64] | float,
    second_weight: NDArray[np.float64] | float,
    kept: Sequence[int] = (),
) -> NDArray[np.float64]:
    """The opinion pool of two sets of probabilities (n x classes each), with one weight for each set or for each row of it (n).

    `kept`: classes that are pooled as one; their proportions to each other stay those of the first set.
    """
    others = np.delete(np.arange(first.shape[1]), list(kept))  # `np.setdiff1d` would load masked arrays
    one, other = (np.hstack([each[:, others], each[:, list(kept)].sum(1, keepdims=True)]) for each in (first, second))
    weights = [np.reshape(weight, (-1, 1)) for weight in (first_weight, second_weight)]
    logs = weights[0] * np.log(np.maximum(one, _LEAST)) + weights[1] * np.log(np.maximum(other, _LEAST))
    if not len(kept):
        logs[:, -1] = -np.inf
    powers = np.exp(logs - logs.max(1, keepdims=True))
    powers /= powers.sum(1, keepdims=True)
    together = np.zeros_like(first)
    together[:, others] = powers[:, :-1]
    if len(kept):
        among = first[:, list(kept)]
        together[:, list(kept)] = powers[:, -1:] * among / np.maximum(_LEAST, among.sum(1, keepdims=True))
    return together
