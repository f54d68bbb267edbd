"""Whether a detected tile is really dice: a small network on the whole tile (ONNX Runtime).

The ends of a domino look like dice, two flush dice look like a domino, and a die and its shadow under a near lamp look like a
domino with a blank, so classifiers of single ends can hardly tell. The whole shows the line across a domino's middle, or
the gap and the rounded edges between two dice, or the table through the shadow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models import ModelFile
from vision.classify.batches import outputs_of
from vision.classify.crop_network import cut_smaller, softmax
from vision.classify.outlines import WIDTH, crop, reach_of
from vision.detect.boxes import Detection
from vision.onnx_session import Network
from vision.photo import Pixels

CLASSES = ("domino", "two dice", "one die")


@dataclass(frozen=True, slots=True)
class Whole:
    """The probabilities that a detected tile is two dice side by side, and that it is one die and its surroundings."""

    two: float
    one: float = 0.0

    @property
    def dice(self) -> float:
        """The probability that it is dice, not a domino."""
        return self.two + self.one


class PairReader:
    """Tells dominoes from dice."""

    def __init__(self, model: ModelFile) -> None:
        """The network is opened when it is first needed.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network = Network(model)
        self._temperature = model.calibration.get("temperature", 1.0)

    def look(self, tiles: Sequence[tuple[Pixels, Detection]]) -> list[Whole]:
        """The classification of each whole tile; `tiles`: pictures, each with a detection in its pixels."""
        if not tiles:
            return []
        views = [crop(*cut_smaller(picture, tile, reach_of(tile), WIDTH)) for picture, tile in tiles]
        (logits,) = outputs_of(self._network, views)
        return [Whole(float(two), float(one)) for _, two, one in softmax(logits / self._temperature)]
