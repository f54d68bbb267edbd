"""Tiles and their places on the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.drawings import Rng

Points = NDArray[np.float64]
Ends = tuple[int, int]
Pose = Literal["up", "down", "edge", "standing", "upright", "away"]
"""Face up; face down; on a long edge, no face visible; on a long edge, or on a short one, its face to the front; on a long
edge, its back to the front."""
STANDING: tuple[Pose, ...] = ("standing", "upright", "away")
"""Tiles whose front is visible; it is the long side from corner 3 to corner 2 of the footprint."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A tile on the table: its centre, the direction from its first to its second end (radians), its storey.

    `lean`: the offset of a standing tile's top behind its foot, over its height.
    """

    x: float
    y: float
    turn: float
    ends: Ends
    storey: int = 0
    pose: Pose = "up"
    lean: float = 0.0


@dataclass
class Deck:
    """The tiles of a set that are not laid yet, and a tile's length over its width."""

    rng: Rng
    tiles: list[Ends]
    long: float

    def take(self, value: int | None = None) -> Ends:
        """A tile whose first end is `value`, if one is left; otherwise any. An empty deck gives made-up tiles."""
        at = next((i for i, ends in enumerate(self.tiles) if value in ends), 0 if self.tiles else None)
        if at is None:
            return (value or 0, int(self.rng.integers(7)))
        a, b = self.tiles.pop(at)
        turned = b == value or (value is None and self.rng.random() < 0.5)
        return (b, a) if turned else (a, b)


def deck(rng: Rng, set_size: int, long: float) -> Deck:
    """All tiles up to the double `set_size`, shuffled."""
    tiles = [(a, b) for a in range(set_size + 1) for b in range(a, set_size + 1)]
    return Deck(rng, [tiles[i] for i in rng.permutation(len(tiles))], long)


def footprint(spot: Spot, long: float, wide: float = 1.0, grow: float = 1.0) -> Points:
    """The four corners on the table, 4 x 2: 0 -> 1 a long side, the first end between 0 and 3."""
    u = np.array([math.cos(spot.turn), math.sin(spot.turn)]) * long / 2 * grow
    v = np.array([-math.sin(spot.turn), math.cos(spot.turn)]) * wide / 2 * grow
    return np.asarray(np.array([spot.x, spot.y]) + np.array([v - u, v + u, u - v, -u - v]))


def collides(spot: Spot, others: Sequence[Spot], long: float) -> bool:
    """Whether a tile overlaps one of the others; touching does not count."""
    mine = footprint(spot, long, grow=0.97).astype(np.float32)
    near = (o for o in others if math.dist((o.x, o.y), (spot.x, spot.y)) < long * 1.2)
    return any(cv2.intersectConvexConvex(mine, footprint(o, long, grow=0.97).astype(np.float32))[0] > 0 for o in near)
