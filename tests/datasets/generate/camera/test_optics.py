"""Shaken and coarse pictures: what was in the middle stays there, and light is neither lost nor won."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from datasets.generate.camera.optics import enlarged, shaken


def spot() -> np.ndarray:
    picture = np.zeros((41, 61, 3), np.float32)
    picture[20, 30] = 1
    return picture


@pytest.mark.parametrize("turn", [0, 0.7, math.pi / 2, 2.5])
def test_a_shaken_point_is_a_line_around_where_it_was(turn: float) -> None:
    line = shaken(spot(), turn, 8)[..., 0]
    ys, xs = np.nonzero(line)
    assert line.sum() == pytest.approx(1, abs=1e-5)
    assert (ys.mean(), xs.mean()) == pytest.approx((20, 30))
    assert np.hypot(np.ptp(ys), np.ptp(xs)) == pytest.approx(8, abs=1.5)


def test_an_enlarged_picture_has_its_size_and_fewer_details() -> None:
    stripes = np.tile(np.array([0, 1], np.float32)[None, :, None], (40, 30, 3))
    coarse = enlarged(stripes, 20, 14, cv2.INTER_LINEAR)
    assert coarse.shape == stripes.shape
    assert coarse.std() < stripes.std() / 2
    assert coarse.mean() == pytest.approx(stripes.mean(), abs=0.05)
