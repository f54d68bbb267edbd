"""Tables seen at a slant: how far, told by the tiles on them, and what is read once the picture is stretched."""

import math

import numpy as np
import pytest
from PIL import Image

from tests.vision.test_reader import encoded
from vision import reader as reader_module
from vision.detect.boxes import Detection
from vision.reader import TableReader
from vision.reading import Quad
from vision.slant import as_it_was, lies_flat, stretch_of, stretched

HAND = "docs/sample-hand.jpg"
ENDS = [[0, 0], [0, 6], [1, 4], [2, 5]]
ANGLES = (0.0, 20.0, 45.0, 70.0, 90.0, 130.0)


def tile(angle: float, height: float = 1.0, width: float = 1.0, proportion: float = 2.0) -> Quad:
    """A tile of 40 pixels at an angle, in a picture so many times as high and wide as from above."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    sides = ((-proportion, -1), (proportion, -1), (proportion, 1), (-proportion, 1))
    a, b, p, q = ((width * (200 + 10 * (x * c - y * s)), height * (200 + 10 * (x * s + y * c))) for x, y in sides)
    return (a, b, p, q)


@pytest.mark.parametrize("up", [28, 35, 45, 54])
def test_tiles_tell_how_high_the_camera_is(up: int) -> None:
    squeezed = math.sin(math.radians(up))
    assert stretch_of([tile(angle, squeezed) for angle in ANGLES]) == pytest.approx(1 / squeezed, rel=0.02)
    for angle in ANGLES:
        assert stretch_of([tile(angle, squeezed)]) == pytest.approx(1 / squeezed, rel=0.02), f"one at {angle}"


def test_a_camera_on_its_side_squeezes_the_width() -> None:
    assert stretch_of([tile(angle, width=0.6) for angle in ANGLES]) == pytest.approx(0.6, rel=0.02)


def test_nothing_is_stretched_from_above_or_without_a_tile() -> None:
    assert stretch_of([]) is None
    assert stretch_of([tile(angle) for angle in ANGLES]) is None
    assert stretch_of([tile(angle, 0.9) for angle in ANGLES]) is None
    assert stretch_of([tile(angle, proportion=2.2) for angle in ANGLES]) is None, "a longer make of tile"


def test_tiles_that_stand_on_edge_are_outvoted() -> None:
    standing = [tile(0), tile(0)]
    assert stretch_of([*(tile(angle, 0.6) for angle in ANGLES), *standing]) == pytest.approx(1 / 0.6, rel=0.03)
    assert all(lies_flat(tile(angle, 0.6), 1 / 0.6) for angle in ANGLES)
    assert not any(lies_flat(each, 1 / 0.6) for each in standing)


@pytest.mark.parametrize("stretch", [1.7, 0.6])
def test_a_find_in_the_stretched_picture_lies_where_it_lay(stretch: float) -> None:
    picture = np.zeros((60, 80, 3), np.uint8)
    picture[20:40, 30:50] = 255
    larger = stretched(picture, stretch)
    assert min(a / b for a, b in zip(larger.shape[:2], picture.shape[:2], strict=True)) == 1, "no side loses pixels"
    ys, xs = np.nonzero(larger[..., 0] > 127)
    there = Detection(float(xs.min()), float(ys.min()), float(xs.max() + 1), float(ys.max() + 1), 0.9, "tile")
    back = as_it_was(there, stretch)
    assert (back.left, back.top, back.right, back.bottom) == pytest.approx((30, 20, 50, 40), abs=1)


@pytest.mark.parametrize("height", [0.5, 0.4])
def test_a_hand_seen_at_a_slant_is_read_without_a_doubt(monkeypatch: pytest.MonkeyPatch, height: float) -> None:
    with Image.open(HAND) as image:
        photo = encoded(image.resize((image.width, round(height * image.height))))
    reader = TableReader()
    read = reader.read(photo)
    assert sorted(sorted(each.ends) for each in read.tiles) == ENDS
    assert read.doubts == ()
    for each in read.tiles:
        (left, top), (right, bottom) = np.min(each.box, 0), np.max(each.box, 0)
        assert 0 <= left < right <= photo.width
        assert 0 <= top < bottom <= photo.height
    monkeypatch.setattr(reader_module, "stretch_of", lambda _: None)
    assert reader.read(photo).doubts, "it takes a look at the stretched picture"
