"""What a die shows: a small network on a crop of each die, cut from the most pixels there are (ONNX Runtime).

It knows seven answers: no pip die, and 1 to 6. Probabilities are averaged over four views of the crop and calibrated with
a temperature (Guo et al., "On Calibration of Modern Neural Networks", ICML 2017) that the manifest carries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.locate import Find
from vision.photo import Pixels
from vision.runtime import open_session

SIDE = 80
"""Pixels of the square crop that the network looks at."""
MARGIN = 1.25
"""Side of the crop over the longer side of the die's box."""
_GREY = (114, 114, 114)

View = tuple[float, bool, float]
"""How a crop is taken: zoom, mirrored, turned by degrees."""
VIEWS: tuple[View, ...] = ((1.0, False, 0.0), (1.0, True, 0.0), (1.12, False, 9.0), (1.12, True, 9.0))


@dataclass(frozen=True, slots=True)
class Face:
    """The answer for one crop: the chance that it is no pip die, and the chance of each value if it is one."""

    other: float
    values: tuple[float, float, float, float, float, float]

    @property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """Values with their chances, likeliest first."""
        return tuple(sorted(enumerate(self.values, 1), key=lambda pair: (-pair[1], pair[0])))


class FaceReader:
    """Reads the top values of dice."""

    def __init__(self, model: ModelFile) -> None:
        """Open the network.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._session = open_session(model)
        self._input = self._session.get_inputs()[0].name
        self._temperature = model.calibration.get("temperature", 1.0)

    def read(self, crops: Sequence[tuple[Pixels, Find]]) -> list[Face]:
        """The face in each box; every box comes with the picture it counts its pixels in."""
        if not crops:
            return []
        batch = np.stack([crop(picture, find, view) for picture, find in crops for view in VIEWS])
        tensor = batch.transpose(0, 3, 1, 2).astype(np.float32)
        tensor /= 255
        (logits,) = self._session.run(None, {self._input: tensor})
        mean = logits.reshape(len(crops), len(VIEWS), -1).mean(1) / self._temperature
        return [_face(row) for row in mean]


def crop(picture: Pixels, find: Find, view: View = VIEWS[0]) -> Pixels:
    """The square around a box, `SIDE` x `SIDE` x 3; what lies outside the picture is grey."""
    zoom, mirrored, degrees = view
    side = MARGIN * max(find.width, find.height, 1.0) / zoom
    picture, find = _shrink(picture, find, side)
    side = MARGIN * max(find.width, find.height, 1.0) / zoom
    scale, turn = SIDE / side, np.deg2rad(degrees)
    x, y = (find.left + find.right) / 2, (find.top + find.bottom) / 2
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    matrix = np.array([[c, -s, SIDE / 2 - c * x + s * y], [s, c, SIDE / 2 - s * x - c * y]])
    if mirrored:
        matrix[0] *= -1
        matrix[0, 2] += SIDE
    flags = cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(picture, matrix, (SIDE, SIDE), flags=flags, borderValue=_GREY), np.uint8)


def _shrink(picture: Pixels, find: Find, side: float) -> tuple[Pixels, Find]:
    """Cut out and halve a large die until a bilinear warp no longer skips pixels (which would alias the pips)."""
    if side < 2 * SIDE:
        return picture, find
    reach = side
    left, top = max(0, int(find.left - reach / 2)), max(0, int(find.top - reach / 2))
    right, bottom = (
        min(picture.shape[1], int(find.right + reach / 2) + 1),
        min(picture.shape[0], int(find.bottom + reach / 2) + 1),
    )
    shrink = 1.5 * SIDE / side
    size = max(1, round((right - left) * shrink)), max(1, round((bottom - top) * shrink))
    small = cv2.resize(picture[top:bottom, left:right], size, interpolation=cv2.INTER_AREA)
    fx, fy = size[0] / (right - left), size[1] / (bottom - top)
    moved = Find(
        (find.left - left) * fx, (find.top - top) * fy, (find.right - left) * fx, (find.bottom - top) * fy, find.score
    )
    return np.asarray(small, np.uint8), moved


def _face(logits: NDArray[np.float32]) -> Face:
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    die = float(chances[1:].sum())
    one, two, three, four, five, six = (float(p) / max(die, 1e-12) for p in chances[1:])
    return Face(float(chances[0]), (one, two, three, four, five, six))
