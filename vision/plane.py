"""How a table lies before the camera, told by several tiles on it, and what lies on it as seen from above.

`vision.slant` undoes the squeeze towards the horizon; this undoes the perspective as well, by which nearer tiles are larger than
farther ones. Turned, the camera would see the table as from above, and a turn only warps the picture (Hartley and
Zisserman, "Multiple View Geometry in Computer Vision", 2nd edition, 2004, section 8.4). The turn and the lens are those that make
the tiles rectangles twice as long as wide, all of one size.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.boxes import Detection
from vision.photo import GREY, Pixels
from vision.reading import Quad
from vision.slant import FLAT, OUTLIER, off_rectangle

_FEWEST, _TELLING = 2, 4
"""Tiles that show a perspective; and those that are believed alone that the table is seen at a slant."""
_LENSES = (0.8, 1.0, 1.4, 2.0, 4.0)
"""Focal lengths over the picture's longer side; the last is nearly none of perspective,"""
_USUAL, _UNUSUAL = 1.2, 0.01
"""that of most phones, and how much a lens loses for being another, for each factor of e."""
_TILTS = np.radians(np.arange(-66, 67, 3))
_HORIZON = 0.15
"""Depth, over that of the picture's middle, that all tiles have at least."""
_SHOWN = 0.4
"""What is farther away than that is not shown from above: it would become too large."""
_GRID = 25
_ACCEPTED = 0.25
"""How far tiles are from such rectangles at most, where they are believed."""
_SLANTED = 1.12
"""The squeeze from which they are: 63 degrees over the table."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Plane:
    """How a table lies.

    Attributes:
        matrix: 3 x 3, from points of the picture to where they lie as seen from above.
        stretch: how many times as high or wide the middle of the picture has to become, as `vision.slant.stretch_of`.
        certain: whether enough tiles agree, so that they are believed though one stretch for all of them does not fit.
    """

    matrix: Matrix
    stretch: float
    certain: bool

    def lies_flat(self, tile: Quad) -> bool:
        """Whether a tile of the picture looks like one from above."""
        corners, depth = _warped(self.matrix, np.array(tile))
        return bool((depth > 0).all() and max(off_rectangle(corners)) <= FLAT)


@dataclass(frozen=True, eq=False, slots=True)
class FromAbove:
    """A picture as seen from above.

    Attributes:
        picture: H x W x 3; no side of what is in the middle gets fewer pixels.
        matrix: 3 x 3, from its points to those of the picture as it was, whose height and width are `shape`.
    """

    picture: Pixels
    matrix: Matrix
    shape: tuple[int, ...]

    @classmethod
    def of(cls, picture: Pixels, plane: Plane) -> FromAbove:
        """The part of a picture (H x W x 3) that does not lie too far away."""
        height, width = picture.shape[:2]
        scale = 1 / np.linalg.svd(_slope(plane.matrix, width / 2, height / 2))[1].min()
        points = np.stack(np.meshgrid(np.linspace(0, width, _GRID), np.linspace(0, height, _GRID)), -1).reshape(-1, 2)
        there, depth = _warped(plane.matrix, points)
        there = scale * there[depth >= _SHOWN]
        (left, top), (right, bottom) = there.min(0), there.max(0)
        matrix = np.array([[scale, 0, -left], [0, scale, -top], [0, 0, 1]]) @ plane.matrix
        size = math.ceil(right - left), math.ceil(bottom - top)
        shown = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_CUBIC, borderValue=GREY)
        return cls(np.asarray(shown, np.uint8), np.asarray(np.linalg.inv(matrix), np.float64), picture.shape)

    def as_it_was(self, tile: Detection) -> Detection:
        """A tile found in it, where it lies in the picture before."""
        corners, _ = _warped(self.matrix, np.array(tile.corners))
        a, b, c, d = ((float(x), float(y)) for x, y in corners)
        (left, top), (right, bottom) = corners.min(0).tolist(), corners.max(0).tolist()
        there = replace(tile, left=left, top=top, right=right, bottom=bottom, quad=(a, b, c, d), rectangle=None)
        return there.clipped(self.shape)


def plane_of(tiles: Sequence[Quad], shape: Sequence[int]) -> Plane | None:
    """How the table lies on which these tiles do; None where they are too few to tell.

    Args:
        tiles: the corners of their faces in turn, beginning with a long side.
        shape: of the picture: height, width.
    """
    if len(tiles) < _FEWEST:
        return None
    matrices, stretches, unusual = _turns(*shape[:2])
    corners, depth = _warped(matrices[:, None], np.array(tiles))
    proportion, lean = off_rectangle(corners)
    sides = np.log(np.maximum(_area(corners), 1e-9)) / 2
    sizes = np.abs(sides - np.median(sides, axis=1, keepdims=True))
    errors = sum(np.minimum(each, OUTLIER).mean(1) for each in (proportion, lean, sizes)) + unusual
    errors = np.where((depth > _HORIZON).all((1, 2)), errors, np.inf)
    best = int(errors.argmin())
    stretch = float(stretches[best])
    certain = len(tiles) >= _TELLING and errors[best] <= _ACCEPTED and max(stretch, 1 / stretch) >= _SLANTED
    return Plane(matrices[best], stretch, bool(certain))


@functools.lru_cache(maxsize=8)
def _turns(height: int, width: int) -> tuple[Matrix, Matrix, Matrix]:
    """What turns of a camera about either side of its picture do to the picture (n x 3 x 3), the stretch of each, and how unusual
    its lens is. The depth of the picture's middle is 1.
    """
    matrices, stretches, unusual = [], [], []
    for lens in _LENSES:
        focal = lens * max(height, width)
        camera = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
        for tilt in _TILTS:
            c, s = math.cos(tilt), math.sin(tilt)
            up, sideways = ((1, 0, 0), (0, c, -s), (0, s, c)), ((c, 0, s), (0, 1, 0), (-s, 0, c))
            for turn, stretch in ((up, 1 / c), (sideways, c)):
                matrices.append(camera @ np.array(turn) @ np.linalg.inv(camera) / c)
                stretches.append(stretch)
                unusual.append(_UNUSUAL * abs(math.log(lens / _USUAL)))
    return np.array(matrices), np.array(stretches), np.array(unusual)


def _warped(matrix: Matrix, points: Matrix) -> tuple[Matrix, Matrix]:
    """Points (... x 2) after a warp, and their depths; behind the camera they are anywhere."""
    there = np.concatenate([points, np.ones_like(points[..., :1])], -1) @ np.swapaxes(matrix, -1, -2)
    depth = there[..., 2]
    return there[..., :2] / np.where(depth > 0, depth, np.inf)[..., None], depth


def _area(corners: Matrix) -> Matrix:
    """Of quadrilaterals (... x 4 x 2): the shoelace formula, by their diagonals."""
    (x, y), (u, v) = (np.moveaxis(corners[..., i + 2, :] - corners[..., i, :], -1, 0) for i in (0, 1))
    return np.asarray(np.abs(x * v - y * u) / 2)


def _slope(matrix: Matrix, x: float, y: float) -> Matrix:
    """How a warp changes lengths around a point: its Jacobian, 2 x 2."""
    u, v, depth = matrix @ np.array([x, y, 1.0])
    return np.asarray((matrix[:2, :2] - np.outer([u, v], matrix[2, :2]) / depth) / depth)
