"""Estimates the plane of the table from several tiles, and warps the picture to a view from above.

`vision.slant` undoes the foreshortening towards the horizon; this also undoes the perspective, by which nearer tiles look larger.
A camera rotated to look straight down sees the table from above, and a rotation acts on the picture as a homography (Hartley and
Zisserman, "Multiple View Geometry in Computer Vision", 2nd edition, 2004, section 8.4). The rotation and the focal length are
those that make the tiles rectangles twice as long as wide, all of one size.
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
"""How many tiles it takes to estimate a plane; and to be certain of it without `vision.slant`."""
_LENSES = (0.8, 1.0, 1.4, 2.0, 4.0)
"""Focal lengths that are tried, over the picture's longer side; the last has hardly any perspective."""
_USUAL, _UNUSUAL = 1.2, 0.01
"""The focal length of most phones, and the penalty on another one for each factor of e between them."""
_TILTS = np.radians(np.arange(-66, 67, 3))
_HORIZON = 0.15
"""Least transformed depth of every corner of a tile, over that at the picture's centre: 0 is the horizon."""
_SHOWN = 0.4
"""Least such depth that the view from above shows: beyond, it would become too large."""
_GRID = 25
_ACCEPTED = 0.25
"""The largest error, the tiles' deviation from such rectangles, at which the plane is certain."""
_SLANTED = 1.12
"""The least stretch at which it is: 63 degrees over the table."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Plane:
    """The plane of a table.

    Attributes:
        matrix: 3 x 3, the homography from the picture to the view from above.
        stretch: the stretch for the centre of the picture, as `vision.slant.stretch_of`.
        certain: whether enough tiles agree, so that the plane holds even if no single stretch fits all of them.
    """

    matrix: Matrix
    stretch: float
    certain: bool

    def lies_flat(self, tile: Quad) -> bool:
        """Whether a tile of the picture has the proportions of a tile in the view from above."""
        corners, depth = _warped(self.matrix, np.array(tile))
        return bool((depth > 0).all() and max(off_rectangle(corners)) <= FLAT)


@dataclass(frozen=True, eq=False, slots=True)
class FromAbove:
    """A picture warped to the view from above.

    Attributes:
        picture: H x W x 3; at the centre, neither direction has fewer pixels than before.
        matrix: 3 x 3, the homography back to the original picture, whose height and width are `shape`.
    """

    picture: Pixels
    matrix: Matrix
    shape: tuple[int, ...]

    @classmethod
    def of(cls, picture: Pixels, plane: Plane) -> FromAbove:
        """The view of a picture (H x W x 3), without what lies too far away."""
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

    def to_original(self, tile: Detection) -> Detection:
        """A tile detected in this view, in the pixels of the original picture."""
        corners, _ = _warped(self.matrix, np.array(tile.corners))
        a, b, c, d = ((float(x), float(y)) for x, y in corners)
        (left, top), (right, bottom) = corners.min(0).tolist(), corners.max(0).tolist()
        there = replace(tile, left=left, top=top, right=right, bottom=bottom, quad=(a, b, c, d), rectangle=None)
        return there.clipped(self.shape)


def plane_of(tiles: Sequence[Quad], shape: Sequence[int]) -> Plane | None:
    """The plane of the table on which these tiles lie; None where they are too few.

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
    """Homographies (n x 3 x 3) of camera rotations about the picture's horizontal or vertical axis, their stretches, and the
    penalties on their focal lengths. The transformed depth is 1 at the picture's centre.
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
    """Points (... x 2) after a homography, and their depths; meaningless where the depth is not positive, behind the camera."""
    there = np.concatenate([points, np.ones_like(points[..., :1])], -1) @ np.swapaxes(matrix, -1, -2)
    depth = there[..., 2]
    return there[..., :2] / np.where(depth > 0, depth, np.inf)[..., None], depth


def _area(corners: Matrix) -> Matrix:
    """The area of quadrilaterals (... x 4 x 2): the shoelace formula, by their diagonals."""
    (x, y), (u, v) = (np.moveaxis(corners[..., i + 2, :] - corners[..., i, :], -1, 0) for i in (0, 1))
    return np.asarray(np.abs(x * v - y * u) / 2)


def _slope(matrix: Matrix, x: float, y: float) -> Matrix:
    """The Jacobian of a homography at a point, 2 x 2."""
    u, v, depth = matrix @ np.array([x, y, 1.0])
    return np.asarray((matrix[:2, :2] - np.outer([u, v], matrix[2, :2]) / depth) / depth)
