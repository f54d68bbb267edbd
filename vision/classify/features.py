"""What the networks of dice and ends know of a crop before they name it: features that profiles are learned from.

They are those before the network's last layer, and those of a layer in its middle, which still tell shapes apart that mean
nothing to the last (docs/decisions/0029-dice-learned-at-the-table.md). Of dice there is a third part, the embedding of `marks`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.boxes import Shape

Features = NDArray[np.float32]
"""n x so many."""


@dataclass(frozen=True, slots=True)
class Layers:
    """Which tensors of a network are its features.

    Attributes:
        head: what its last layer sees (n x so many).
        middle: of a layer before (n x channels x cells x cells).
        reach: how far from the middle of the crop a cell of `middle` counts, in sides of the crop.
    """

    head: str
    middle: str
    reach: float

    @property
    def names(self) -> tuple[str, str]:
        """Of both tensors."""
        return self.head, self.middle

    def pooled(self, head: Features, middle: Features) -> tuple[Features, Features]:
        """The features of both: `head` as it is, of `middle` the mean and the highest value of every channel near the middle."""
        cells = middle.shape[-1]
        along = (np.arange(cells) + 0.5) / cells - 0.5
        near = np.hypot(along[:, None], along[None]) < self.reach
        inside = middle[:, :, near]
        return head, np.hstack([inside.mean(2), inside.max(2)])


LAYERS: dict[Shape, Layers] = {
    "die": Layers("/head/head.0/Flatten_output_0", "/body/body.6/cv2/act/Mul_output_0", 0.36),
    "tile": Layers("/head/head.1/Flatten_output_0", "/body/body.8/Relu_output_0", 1.0),
}
"""Of the network that reads a shape, by the names that the export gives them (`datasets.train.onnx_export`)."""
