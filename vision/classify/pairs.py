"""Whether what looks like a domino is dice: a small network on the whole of it (ONNX Runtime).

The ends of a domino look like dice and two dice that lie flush like a domino, and a die and its shadow under a near lamp like a
domino with a blank, so that readers of single ends can hardly tell. The whole of it shows the line across a domino's middle, or
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
    """The chances that what looks like a domino is two dice side by side, and that it is one die and what lies beside it."""

    two: float
    one: float = 0.0

    @property
    def dice(self) -> float:
        """That it is no domino."""
        return self.two + self.one


class PairReader:
    """Tells dominoes from dice."""

    def __init__(self, model: ModelFile) -> None:
        """The network is opened when it first looks.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network = Network(model)
        self._temperature = model.calibration.get("temperature", 1.0)

    def look(self, tiles: Sequence[tuple[Pixels, Detection]]) -> list[Whole]:
        """What each is by the look of the whole; every detection comes with the picture it counts its pixels in."""
        if not tiles:
            return []
        views = [crop(*cut_smaller(picture, tile, reach_of(tile), WIDTH)) for picture, tile in tiles]
        (logits,) = outputs_of(self._network.session, views)
        return [Whole(float(two), float(one)) for _, two, one in softmax(logits / self._temperature)]
