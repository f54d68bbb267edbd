import numpy as np
import pytest

from vision.colour import colour_of, name_of
from vision.locate import Find


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
    assert colour_of(picture, Find(20, 20, 80, 80, 1.0)) == "red"


def test_a_box_of_a_pixel_has_a_colour():
    assert colour_of(np.full((10, 10, 3), 255, np.uint8), Find(9.2, 9.2, 9.9, 9.9, 1.0)) == "white"
