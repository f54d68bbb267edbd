import numpy as np
import pytest

from vision.classify.colour import colour_of, name_of, odd_one_out
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
