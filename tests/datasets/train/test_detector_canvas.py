"""What the detector learns from: warped pictures, and where their pieces are then."""

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.train.detector_canvas import Piece, Shown, canvas, row_of, shares_of, through
from vision.photo import GREY

SIDE = 256
PLACE = (0, 0, SIDE, SIDE)
WIDE = np.array([[100.0, 100], [180, 100], [180, 140], [100, 140]])


def shown(folder: Path, name: str = "white", source: str = "renders", piece: int = 1) -> Shown:
    """A white piece on a black table, as long as a fifth of it."""
    pixels = np.zeros((300, 400, 3), np.uint8)
    corners = np.array([[150, 130], [230, 130], [230, 170], [150, 170]], float)
    cv2.fillPoly(pixels, [corners.astype(np.int32)], (255, 255, 255))
    cv2.imwrite(str(folder / f"{name}.png"), pixels)
    return Shown(folder / f"{name}.png", (Piece(piece, corners),), source)


def outline(row: np.ndarray) -> np.ndarray:
    _, x, y, width, height, angle = (float(n) for n in row)
    return cv2.boxPoints(((x * SIDE, y * SIDE), (width * SIDE, height * SIDE), math.degrees(angle)))


def test_the_outline_lies_where_the_piece_does(tmp_path: Path):
    picture, seen = shown(tmp_path), 0
    for seed in range(60):
        pixels, rows = canvas(np.random.default_rng(seed), [picture], np.ones(1), SIDE)
        assert pixels.shape == (SIDE, SIDE, 3)
        light = pixels.max(2).astype(float)
        for row in rows:
            assert row[3] >= row[4]
            assert -math.pi / 4 <= row[5] < 3 * math.pi / 4
            inside = np.zeros((SIDE, SIDE), np.uint8)
            cv2.fillPoly(inside, [np.round(outline(row)).astype(np.int32)], 1)
            core = cv2.erode(inside, np.ones((5, 5), np.uint8)) > 0
            if core.sum() > 30:
                assert (light[core] > 90).mean() > 0.8, seed
                seen += 1
    assert seen > 40


def test_a_piece_that_lies_across_has_the_angle_of_its_longer_side():
    row = row_of(Piece(1, WIDE), np.eye(3), PLACE, SIDE, turned=False)
    assert row == pytest.approx((1, 140 / SIDE, 120 / SIDE, 80 / SIDE, 40 / SIDE, 0), abs=1e-5)
    upright = row_of(Piece(1, WIDE[:, ::-1].copy()), np.eye(3), PLACE, SIDE, turned=False)
    assert upright == pytest.approx((1, 120 / SIDE, 140 / SIDE, 80 / SIDE, 40 / SIDE, math.pi / 2), abs=1e-5)


def test_of_a_piece_at_the_edge_only_what_shows_counts_and_little_of_it_does_not():
    moved = np.array([[1, 0, 100.0], [0, 1, 0], [0, 0, 1]])
    row = row_of(Piece(1, WIDE), moved, PLACE, SIDE, turned=False)
    assert row is not None
    assert outline(np.array(row))[:, 0].max() == pytest.approx(SIDE, abs=0.01)
    moved[0, 2] = 136  # a quarter of it
    assert row_of(Piece(1, WIDE), moved, PLACE, SIDE, turned=False) is None


def test_a_die_keeps_an_upright_box_that_does_not_grow_with_every_turn():
    square = np.array([[100.0, 100], [140, 100], [140, 140], [100, 140]])
    for degrees in (30, 45, 90):
        warp = np.vstack([cv2.getRotationMatrix2D((120, 120), degrees, 1), [0, 0, 1]])
        row = row_of(Piece(0, square), warp, PLACE, SIDE, turned=True)
        assert row is not None
        assert row[5] % (math.pi / 2) == pytest.approx(0, abs=1e-5)
        assert 39 <= row[3] * SIDE <= 50
    # A tile turns with its picture.
    tile = row_of(Piece(1, WIDE), warp, PLACE, SIDE, turned=True)
    assert tile is not None
    assert tile[5] == pytest.approx(math.pi / 2, abs=1e-5)


def test_what_is_farther_is_smaller():
    farther = np.array([[1, 0, 0], [0, 1, 0], [0, -0.001, 1]])
    near, far = through(farther, np.array([[100.0, 100]])), through(farther, np.array([[100.0, -100]]))
    assert near[0, 0] > 100 > far[0, 0]


def test_what_no_picture_covers_is_grey(tmp_path: Path):
    corners = [
        canvas(np.random.default_rng(seed), [shown(tmp_path)], np.ones(1), SIDE).pixels[0, 0] for seed in range(30)
    ]
    assert any((np.abs(corner.astype(int) - GREY) < 3).all() for corner in corners)


def test_fine_patterns_of_a_picture_that_becomes_small_are_evened(tmp_path: Path):
    """Where single pixels were taken, a pattern of black and white dots would be of black and white dots again."""
    dots = (np.indices((640, 640)).sum(0) % 2 * 255).astype(np.uint8)
    cv2.imwrite(str(tmp_path / "dots.png"), np.stack([dots] * 3, 2))
    quarters = 0
    for seed in range(40):
        pixels, _ = canvas(np.random.default_rng(seed), [Shown(tmp_path / "dots.png", (), "renders")], np.ones(1), 128)
        inner = pixels[28:36, 28:36].astype(float)
        if np.abs(inner - GREY).mean() > 3:  # not beside the picture
            assert inner.std() < 45, seed
            quarters += 1
    assert quarters > 10


def test_sources_are_shown_as_often_as_the_recipe_says(tmp_path: Path):
    pictures = [shown(tmp_path, f"{k}", "mixed" if k < 2 else "renders") for k in range(10)]
    shares = shares_of(pictures, {"mixed": 0.5, "renders": 0.5})
    assert shares.sum() == pytest.approx(1)
    assert shares[:2].sum() == pytest.approx(0.5)
    assert shares_of(pictures, {}) == pytest.approx(np.full(10, 0.1))
    with pytest.raises(ValueError, match="no picture has a share"):
        shares_of(pictures, {"mixed": 0, "renders": 0})


def test_a_picture_that_counts_more_takes_from_others_of_its_source(tmp_path: Path):
    pictures = [
        replace(shown(tmp_path, f"{k}", "mixed" if k < 2 else "renders"), weight=1 + 2 * (k == 0)) for k in range(4)
    ]
    assert shares_of(pictures, {"mixed": 0.6, "renders": 0.4}) == pytest.approx([0.45, 0.15, 0.2, 0.2])


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path):
    gone = Shown(tmp_path / "gone.jpg", (), "renders")
    with pytest.raises(OSError, match=r"gone\.jpg"):
        canvas(np.random.default_rng(0), [gone], np.ones(1), SIDE)


def test_canvases_have_one_picture_or_four(tmp_path: Path):
    shapes = Counter(
        len(canvas(np.random.default_rng(seed), [shown(tmp_path)], np.ones(1), SIDE).rows) for seed in range(80)
    )
    assert shapes[1] > 20
    assert max(shapes) == 4
