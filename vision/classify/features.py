"""The features of the networks for dice and ends, from which profiles learn.

They are the input of the network's last layer, and the output of a middle layer, which still distinguishes shapes that mean
nothing to the last (docs/decisions/0029-dice-learned-at-the-table.md). A third part is the embedding of `marks`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.boxes import Shape

Features = NDArray[np.float32]
"""n x features."""


@dataclass(frozen=True, slots=True)
class Layers:
    """The tensors of a network that are its features.

    Attributes:
        head: the input of its last layer (n x features).
        middle: the output of a middle layer (n x channels x cells x cells).
        reach: radius around the centre of the crop within which cells of `middle` count, in sides of the crop.
    """

    head: str
    middle: str
    reach: float

    @property
    def names(self) -> tuple[str, str]:
        """The names of both tensors."""
        return self.head, self.middle

    def pooled(self, head: Features, middle: Features) -> tuple[Features, Features]:
        """The features of both: `head` unchanged, and mean and maximum pooling of `middle` near the centre."""
        cells = middle.shape[-1]
        along = (np.arange(cells) + 0.5) / cells - 0.5
        near = np.hypot(along[:, None], along[None]) < self.reach
        inside = middle[:, :, near]
        return head, np.hstack([inside.mean(2), inside.max(2)])


LAYERS: dict[Shape, Layers] = {
    "die": Layers("/head/head.0/Flatten_output_0", "/body/body.6/cv2/act/Mul_output_0", 0.36),
    "tile": Layers("/head/head.1/Flatten_output_0", "/body/body.8/Relu_output_0", 1.0),
}
"""The feature tensors of the classifier for each shape, by the names in the export (`datasets.train.onnx_export`)."""
