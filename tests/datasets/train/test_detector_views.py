"""What the detector is shown of a training picture beside the picture as it is."""

import numpy as np
import pytest

from datasets.labels.photos import Box
from datasets.train.detector_views import closeup, part, poor


def test_a_close_up_moves_the_labels_along_and_drops_what_is_outside():
    pixels = np.zeros((400, 600, 3), np.uint8)
    pixels[100:140, 200:280] = 255
    quad = ((200.0, 100.0), (280.0, 100.0), (280.0, 140.0), (200.0, 140.0))
    tile = Box(200, 100, 280, 140, None, kind="domino", ends=(1, 2), quad=quad)
    far = Box(500, 300, 540, 340, 4)
    for seed in range(20):
        found = closeup(pixels, [tile, Box(560, 0, 570, 10, 2)], np.random.default_rng(seed))
        assert found is not None
        view, (box, *_) = found
        assert view.shape[0] == view.shape[1] <= 240
        ys, xs = np.nonzero(view[..., 0])
        assert (xs.min(), ys.min()) == pytest.approx((max(0, box.left), max(0, box.top)), abs=1)
        assert box.quad is not None
        assert box.quad[0] == (box.left, box.top)
    nothing_left = closeup(pixels, [far], np.random.default_rng(1))
    assert nothing_left is not None
    assert all(box.right <= 140 for box in nothing_left[1])


def test_no_close_up_of_a_speck():
    assert closeup(np.zeros((50, 50, 3), np.uint8), [Box(0, 0, 9, 9, 1)], np.random.default_rng(0)) is None


def test_a_part_of_a_picture_is_a_square_of_it():
    pixels = np.arange(60 * 90).reshape(60, 90, 1)
    for seed in range(20):
        view = part(pixels, np.random.default_rng(seed))
        assert view.shape[0] == view.shape[1]
        assert 15 <= view.shape[0] <= 42


def test_a_poor_view_is_a_small_window_around_a_piece_with_its_box():
    pixels = np.full((480, 640, 3), 40, np.uint8)
    pixels[200:260, 300:360] = 230
    die, far = Box(300, 200, 360, 260, 3), Box(0, 0, 20, 20, 2)
    for seed in range(20):
        view, boxes = poor(pixels, [die], np.random.default_rng(seed))
        assert view.shape[0] == view.shape[1]
        assert 120 <= view.shape[0] <= 320
        (box,) = boxes
        assert 10 <= box.right - box.left <= 41
        inside = view[round(box.top) + 2 : round(box.bottom) - 2, round(box.left) + 2 : round(box.right) - 2]
        assert inside.mean() > 180
        assert view.mean() < 100
    assert all(len(poor(pixels, [die, far], np.random.default_rng(seed))[1]) >= 1 for seed in range(20))


def test_a_poor_view_of_an_empty_table_has_no_piece():
    view, boxes = poor(np.full((300, 200, 3), 90, np.uint8), [], np.random.default_rng(2))
    assert boxes == []
    assert view.mean() == pytest.approx(90, abs=4)
