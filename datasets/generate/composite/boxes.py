"""Rounded boxes with a picture on top, their light, and the canvas that they are drawn on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.generate.composite.camera import Camera
from datasets.generate.parts.layouts.spots import Points, Spot, footprint
from datasets.generate.parts.outlines import hull
from datasets.generate.parts.tile_faces import Floats

_CORNERS = np.repeat(np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], float), 5, axis=0)
_TURNS = np.concatenate([np.linspace(0, math.pi / 2, 5) + quarter * math.pi / 2 for quarter in range(4)])
_ROUND = np.stack([np.cos(_TURNS), np.sin(_TURNS)], -1)
"""A rounded rectangle: for each of its points the corner it belongs to, and the direction outward from that corner's centre."""


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp: its direction (unit vector), its share of the light on the table, its colour and strength."""

    way: Points
    direct: float
    colour: Floats
    soft: float
    """Blur of the shadows, in widths of a tile."""

    def on(self, normal: Points) -> float:
        """The light on a surface relative to the table's; a vertical one sees only half of the sky."""
        sky = (1 - self.direct) * (0.6 + 0.4 * normal[2])
        return float(sky + self.direct * max(0.0, float(normal @ self.way)) / self.way[2])


@dataclass(frozen=True, slots=True)
class Block:
    """A box with a picture on top: centre of its foot, rotation, length, width, height, radius of its corners.

    `face` is the picture on top (h x w x 3, squares of the stored values), `side` the colour of its flanks and `under` that of
    their lower part. `front` is the picture of a piece standing on an edge, on the flank between the corners 3 and 2, and `lean`
    the offset of its top behind its foot, over its height.
    """

    foot: tuple[float, float, float]
    turn: float
    size: tuple[float, float, float]
    radius: float
    face: Floats
    side: Floats
    under: Floats
    front: Floats | None = None
    lean: float = 0.0

    @property
    def ahead(self) -> Points:
        """The direction that the front faces, along the table (unit vector, 3)."""
        return np.array([math.sin(self.turn), -math.cos(self.turn), 0.0])

    def front_corners(self) -> Points:
        """The corners of the front: left top, right top, right foot, left foot, as seen from the front (4 x 3)."""
        top, foot = self.corners(1), self.corners(0)
        return np.array([top[3], top[2], foot[2], foot[3]])

    def corners(self, height: float) -> Points:
        """The unrounded corners at a share of the height, 4 x 3."""
        spot = Spot(self.foot[0], self.foot[1], self.turn, (0, 0))
        return self._raised(footprint(spot, self.size[0], self.size[1]), height)

    def rim(self, height: float) -> Points:
        """The rounded outline at a share of the height, 20 x 3."""
        middle = np.array(self.size[:2]) / 2 - self.radius
        arcs = _CORNERS * middle + _ROUND * self.radius
        c, s = math.cos(self.turn), math.sin(self.turn)
        return self._raised(arcs @ np.array([[c, s], [-s, c]]) + self.foot[:2], height)

    def _raised(self, flat: Points, height: float) -> Points:
        up = height * self.size[2]
        return np.column_stack([flat - self.lean * up * self.ahead[:2], np.full(len(flat), self.foot[2] + up)])


@dataclass
class Canvas:
    """A picture in progress: squares of the stored values (h x w x 3), and the piece that shows at each pixel (0: none)."""

    pixels: Floats
    owner: NDArray[np.int16]
    camera: Camera
    light: Light
    glare: Floats

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.owner.shape[1], self.owner.shape[0]


def silhouette(eye: Camera, block: Block) -> Floats:
    """The outline of a box in the picture, a convex polygon in pixels (n x 2)."""
    return hull(eye.project(np.concatenate([block.rim(0), block.rim(1)])))
