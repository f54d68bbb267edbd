"""What must show on an annotated picture, measured in its pixels."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from vision.draw import annotate
from vision.photo import Pixels
from vision.reading import Die, Doubt, Point, Quad, Reading, Tile

TABLE = (90, 90, 90)
BLUE, ORANGE = (0, 114, 178), (230, 159, 0)


def table(width: int, height: int) -> Pixels:
    return np.full((height, width, 3), TABLE, np.uint8)


def square(centre: Point, side: float) -> Quad:
    x, y, half = *centre, side / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def die(value: int, centre: Point, side: float = 60) -> Die:
    return Die(value, 0.9, ((value, 0.9),), square(centre, side), "white")


def reading(*dice: Die, width: int = 640, height: int = 480, doubts: tuple[Doubt, ...] = ()) -> Reading:
    return Reading("x.jpg", "0" * 64, width, height, dice, doubts, {}, {})


def doubt(piece: int | None, message: str = "The die may be a 6.") -> Doubt:
    return Doubt("uncertain-value", message, piece)


def drawn_on(picture: Image.Image, width: int, height: int) -> np.ndarray:
    """True where the photo's part of the picture differs from the bare table."""
    return np.asarray((np.asarray(picture)[:height, :width] != TABLE).any(axis=2))


def share(picture: Image.Image, colour: tuple[int, int, int], rows: slice = slice(None)) -> float:
    return float((np.asarray(picture)[rows] == colour).all(axis=2).mean())


def test_the_photo_keeps_its_place_and_its_array_and_a_banner_is_added_below() -> None:
    pixels = table(640, 480)
    pixels.setflags(write=False)
    picture = annotate(reading(), pixels)
    assert picture.mode == "RGB"
    assert picture.width == 640
    assert 490 < picture.height < 560
    assert not drawn_on(picture, 640, 480).any()
    assert (pixels == TABLE).all()


def test_the_inside_of_a_die_stays_free() -> None:
    drawn = drawn_on(annotate(reading(die(5, (300, 200), 80)), table(640, 480)), 640, 480)
    assert not drawn[165:236, 265:336].any()
    assert drawn[160, 262:338].all()
    assert drawn[162:238, 340].all()


def test_the_value_is_beside_the_die_and_large() -> None:
    drawn = drawn_on(annotate(reading(die(5, (300, 200), 80)), table(640, 480)), 640, 480)
    drawn[150:250, 250:350] = False
    rows, columns = np.nonzero(drawn)
    assert rows.size, "no label"
    assert 30 < np.ptp(rows) < 80
    assert abs(columns.mean() - 300) < 3
    assert 0 < 160 - rows.max() < 20


def test_every_value_looks_different() -> None:
    pictures = {annotate(reading(die(value, (300, 200))), table(640, 480)).tobytes() for value in range(1, 7)}
    assert len(pictures) == 6


def test_a_doubt_shows_without_colour_too() -> None:
    sure = annotate(reading(die(3, (300, 200))), table(640, 480))
    doubtful = annotate(reading(die(3, (300, 200)), doubts=(doubt(0),)), table(640, 480))
    assert share(sure, BLUE, slice(0, 480)) > 0 == share(sure, ORANGE)
    assert share(doubtful, ORANGE, slice(0, 480)) > 0 == share(doubtful, BLUE)
    # The box is dashed, and the label wider by its question mark.
    side = np.asarray(doubtful)[175:225, 330]
    assert {tuple(map(int, pixel)) for pixel in side} >= {ORANGE, (255, 255, 255)}
    widths = [np.ptp(np.nonzero(drawn_on(picture, 640, 165))[1]) for picture in (sure, doubtful)]
    assert widths[1] > 1.4 * widths[0]


def test_only_the_doubtful_die_is_marked() -> None:
    picture = annotate(reading(die(3, (150, 200)), die(4, (500, 200)), doubts=(doubt(1),)), table(640, 480))
    left, right = picture.crop((0, 0, 320, 480)), picture.crop((320, 0, 640, 480))
    assert share(left, BLUE) > 0 == share(left, ORANGE)
    assert share(right, ORANGE) > 0 == share(right, BLUE)


def test_the_banner_tells_sure_from_please_look() -> None:
    sure = annotate(reading(die(3, (300, 200))), table(640, 480))
    assert share(sure, BLUE, slice(480, None)) > 0.8
    for where in (0, None):
        look = annotate(reading(die(3, (300, 200)), doubts=(doubt(where),)), table(640, 480))
        assert share(look, ORANGE, slice(480, None)) > 0.7


def test_the_banner_grows_with_what_it_has_to_say_up_to_three_lines() -> None:
    heights = [annotate(reading(doubts=(doubt(None, "word " * n),)), table(640, 480)).height for n in (1, 20, 40, 400)]
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_boxes_are_scaled_to_a_smaller_copy() -> None:
    full = reading(die(2, (1200, 800), 240), width=2560, height=1920)
    same = reading(die(2, (300, 200), 60))
    assert annotate(full, table(640, 480)).tobytes() == annotate(same, table(640, 480)).tobytes()


def test_labels_grow_with_the_picture_and_with_the_die() -> None:
    def label_height(picture_width: int, side: float) -> int:
        height = picture_width * 3 // 4
        x, y = picture_width / 2, height / 2
        drawn = drawn_on(
            annotate(reading(die(2, (x, y), side), width=picture_width, height=height), table(picture_width, height)),
            picture_width,
            height,
        )
        drawn[int(y - side / 2 - 5) :] = False
        return int(np.ptp(np.nonzero(drawn)[0]))

    assert label_height(640, 30) < label_height(640, 60) < label_height(640, 90)
    assert label_height(640, 40) < label_height(3000, 40)


@pytest.mark.parametrize(
    "centre", [(20, 20), (620, 20), (20, 460), (620, 460), (320, 10), (320, 475), (5, 240), (639, 240)]
)
def test_labels_stay_inside_the_picture_and_off_the_die(centre: Point) -> None:
    """As much is drawn beside the die as in the middle of the table: nothing is cut, nothing lies on the die."""
    one = die(4, centre, 50)
    picture = annotate(reading(one), table(640, 480))
    drawn = drawn_on(picture, 640, 480)
    x, y = round(centre[0]), round(centre[1])
    drawn[max(y - 31, 0) : y + 31, max(x - 31, 0) : x + 31] = False
    rows, columns = np.nonzero(drawn)
    free = annotate(reading(die(4, (320, 240), 50)), table(640, 480))
    clear = drawn_on(free, 640, 480)
    clear[209:271, 289:351] = False
    assert drawn.sum() == pytest.approx(clear.sum(), rel=0.25)
    assert rows.max() < 480
    assert columns.max() < 640


def test_neighbours_do_not_hide_each_others_values() -> None:
    """Above each of these lies another die, so that the labels must go elsewhere; the pips stay free."""
    column = [die(value, (300, 60 + 62 * value), 60) for value in range(1, 7)]
    drawn = drawn_on(annotate(reading(*column), table(640, 480)), 640, 480)
    for value in range(1, 7):
        middle = 60 + 62 * value
        assert not drawn[middle - 22 : middle + 23, 278:323].any()


@pytest.mark.parametrize(("width", "height"), [(16, 16), (16, 320), (320, 16), (4000, 200)])
def test_odd_sizes_are_drawn(width: int, height: int) -> None:
    one = reading(die(6, (8, 8), 10), width=width, height=height, doubts=(doubt(0, "A very long story. " * 9),))
    picture = annotate(one, table(width, height))
    assert picture.width == width
    assert picture.height > height
    assert share(picture, ORANGE) > 0


def test_thirty_dice_have_thirty_labels() -> None:
    dice = [die(1 + n % 6, (80 + 160 * (n % 6), 120 + 150 * (n // 6)), 40) for n in range(30)]
    blank = table(1000, 900)
    drawn = drawn_on(annotate(reading(*dice, width=1000, height=900), blank), 1000, 900)
    for one in dice:
        (left, top), (right, bottom) = one.box[0], one.box[2]
        near = drawn[int(top) - 45 : int(top) - 6, int(left) : int(right)]
        assert near.any(), f"no label above the die at {left:.0f}, {bottom:.0f}"


# Tiles and starters: a tile twice as long as wide, turned by 45 degrees, so that an upright box would show.
SLANTED: Quad = ((260, 120), (380, 240), (320, 300), (200, 180))


def tiles(*several: Tile, doubts: tuple[Doubt, ...] = ()) -> Reading:
    return Reading("x.jpg", "0" * 64, 640, 480, (), doubts, {}, {}, several)


def slanted(a: int | None, b: int | None) -> Tile:
    return Tile((a, b), 0.9, (), SLANTED, face_up=a is not None)


def test_a_tile_is_outlined_as_it_lies() -> None:
    drawn = drawn_on(annotate(tiles(slanted(3, 5)), table(640, 480)), 640, 480)
    for x, y in ((320, 180), (350, 270), (260, 240), (230, 150)):
        assert drawn[y - 1 : y + 2, x - 1 : x + 2].all(), "an edge is not drawn"
    assert not drawn[195:226, 275:306].any(), "the inside is not free"
    assert not drawn[280:301, 200:240].any(), "a corner of the upright box is drawn"


def test_tiles_are_labelled_by_their_ends_in_order() -> None:
    labels = [(3, 5), (5, 3), (0, 0), (12, 12), (None, None)]
    pictures = [annotate(tiles(slanted(a, b)), table(640, 480)) for a, b in labels]
    assert len({picture.tobytes() for picture in pictures}) == len(labels)
    widths = [np.ptp(np.nonzero(drawn_on(picture, 640, 110))[1]) for picture in pictures]
    assert widths[0] < widths[3] < widths[4], "face down is written out"


def test_a_doubt_about_a_tile_marks_no_die() -> None:
    both = Reading("x.jpg", "0" * 64, 640, 480, (die(3, (550, 200)),), (), {}, {}, (slanted(3, 5),))
    for about, (left, right) in (("tile", (ORANGE, BLUE)), ("piece", (BLUE, ORANGE))):
        seen = Reading(
            "x.jpg", "0" * 64, 640, 480, both.dice, (Doubt("cut-off", "Look.", **{about: 0}),), {}, {}, both.tiles
        )
        picture = annotate(seen, table(640, 480))
        assert share(picture.crop((0, 0, 450, 480)), left) > 0 == share(picture.crop((0, 0, 450, 480)), right)
        assert share(picture.crop((450, 0, 640, 480)), right) > 0 == share(picture.crop((450, 0, 640, 480)), left)


def test_the_starter_has_a_star_beside_its_value() -> None:
    plain, starred = (
        annotate(reading(Die(9, 0.9, ((9, 0.9),), square((300, 200), 80), "red", "d12", starter)), table(640, 480))
        for starter in (False, True)
    )
    widths = [np.ptp(np.nonzero(drawn_on(picture, 640, 150))[1]) for picture in (plain, starred)]
    assert widths[1] > 1.4 * widths[0]
    white = [(np.asarray(picture)[:150] == 255).all(axis=2).sum() for picture in (plain, starred)]
    assert white[1] > white[0] + 60, "the plate is wider, but no star is on it"
