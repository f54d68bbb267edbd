"""How the ends of labelled tiles are cut for the reader of ends."""

import numpy as np
import pytest

from datasets.train.training_crops import by_corners, smallest

TILE = ((100.0, 10.0), (110.0, 90.0), (66.0, 84.0), (70.0, 14.0))


def test_corners_are_off_by_hundredths_of_a_width_and_keep_their_order():
    rng = np.random.default_rng(0)
    off = np.array([np.array(by_corners(TILE, rng)) - TILE for _ in range(500)])
    assert np.abs(off.mean((0, 1))).max() < 0.3
    assert off.std() == pytest.approx(0.03 * 2**0.5 * 30.27, rel=0.1)


def test_a_slanted_tile_is_cut_by_the_rectangle_around_it():
    rectangle = np.array(smallest(TILE, TILE))
    sides = rectangle - np.roll(rectangle, 1, 0)
    assert abs(sides[0] @ sides[1]) < 1e-3 * np.linalg.norm(sides[0]) * np.linalg.norm(sides[1])
    assert np.abs(rectangle - TILE).max() < 15
