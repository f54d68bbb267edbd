"""What a die is and what it shows: one small network on a crop of each die, cut from the most pixels there are (ONNX Runtime).

It names kind and value together: nothing, another die (d4, d8, d10, d20, a cube without pips), pips 1 to 6, or a twelve-sided
die's 1 to 12. Logits are averaged over the views of a crop and calibrated with a temperature (Guo et al., "On Calibration of
Modern Neural Networks", ICML 2017) that the manifest carries. Trained by `python -m datasets.train.dice`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.detect.boxes import Detection
from vision.onnx_session import open_session
from vision.photo import Pixels
from vision.reading import DieKind

SIDE = 112
"""Pixels of the square crop that the network looks at."""
MARGIN = 1.4
"""Side of the crop over the longer side of the die's box: what lies around a die tells where it ends."""
DIE_KINDS: tuple[DieKind, ...] = ("d6", "d12")
CLASSES = ("nothing", "other", *(f"pip {n}" for n in range(1, 7)), *(f"d12 {n}" for n in range(1, 13)))
"""What the network tells apart, in the order of its answers."""
_VALUES: dict[DieKind, slice] = {"d6": slice(2, 8), "d12": slice(8, 20)}
_GREY = (114, 114, 114)

View = tuple[float, float]
"""How a crop is taken: zoom, and turned by degrees. Never mirrored: that would change numerals."""
VIEWS: tuple[View, ...] = ((1.0, 0.0), (1.08, 5.0))


@dataclass(frozen=True, slots=True)
class Face:
    """The answer for one crop, for a die of one kind: `other`, the chance that it is no such die, and if it is, of each value."""

    other: float
    values: tuple[float, ...]
    kind: DieKind = "d6"

    @property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """Values with their chances, likeliest first."""
        return tuple(sorted(enumerate(self.values, 1), key=lambda pair: (-pair[1], pair[0])))


class DiceReader:
    """Reads dice of all kinds."""

    def __init__(self, model: ModelFile, views: Sequence[View] = VIEWS) -> None:
        """Open the network; it will see every die in all `views`.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._session = open_session(model)
        self._input = self._session.get_inputs()[0].name
        self._views = tuple(views)
        self._temperature = model.calibration.get("temperature", 1.0)

    def read(
        self, crops: Sequence[tuple[Pixels, Detection]], kinds: Collection[DieKind] = DIE_KINDS
    ) -> list[Face]:
        """The likeliest face in each box, of a die of one of `kinds`; every box comes with the picture it counts its pixels in."""
        return [face_of(row, kinds) for row in self.chances(crops)]

    def chances(self, crops: Sequence[tuple[Pixels, Detection]]) -> NDArray[np.float64]:
        """The calibrated chance of each of `CLASSES` for each box (n x classes)."""
        if not crops:
            return np.zeros((0, len(CLASSES)))
        sized = [shrunk(picture, detection, _reach(detection), SIDE) for picture, detection in crops]
        batch = np.stack([crop(picture, detection, view) for picture, detection in sized for view in self._views])
        tensor = batch.transpose(0, 3, 1, 2).astype(np.float32)
        tensor /= 255
        (logits,) = self._session.run(None, {self._input: tensor})
        return softmax(logits.reshape(len(crops), len(self._views), -1).mean(1) / self._temperature)


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Chances from logits, along the last axis."""
    powers = np.exp(logits.astype(np.float64) - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def face_of(chances: NDArray[np.float64], kinds: Collection[DieKind] = DIE_KINDS) -> Face:
    """What the chances of `CLASSES` say of a die of the likeliest of some kinds; dice of the other kinds are none of these."""
    kind = max((kind for kind in DIE_KINDS if kind in kinds), key=lambda kind: float(chances[_VALUES[kind]].sum()))
    values = chances[_VALUES[kind]]
    share = float(values.sum())
    return Face(1 - share, tuple(float(p) / max(share, 1e-12) for p in values), kind)


def crop(picture: Pixels, detection: Detection, view: View) -> Pixels:
    """The square around a box, `SIDE` x `SIDE` x 3; what lies outside the picture is grey."""
    zoom, degrees = view
    scale, turn = SIDE / _reach(detection) * zoom, np.deg2rad(degrees)
    x, y = detection.middle
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    matrix = np.array([[c, -s, SIDE / 2 - c * x + s * y], [s, c, SIDE / 2 - s * x - c * y]])
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
