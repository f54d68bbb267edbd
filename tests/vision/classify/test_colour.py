import cv2
import numpy as np
import pytest

from vision.classify.colour import colour_of, ground_of, name_of, odd_one_out
from vision.detect.boxes import Detection
from vision.photo import Pixels


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((250, 250, 248), "white"),
        ((235, 228, 200), "white"), ((20, 20, 25), "black"), ((120, 120, 120), "grey"),
        ((200, 25, 30), "red"),
        ((240, 130, 20), "orange"), ((240, 220, 40), "yellow"), ((30, 140, 60), "green"),
        ((30, 60, 190), "blue"), ((110, 40, 160), "purple"),
    ],
)  # fmt: skip
def test_names(rgb: tuple[int, int, int], name: str):
    assert name_of(np.array(rgb, np.uint8)) == name


def test_the_body_outweighs_pips_and_table():
    picture = np.full((100, 100, 3), (30, 140, 60), np.uint8)
    picture[20:80, 20:80] = (200, 25, 30)
    picture[40:50, 40:50] = 255
    assert colour_of(picture, Detection(20, 20, 80, 80, 1.0)) == "red"


def test_a_box_of_a_pixel_has_a_colour():
    assert colour_of(np.full((10, 10, 3), 255, np.uint8), Detection(9.2, 9.2, 9.9, 9.9, 1.0)) == "white"


def row_of(*colours: tuple[int, int, int]) -> tuple[Pixels, list[Detection]]:
    picture = np.full((100, 100 * len(colours), 3), 128, np.uint8)
    for i, colour in enumerate(colours):
        picture[20:80, 100 * i + 20 : 100 * i + 80] = colour
    return picture, [Detection(100 * i + 20, 20, 100 * i + 80, 80, 0.9) for i in range(len(colours))]


def test_the_odd_one_out_is_found_by_its_colour():
    assert odd_one_out(*row_of(*[(220, 220, 210)] * 3, (200, 30, 30), (220, 220, 210))) == (3, True)


def test_one_colour_in_light_and_shadow_has_no_odd_one():
    assert odd_one_out(*row_of((220, 220, 210), (190, 190, 180), (205, 205, 195), (225, 222, 214))) == (None, True)


def test_two_odd_ones_are_not_clear():
    odd, clear = odd_one_out(*row_of((220, 220, 210), (220, 220, 210), (200, 30, 30), (30, 30, 200), (220, 220, 210)))
    assert odd in (2, 3)
    assert not clear


def test_of_two_dice_neither_is_the_odd_one():
    assert odd_one_out(*row_of((220, 220, 210), (200, 30, 30))) == (None, True)


def test_the_ground_of_a_tile_outweighs_its_pips_whichever_way_it_lies():
    table = np.full((200, 200, 3), (20, 90, 40), np.uint8)
    corners = ((60.0, 20.0), (150.0, 110.0), (110.0, 150.0), (20.0, 60.0))
    cv2.fillConvexPoly(table, np.array(corners, np.int32), (240, 240, 235))
    for x, y in ((60, 60), (75, 75), (110, 110)):
        cv2.circle(table, (x, y), 8, (0, 0, 0), -1)
    light, a, b = ground_of(table, corners)
    assert light > 235
    assert (a, b) == pytest.approx((128, 128), abs=4)


def test_the_ground_of_a_tile_that_leaves_the_picture_is_that_of_what_is_seen():
    table = np.full((50, 50, 3), 200, np.uint8)
    assert ground_of(table, ((30.0, 10.0), (90.0, 10.0), (90.0, 40.0), (30.0, 40.0)))[0] == pytest.approx(205, abs=6)
