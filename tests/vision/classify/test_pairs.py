"""A domino, two dice side by side and one die with its shadow, told apart by the network that ships."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from models import load_manifest
from vision.classify.pairs import PairReader
from vision.detect.boxes import Detection, Outline
from vision.photo import Pixels

SAMPLE = Path(__file__).parents[3] / "docs" / "sample-throw.jpg"
HAND = Path(__file__).parents[3] / "docs" / "sample-hand.jpg"


@pytest.fixture(scope="module")
def reader() -> PairReader:
    return PairReader(load_manifest()["pairs"])


def tile_at(corners) -> Detection:
    box = Outline.around(corners)
    return Detection(box.left, box.top, box.right, box.bottom, 0.9, "tile", box.quad)


def drawn(long: int, *, line: bool) -> Pixels:
    """A white 4-4 on green, so many pixels long; without a line across its middle, two squares with a gap between."""
    side = long // 2
    picture = np.full((2 * side, 3 * side, 3), (60, 110, 60), np.uint8)
    for x in (side // 2, side // 2 + side):
        low, high = (x, side // 2), (x + side - 1, side // 2 + side - 1)
        cv2.rectangle(picture, low, high, (235, 235, 225), -1)
        if not line:
            for corner in ((low[0], low[1]), (low[0], high[1]), (high[0], low[1]), (high[0], high[1])):
                cv2.circle(picture, corner, side // 8, (60, 110, 60), -1)
            cv2.line(picture, (x, low[1]), (x, high[1]), (90, 90, 85), max(1, side // 25))
        for dx in (0.28, 0.72):
            for dy in (0.28, 0.72):
                at = (round(x + dx * side), round(side // 2 + dy * side))
                cv2.circle(picture, at, side // 11, (25, 25, 25), -1, cv2.LINE_AA)
    if line:
        middle = side // 2 + side
        cv2.line(
            picture, (middle, side // 2 + side // 8), (middle, side // 2 + side - side // 8), (30, 30, 30), side // 20
        )
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def across(long: int) -> Detection:
    """The outline of what `drawn` draws."""
    side = long // 2
    left, right, top, bottom = side / 2, 2.5 * side, side / 2, 1.5 * side
    return tile_at(((left, top), (right, top), (right, bottom), (left, bottom)))


@pytest.mark.parametrize("long", [60, 120, 400])
def test_a_line_across_the_middle_makes_a_domino(reader: PairReader, long: int):
    (whole,) = reader.look([(drawn(long, line=True), across(long))])
    assert whole.dice < 0.25


@pytest.mark.parametrize("long", [60, 120, 400])
def test_a_gap_makes_two_dice(reader: PairReader, long: int):
    (whole,) = reader.look([(drawn(long, line=False), across(long))])
    assert whole.two > 0.5


def test_which_end_is_the_first_means_little(reader: PairReader):
    picture, there = drawn(160, line=True), across(160)
    a, b, c, d = there.corners
    one, other = reader.look([(picture, there), (picture, tile_at((c, d, a, b)))])
    assert (one.two, one.one) == pytest.approx((other.two, other.one), abs=0.02)


def test_two_dice_pushed_together(reader: PairReader):
    """Of the photo that we made: the six, twice."""
    with Image.open(SAMPLE) as image:
        die = image.convert("RGB").crop((690, 270, 930, 510))
        table = Image.new("RGB", (900, 600), image.getpixel((20, 20)))
    table.paste(die, (210, 180))
    table.paste(die, (450, 180))
    there = tile_at(((210.0, 180.0), (690.0, 180.0), (690.0, 420.0), (210.0, 420.0)))
    assert reader.look([(np.asarray(table), there)])[0].two > 0.5


def test_a_die_and_its_shadow(reader: PairReader):
    """The same six, and where a low lamp's light does not fall."""
    with Image.open(SAMPLE) as image:
        die = image.convert("RGB").crop((690, 270, 930, 510))
        table = Image.new("RGB", (900, 600), image.getpixel((20, 20)))
    table.paste(table.crop((440, 190, 680, 410)).point(lambda light: light // 3), (440, 190))
    table.paste(die, (210, 180))
    there = tile_at(((210.0, 180.0), (690.0, 180.0), (690.0, 420.0), (210.0, 420.0)))
    assert reader.look([(np.asarray(table), there)])[0].one > 0.5


def test_nothing_to_look_at(reader: PairReader):
    assert reader.look([]) == []
