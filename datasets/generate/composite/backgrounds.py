"""The background of a scene: a photo with its dice, or a drawn table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.drawings import Colour, Rng, any_colour
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.outlines import inside
from datasets.generate.parts.paint import noise, squares
from datasets.generate.parts.tile_faces import Floats, Style
from datasets.labels import photos

OTHER_DIE = -1
"""Stands in for the value of a die of another kind."""
_LONGEST = 640
"""The longest side of a picture, in pixels."""


@dataclass
class Ground:
    """A background: pixels (squares of the stored values) and the dice in them, boxes n x 4 and values.

    A die of another kind has the value `OTHER_DIE`, an unreadable one 0.
    """

    pixels: Floats
    boxes: Points = field(default_factory=lambda: np.zeros((0, 4)))
    values: tuple[int, ...] = ()
    view: float = 90.0
    """The camera's elevation over the table in degrees: estimated from the photo's source."""
    drawn: bool = True

    @property
    def grey(self) -> bool:
        """Whether it is a grey photo."""
        return not self.drawn and bool(np.ptp(self.pixels[::16, ::16], axis=2).mean() < 0.01)


def any_photo(rng: Rng, sources: Sequence[photos.Labelled]) -> photos.Labelled:
    """A random photo; folders are weighted by the root of their size, so that the largest does not dominate."""
    folders = sorted({source.source for source in sources})
    groups = [[source for source in sources if source.source == folder] for folder in folders]
    weights = np.sqrt([len(group) for group in groups])
    group = groups[rng.choice(len(groups), p=weights / weights.sum())]
    return group[int(rng.integers(len(group)))]


def from_photo(rng: Rng, source: photos.Labelled) -> Ground:
    """A photo, randomly turned, mirrored and cropped, at most 640 pixels long, with the dice that remain.

    Raises:
        FileNotFoundError: OpenCV cannot read the photo.
    """
    image = cv2.imread(str(source.path))
    if image is None:
        raise FileNotFoundError(source.path)
    boxes = np.array([(b.left, b.top, b.right, b.bottom) for b in source.boxes], float).reshape(-1, 4)
    image, boxes = _turned(rng, image[..., ::-1], boxes)
    left, top, right, bottom = _cut(rng, image.shape[:2], boxes)
    scale = min(1.0, rng.uniform(0.8, 1) * _LONGEST / max(right - left, bottom - top))
    size = (round((right - left) * scale), round((bottom - top) * scale))
    pixels = np.asarray(cv2.resize(image[top:bottom, left:right], size, interpolation=cv2.INTER_AREA), np.uint8)
    boxes = (boxes - (left, top, left, top)) * scale
    view = 80.0 if any(box.turnable for box in source.boxes) else 50.0
    values = tuple(OTHER_DIE if box.kind == "other die" else box.value or 0 for box in source.boxes)
    return Ground(squares(pixels), boxes, values, view, drawn=False)


def _turned(rng: Rng, image: NDArray[Any], boxes: Points) -> tuple[NDArray[Any], Points]:
    height, width = image.shape[:2]
    if rng.random() < 0.5:
        image, boxes = image[:, ::-1], boxes[:, [2, 1, 0, 3]] * (-1, 1, -1, 1) + (width, 0, width, 0)
    if rng.random() < 0.5:
        image, boxes = image[::-1], boxes[:, [0, 3, 2, 1]] * (1, -1, 1, -1) + (0, height, 0, height)
    if rng.random() < 0.5:
        image, boxes = image.transpose(1, 0, 2), boxes[:, [1, 0, 3, 2]]
    return image, boxes


def _cut(rng: Rng, shape: tuple[int, ...], boxes: Points) -> tuple[int, int, int, int]:
    """A window of the photo; of some random ones the one that cuts the fewest dice."""
    best, fewest = (0, 0, shape[1], shape[0]), math.inf
    for _ in range(6):
        w, h = (round(side * rng.uniform(0.6, 1)) for side in (shape[1], shape[0]))
        x, y = int(rng.integers(shape[1] - w + 1)), int(rng.integers(shape[0] - h + 1))
        part = (x, y, x + w, y + h)
        seen = inside(boxes, part)
        cut = int(((seen > 0) & (seen < 1)).sum())
        if cut < fewest:
            best, fewest = part, cut
    return best


def drawn(rng: Rng, style: Style, matched: str) -> Ground:
    """A drawn table; `matched`: "like on like" for the tiles' colour, "dark on grey" for grey, or "any"."""
    long = int(rng.integers(512, _LONGEST + 1))
    short = round(long * rng.choice([1.0, 0.75, 0.5625]))
    size = (long, short) if rng.random() < 0.65 else (short, long)
    colour = any_colour(rng)
    if matched == "like on like":
        near = np.clip(np.array(style.body) * rng.uniform(0.8, 1.1) + rng.normal(0, 0.03, 3), 0.02, 1)
        colour = (near[0], near[1], near[2])
    elif matched == "dark on grey" or rng.random() < 0.35:
        grey = np.clip(rng.uniform(0.35, 0.85) * np.exp(rng.normal(0, 0.03, 3)), 0, 1)
        colour = (grey[0], grey[1], grey[2])
    return Ground(_plain(rng, size, colour))


def _plain(rng: Rng, size: tuple[int, int], colour: Colour) -> Floats:
    """A desk, cloth or wood in a colour, height x width x 3."""
    width, height = size
    base = np.array(colour, np.float32)
    kind = rng.choice(["desk", "cloth", "wood"], p=[0.55, 0.25, 0.2])
    if kind == "wood":
        grain = noise(rng, (height, width), (height // 6, 4)) * 0.6 + noise(rng, (height, width), (12, 2)) * 0.4
    else:
        grain = noise(rng, (height, width), (5, 7))
    rough = np.float32(rng.uniform(0, 0.1 if kind == "cloth" else 0.03))
    fine = rng.standard_normal((height, width), np.float32) * rough
    if kind == "cloth":
        fine = np.asarray(cv2.blur(fine, (1, 3) if rng.random() < 0.5 else (2, 2)))
    depth = np.float32(rng.uniform(0.1, 0.5) if kind == "wood" else rng.uniform(0, 0.15))
    level = 1 + (grain - 0.5) * depth + fine
    return np.asarray(np.clip(level[..., None] * base, 0, 1) ** 2, np.float32)
