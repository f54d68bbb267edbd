"""What a die shows: a small network on a crop of each die, cut from the most pixels there are (ONNX Runtime).

One network for pip dice, one for twelve-sided dice; each knows its values and "none of my dice". Probabilities are averaged
over two views of the crop and calibrated with a temperature
(Guo et al., "On Calibration of Modern Neural Networks", ICML 2017) that the manifest carries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.detect.boxes import Detection
from vision.onnx_session import open_session
from vision.photo import Pixels

SIDE = 80
"""Pixels of the square crop that the network looks at."""
MARGIN = 1.25
"""Side of the crop over the longer side of the die's box."""
_GREY = (114, 114, 114)

View = tuple[float, bool, float]
"""How a crop is taken: zoom, mirrored, turned by degrees."""
PIP_VIEWS: tuple[View, ...] = ((1.0, False, 0.0), (1.06, True, 4.0))
NUMERAL_VIEWS: tuple[View, ...] = (
    *((1.0, False, 0.0), (1.06, False, 5.0), (0.94, False, -5.0)),
    *((1.0, False, 90.0), (1.0, False, 180.0), (1.0, False, 270.0)),
)
"""Numerals are never mirrored. A die seen from above may be turned; seen at a slant its top is up: both count half."""


@dataclass(frozen=True, slots=True)
class Face:
    """The answer for one crop: the chance that it is no such die, and the chance of each value from 1 on if it is one."""

    other: float
    values: tuple[float, ...]

    @property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """Values with their chances, likeliest first."""
        return tuple(sorted(enumerate(self.values, 1), key=lambda pair: (-pair[1], pair[0])))


class FaceReader:
    """Reads the top values of dice."""

    def __init__(self, model: ModelFile, views: Sequence[View] = PIP_VIEWS) -> None:
        """Open the network; it will see every die in all `views`.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._session = open_session(model)
        self._input = self._session.get_inputs()[0].name
        self._views = tuple(views)
        self._temperature = model.calibration.get("temperature", 1.0)

    def read(self, crops: Sequence[tuple[Pixels, Detection]]) -> list[Face]:
        """The face in each box; every box comes with the picture it counts its pixels in."""
        if not crops:
            return []
        sized = [shrunk(picture, detection, _reach(detection), SIDE) for picture, detection in crops]
        batch = np.stack([crop(picture, detection, view) for picture, detection in sized for view in self._views])
        tensor = batch.transpose(0, 3, 1, 2).astype(np.float32)
        tensor /= 255
        (logits,) = self._session.run(None, {self._input: tensor})
        mean = logits.reshape(len(crops), len(self._views), -1).mean(1) / self._temperature
        return [_face(row) for row in mean]


def crop(picture: Pixels, detection: Detection, view: View) -> Pixels:
    """The square around a box, `SIDE` x `SIDE` x 3; what lies outside the picture is grey."""
    zoom, mirrored, degrees = view
    scale, turn = SIDE / _reach(detection) * zoom, np.deg2rad(degrees)
    x, y = detection.middle
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    matrix = np.array([[c, -s, SIDE / 2 - c * x + s * y], [s, c, SIDE / 2 - s * x - c * y]])
    if mirrored:
        matrix[0] *= -1
        matrix[0, 2] += SIDE
    return np.asarray(cv2.warpAffine(picture, matrix, (SIDE, SIDE), borderValue=_GREY), np.uint8)


def _reach(detection: Detection) -> float:
    return MARGIN * max(detection.width, detection.height, 1.0)


def shrunk(picture: Pixels, detection: Detection, reach: float, side: int) -> tuple[Pixels, Detection]:
    """A large piece cut out and made smaller, until a bilinear warp no longer skips pixels (which would alias the pips).

    `reach`: pixels of the picture that are to become `side` pixels of the crop.
    """
    if reach < 2 * side:
        return picture, detection
    x, y = detection.middle
    half = 0.75 * max(reach, detection.width, detection.height)  # a little more than the square, which a view may turn
    left, top = max(0, int(x - half)), max(0, int(y - half))
    part = picture[top : int(y + half) + 1, left : int(x + half) + 1]
    size = [max(1, round(n * 1.5 * side / reach)) for n in (part.shape[1], part.shape[0])]
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    fx, fy = size[0] / part.shape[1], size[1] / part.shape[0]
    return np.asarray(small, np.uint8), detection.mapped(fx, fy, -left * fx, -top * fy)


def _face(logits: NDArray[np.float32]) -> Face:
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    die = float(chances[1:].sum())
    return Face(float(chances[0]), tuple(float(p) / max(die, 1e-12) for p in chances[1:]))
