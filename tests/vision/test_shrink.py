"""Pictures made smaller by whole numbers, and pieces cut out of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.classify.crop_network import crop, cut_smaller
from vision.detect.boxes import Detection
from vision.shrink import shrunk

_SPOT = (613.0, 447.0)


def _with_spot(width: int, height: int) -> np.ndarray:
    """A dark picture with one light disc, 12 pixels in diameter, around `_SPOT`."""
    picture = np.full((height, width, 3), 20, np.uint8)
    return cv2.circle(picture, (round(_SPOT[0]), round(_SPOT[1])), 6, (250, 250, 250), -1, cv2.LINE_AA)


def _middle(picture: np.ndarray) -> np.ndarray:
    """Where the light of a picture is, x and y, in pixels from its outer edge."""
    light = picture[..., 0].astype(np.float64) - 20
    y, x = np.indices(light.shape) + 0.5
    return np.array([(x * light).sum(), (y * light).sum()]) / light.sum()


@pytest.mark.parametrize("times", [2, 3, 5])
def test_the_mean_of_whole_pixels(times: int) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (64, 47, 3), np.uint8)
    small = shrunk(picture, times)
    high, wide = 64 // times, 47 // times
    blocks = picture[: high * times, : wide * times].reshape(high, times, wide, times, 3).mean((1, 3))
    assert small.shape == (high, wide, 3)
    assert np.abs(small - blocks).max() <= 0.51


def test_what_is_small_already_stays_as_it_is() -> None:
    picture = np.zeros((9, 7, 3), np.uint8)
    assert shrunk(picture, 1) is picture
    assert shrunk(picture, 0) is picture


def test_a_side_shorter_than_that_becomes_one_pixel() -> None:
    strip = np.full((3, 40, 3), 77, np.uint8)
    small = shrunk(strip, 5)
    assert small.shape == (1, 8, 3)
    assert (small == 77).all()


@pytest.mark.parametrize("reach", [150.0, 260.0, 390.0, 700.0])
def test_a_large_piece_stays_in_its_place(reach: float) -> None:
    picture, side = _with_spot(1200, 900), 112
    x, y = _SPOT
    box = Detection(x - reach / 2.8, y - reach / 2.8, x + reach / 2.8, y + reach / 2.8, 0.9)
    view = crop(*cut_smaller(picture, box, reach, side), (1.0, 0.0), side, 1.4)
    assert view.shape == (side, side, 3)
    assert np.abs(_middle(view) - side / 2).max() < 1


def test_only_large_pieces_are_made_smaller() -> None:
    picture, box = _with_spot(1200, 900), Detection(560, 400, 660, 500, 0.9)
    assert cut_smaller(picture, box, 223, 112)[0] is picture
    assert max(cut_smaller(picture, box, 225, 112)[0].shape) < 225
