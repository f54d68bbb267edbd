"""What the network that finds the corners of tiles learns from; the detector is made up."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels.photos import Box, Labelled
from datasets.train.outline_crops import AROUND, OutlineCrops, cut, nearest, plain, varied
from vision.classify.outlines import HEIGHT, WIDTH
from vision.detect.boxes import Detection, Outline

COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0))
FACE = ((150.0, 60.0), (190.0, 140.0), (140.0, 150.0), (120.0, 70.0))
"""A tile seen at a slant, corner 0 to 1 a long side."""


class Finder:
    """Finds one tile with this outline."""

    def __init__(self, *outline: tuple[float, float]) -> None:
        self.outline = outline

    def detect(self, picture):
        if not self.outline:
            return []
        box = Outline.around(self.outline)
        return [Detection(box.left, box.top, box.right, box.bottom, 0.9, "tile", box.quad)]


@pytest.fixture
def scene(tmp_path: Path) -> Labelled:
    """A dark picture with a dot of its own colour at each corner of the face."""
    pixels = np.zeros((220, 300, 3), np.uint8)
    for (x, y), colour in zip(FACE, COLOURS, strict=True):
        cv2.circle(pixels, (round(x), round(y)), 4, colour[::-1], -1)
    cv2.imwrite(str(tmp_path / "a.png"), pixels)
    tile = Box(120, 60, 190, 150, None, kind="domino", ends=(1, 2), quad=FACE)
    return Labelled(tmp_path / "a.png", "renders", (tile,), held_out=True)


def colours_at(pixels, corners):
    """Which of the colours is at each corner (shares of the sides)."""
    places = (corners * pixels.shape[1::-1]).round().astype(int)
    return [int(np.argmin([np.abs(pixels[y, x].astype(int) - c).sum() for c in COLOURS])) for x, y in places]


def test_a_tile_is_cut_by_the_outline_of_the_detector_and_by_one_that_is_made_up(scene: Labelled):
    around = cv2.boxPoints(cv2.minAreaRect(np.array(FACE, np.float32))).tolist()
    outline = nearest(around, FACE).tolist()
    rows = list(cut(scene, Finder(*outline)))
    assert [found for *_, found in rows] == [True, False]
    for pixels, corners, held_out, _ in rows:
        assert held_out
        assert pixels.shape == (HEIGHT * AROUND, WIDTH * AROUND, 3)
        assert colours_at(pixels, corners) == [0, 1, 2, 3]
        shown, there = plain(pixels, corners)
        assert shown.shape == (HEIGHT, WIDTH, 3)
        assert colours_at(shown, there) == [0, 1, 2, 3]


def test_what_the_detector_does_not_find_is_cut_by_a_made_up_outline_alone(scene: Labelled):
    assert [found for *_, found in cut(scene, Finder())] == [False]
    assert [found for *_, found in cut(scene, Finder((0, 0), (20, 0), (20, 10), (0, 10)))] == [False]


def test_corners_move_with_the_pixels(scene: Labelled):
    pixels, corners, *_ = next(iter(cut(scene, Finder())))
    rng = np.random.default_rng(0)
    ways = set()
    for _ in range(40):
        shown, there = varied(pixels, corners, rng)
        if (there > 0.02).all() and (there < 0.98).all():
            # The order of the corners stays that of the crop: right top, right bottom, left bottom, left top.
            assert there[0, 1] < there[1, 1]
            assert there[3, 0] < there[0, 0]
            ways.add(tuple(colours_at(shown, there)))
    assert ways == {(0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 3, 2), (2, 3, 0, 1)}


def test_corners_take_the_order_of_the_outline():
    outline = ((10.0, 0.0), (10.0, 20.0), (0.0, 20.0), (0.0, 0.0))
    expected = [[10, 0], [10, 20], [0, 20], [0, 0]]
    for turn in range(4):
        way = outline[turn:] + outline[:turn]
        assert nearest(way, outline).tolist() == expected
        assert nearest(way[::-1], outline).tolist() == expected


def test_crops_are_kept(scene: Labelled, tmp_path: Path):
    pixels, corners, held_out, found = zip(*cut(scene, Finder()), strict=True)
    crops = OutlineCrops(np.stack(pixels), np.stack(corners), np.array(held_out), np.array(found))
    crops.save(tmp_path / "crops.npz")
    again = OutlineCrops.load(tmp_path / "crops.npz")
    assert np.array_equal(again.pixels, crops.pixels)
    assert np.array_equal(again.corners, crops.corners)
    assert (again.held_out.all(), again.found.any()) == (True, False)
