"""What the network that tells dominoes from dice learns from; the detector and the corners are made up."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels.photos import Box, Labelled
from datasets.train.outline_crops import AROUND
from datasets.train.pair_crops import ONE, PAIR, TILE, PairCrops, cut, single
from vision.classify.outlines import HEIGHT, WIDTH
from vision.detect.boxes import Detection, Outline, inside

FACE = ((140.0, 60.0), (140.0, 160.0), (90.0, 160.0), (90.0, 60.0))


class Finder:
    """Finds tiles with these outlines."""

    def __init__(self, *outlines) -> None:
        boxes = [Outline.around(outline) for outline in outlines]
        self.tiles = [Detection(box.left, box.top, box.right, box.bottom, 0.9, "tile", box.quad) for box in boxes]

    def detect(self, _, **__):
        return self.tiles


class AsGiven:
    """Leaves the corners where they are."""

    def refined(self, tiles):
        return [tile for tile, _, _ in tiles]


def picture_of(tmp_path: Path, source: str, *boxes: Box, size: int = 40) -> Labelled:
    """White squares on green."""
    pixels = np.full((220, 300, 3), (60, 110, 60), np.uint8)
    for box in boxes:
        cv2.rectangle(pixels, (int(box.left), int(box.top)), (int(box.right) - 1, int(box.bottom) - 1), (240,) * 3, -1)
    cv2.imwrite(str(tmp_path / "a.png"), pixels)
    return Labelled(tmp_path / "a.png", source, boxes, held_out=True)


def die(left: float, top: float, side: float = 40) -> Box:
    return Box(left, top, left + side, top + side, 3)


def test_a_find_is_a_tile_where_one_is_labelled(tmp_path: Path):
    tile = Box(90, 60, 140, 160, None, kind="domino", ends=(1, 2), quad=FACE)
    ((pixels, label, held_out),) = cut(picture_of(tmp_path, "renders", tile), Finder(FACE), AsGiven())
    assert (label, held_out, pixels.shape) == (TILE, True, (HEIGHT * AROUND, WIDTH * AROUND, 3))
    middle = pixels[pixels.shape[0] // 2, pixels.shape[1] // 2]
    assert middle.tolist() == [240, 240, 240]


def test_a_find_on_two_dice_is_a_pair_and_so_are_dice_that_touch(tmp_path: Path):
    scene = picture_of(tmp_path, "renders", die(60, 80), die(100, 80))
    quad = ((60.0, 80.0), (140.0, 80.0), (140.0, 120.0), (60.0, 120.0))
    assert [label for _, label, _ in cut(scene, Finder(quad), AsGiven())] == [PAIR, PAIR, ONE, ONE]
    assert [label for _, label, _ in cut(scene, Finder(), AsGiven())] == [PAIR, ONE, ONE]


@pytest.mark.parametrize("other", [die(160, 80), die(100, 80, 70), die(62, 82)])
def test_dice_that_do_not_touch_or_are_not_alike_are_no_pair(tmp_path: Path, other: Box):
    scene = picture_of(tmp_path, "renders", die(60, 80), other)
    assert PAIR not in [label for _, label, _ in cut(scene, Finder(), AsGiven())]


def test_a_die_is_cut_with_its_shadow(tmp_path: Path):
    picture = picture_of(tmp_path, "renders", die(120, 90))
    pixels = cv2.imread(str(picture.path))
    pixels[90:130, 160:200] = 20
    cv2.imwrite(str(picture.path), pixels)
    ((crop, label, _),) = cut(picture, Finder(), AsGiven())
    assert label == ONE
    height, width = crop.shape[:2]
    ends = [
        int(crop[round(y * height), width // 2].max()) for y in (0.5 - 0.25 / 1.4 / AROUND, 0.5 + 0.25 / 1.4 / AROUND)
    ]
    assert min(ends) < 60 < 200 < max(ends)


def test_a_find_on_one_die_is_one(tmp_path: Path):
    quad = ((115.0, 85.0), (185.0, 85.0), (185.0, 135.0), (115.0, 135.0))
    labels = [label for _, label, _ in cut(picture_of(tmp_path, "renders", die(120, 90)), Finder(quad), AsGiven())]
    assert labels == [ONE, ONE]


def test_no_place_beside_a_die_covers_another():
    """Two dice with a gap as wide as they are: what is cut with one never reaches the other."""
    dice = [Detection(100 * k, 100, 100 * k + 50, 150, 1.0) for k in (1, 2)]
    pixels = np.zeros((300, 400, 3), np.uint8)
    for seed in range(20):
        outlines = list(single(pixels, dice, (), np.random.default_rng(seed)))
        assert len(outlines) == 2
        for outline in outlines:
            assert sorted(inside(die, outline) > 0.5 for die in dice) == [False, True]


def test_a_die_that_lies_parallel_is_pasted_beside_itself(tmp_path: Path):
    photo = picture_of(tmp_path, "dicewatcher", die(120, 90))
    (pixels,) = (pixels for pixels, label, _ in cut(photo, Finder(), AsGiven()) if label == PAIR)
    height, width = pixels.shape[:2]
    for y in (0.5 - 0.25 / 1.4 / AROUND, 0.5 + 0.25 / 1.4 / AROUND):
        assert pixels[round(y * height), width // 2].min() > 200, "both halves are dice"
    assert pixels[5, 5].max() < 130, "and around them is the table"


def test_crops_are_kept(tmp_path: Path):
    pixels = np.arange(2 * 3 * 4 * 3, dtype=np.uint8).reshape(2, 3, 4, 3)
    crops = PairCrops(pixels, np.array([TILE, PAIR]), np.array([True, False]))
    crops.save(tmp_path / "crops.npz")
    again = PairCrops.load(tmp_path / "crops.npz")
    assert np.array_equal(again.pixels, crops.pixels)
    assert (again.labels.tolist(), again.held_out.tolist()) == ([TILE, PAIR], [True, False])
