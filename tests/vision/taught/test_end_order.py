"""Which end of a taught tile shows what: told by the other tiles of the profile, and by nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from vision.taught.end_order import order_ends

TILES = [(0, 1), (1, 2), (2, 2), (2, 3), (0, 3), (1, 3)]


def looks(tiles: list[tuple[int, int]], noise: float = 0.1, seed: int = 1) -> np.ndarray:
    """What both ends of tiles look like: close to one of four pictures."""
    rng = np.random.default_rng(seed)
    points = np.eye(4, 30)[np.array(tiles)] + rng.normal(0, noise, (len(tiles), 2, 30))
    return np.asarray(points, np.float32)


@pytest.mark.parametrize("seed", range(5))
def test_tiles_tell_each_other_which_end_shows_what(seed: int) -> None:
    rng = np.random.default_rng(seed)
    said = [ends[::-1] if rng.random() < 0.5 else ends for ends in TILES]
    assert order_ends(said, looks(TILES, seed=seed), [False] * len(TILES)) == TILES


def test_a_tile_of_which_nothing_tells_is_left_out() -> None:
    assert order_ends([(3, 1)], looks([(1, 3)]), [False]) == [None]
    assert order_ends([(3, 1), (0, 0)], looks([(1, 3), (0, 0)]), [False, True]) == [None, (0, 0)]


def test_tiles_that_could_all_be_turned_together_are_left_out() -> None:
    tiles = [(1, 3), (1, 3)]
    assert order_ends([(3, 1), (1, 3)], looks(tiles), [False, False]) == [None, None]
    assert order_ends([(3, 1), (1, 3)], looks(tiles), [False, True]) == tiles


def test_an_order_that_is_known_stays() -> None:
    assert order_ends([(3, 1), (1, 1)], looks([(1, 3), (1, 1)]), [True, True]) == [(3, 1), (1, 1)]
