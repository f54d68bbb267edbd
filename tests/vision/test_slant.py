"""Tables seen at a slant: how far, told by the tiles on them, and what is read once the picture is stretched."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from scorer.engine.expected import pieces
from tests.vision.test_reader import encoded
from vision import closer, closer_look
from vision.detect.boxes import Detection
from vision.photo import Photo
from vision.reader import TableReader
from vision.reading import Quad, Reading
from vision.slant import lies_flat, stretch_of, stretched, to_original

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
    back = to_original(there, stretch)
    assert (back.left, back.top, back.right, back.bottom) == pytest.approx((30, 20, 50, 40), abs=1)


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


def seen_from(height: float) -> Photo:
    """The sample hand, so many times as high."""
    with Image.open(HAND) as image:
        return encoded(image.resize((image.width, round(height * image.height))))


def reasons(reading: Reading) -> list[str]:
    return [doubt.reason for doubt in reading.doubts]


@pytest.mark.parametrize("height", [0.44, 0.36])
def test_no_tile_seen_at_a_slant_is_in_doubt(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch, height: float
) -> None:
    photo = seen_from(height)
    read = reader.read(photo)
    assert sorted(sorted(each.ends) for each in read.tiles) == ENDS
    assert reasons(read) == ["too-low"]
    assert read.doubts[0].tile is None
    for each in read.tiles:
        (left, top), (right, bottom) = np.min(each.box, 0), np.max(each.box, 0)
        assert 0 <= left < right <= photo.width
        assert 0 <= top < bottom <= photo.height
    monkeypatch.setattr(closer_look, "stretch_of", lambda _: None)
    monkeypatch.setattr(closer_look, "plane_of", lambda *_: None)
    before = reader.read(photo)
    assert {*reasons(before)} - {"too-low"}, "it takes a look at the stretched picture"


def test_a_low_camera_is_no_doubt_where_all_tiles_are_found(reader: TableReader) -> None:
    photo, tiles = seen_from(0.5), pieces("domino")
    for height in (0.5, 0.36):
        assert reasons(reader.read(seen_from(height), replace(tiles, counts=frozenset({4})))) == []
    assert "too-low" in reasons(reader.read(photo, replace(tiles, counts=frozenset({5}))))
    assert reasons(reader.read(seen_from(0.9))) == []


def test_tiles_that_count_only_from_nearer_tell_how_the_table_is_seen(
    reader: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo, asked, looked, sizes = seen_from(0.4), [], [], []
    detect_stretched, look_again = reader._detector.detect_stretched, reader._detector.look_again

    def asked_of(tiles: list[Quad]) -> float | None:
        asked.append(len(tiles))
        return stretch_of(tiles) if len(asked) > 1 else None

    monkeypatch.setattr(closer_look, "stretch_of", asked_of)
    monkeypatch.setattr(
        reader._detector, "detect_stretched", lambda *seen: looked.append(seen[1]) or detect_stretched(*seen)
    )
    monkeypatch.setattr(
        reader._detector, "look_again", lambda *seen, **how: sizes.append(seen[1:]) or look_again(*seen, **how)
    )
    read = reader.read(photo)
    assert sorted(sorted(each.ends) for each in read.tiles) == ENDS
    assert (closer.LARGER, looked[0]) in sizes, "and what lies far away is looked at larger"
    assert looked == [pytest.approx(2.5, rel=0.12)]
    assert asked[0] <= asked[1]
    assert len(asked) == 2
