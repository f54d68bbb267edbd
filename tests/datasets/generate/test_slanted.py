"""Photos of dominoes as a lower camera sees them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.evaluate.matching import match
from datasets.generate import slanted
from datasets.labels import truth
from vision.photo import load
from vision.reader import TableReader
from vision.slant import stretch_of

QUAD = [[100, 100], [180, 100], [180, 140], [100, 140]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One photo with a red tile and a green centre of another."""
    (tmp_path / "board").mkdir()
    picture = np.full((300, 400, 3), 200, np.uint8)
    cv2.fillPoly(picture, [np.array(QUAD, np.int32)], (0, 0, 255))
    cv2.imwrite(str(tmp_path / "board" / "one.png"), picture)
    entry = {"file": "board/one.png", "source": "ours", "tiles": [{"ends": [3, 5], "quad": QUAD}]}
    (tmp_path / "board.json").write_text(json.dumps([entry]))
    return tmp_path


def test_every_view_shows_the_tile_where_its_labels_say(folder: Path, tmp_path: Path) -> None:
    slanted.main([str(folder), "--views", "6", "--out", str(tmp_path / "out")])
    views = truth.load(tmp_path / "out" / "board")
    assert len(views) == 6
    assert len({view.source for view in views}) == 2, "low and high"
    for view in views:
        pixels = cv2.imread(str(view.path))
        assert max(pixels.shape) in (800, 1280)
        (piece,) = view.pieces
        assert piece.face == (3, 5)
        drawn = np.zeros(pixels.shape[:2], np.uint8)
        cv2.fillPoly(drawn, [np.array(piece.outline, np.int32)], 1)
        red = (pixels[..., 2] > 150) & (pixels[..., 1] < 100)
        assert (red & (drawn > 0)).sum() > 0.9 * max(red.sum(), drawn.sum())


@pytest.mark.parametrize("up", [30.0, 40.0, 50.0])
def test_the_table_is_squeezed_by_the_sine_of_the_height(up: float) -> None:
    rng = np.random.default_rng(3)
    middle = np.array([[180, 140], [220, 140], [220, 160], [180, 160]], float)
    for _ in range(8):
        _, there = slanted.seen_from((300, 400), up, rng)
        seen = cv2.perspectiveTransform(middle[None], there)[0]
        a, b, c, d = ((float(x), float(y)) for x, y in seen)
        assert stretch_of([(a, b, c, d)]) == pytest.approx(1 / np.sin(np.radians(up)), rel=0.06)


def test_the_sample_hand_is_read_from_thirty_degrees(tmp_path: Path) -> None:
    """A real photo, turned at random: all tiles of the sample hand are found."""
    reader, hand = TableReader(), Path("docs/sample-hand.jpg")
    quads = {tuple(sorted(tile.ends)): tile.box for tile in reader.read(load(hand)).tiles}
    (tmp_path / "board").mkdir()
    cv2.imwrite(str(tmp_path / "board" / "hand.png"), cv2.imread(str(hand)))
    tiles = [{"ends": list(ends), "quad": [list(corner) for corner in box]} for ends, box in quads.items()]
    entry = {"file": "board/hand.png", "source": "ours", "tiles": tiles}
    (tmp_path / "board.json").write_text(json.dumps([entry]))
    slanted.main([str(tmp_path), "--views", "3", "--out", str(tmp_path / "out")])
    for view in truth.load(tmp_path / "out" / "board"):
        assert match(view, reader.read(load(view.path))).exact, view.source
