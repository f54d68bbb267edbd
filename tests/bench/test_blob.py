"""The baseline must do what it is made for, or beating it means nothing: plain dice, flat light, seen from above."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bench.blob import read_values

PIPS = {  # in thirds of the face from its middle
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
TABLE, WHITE, BLACK = (60, 110, 70), (245, 245, 240), (15, 15, 15)


def drawn(
    values: list[int], turn: float = 0.0, die: tuple[int, int, int] = WHITE, pip: tuple[int, int, int] = BLACK
) -> NDArray[np.uint8]:
    """Dice of 80 pixels in a row of four or fewer, each turned by `turn` radians."""
    photo = np.full((600, 800, 3), TABLE, np.uint8)
    for value, (y, x) in zip(values, itertools.product((120, 300, 480), (120, 300, 480, 660)), strict=False):
        corners = [_turned((u * 40, v * 40), turn, (x, y)) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        cv2.fillConvexPoly(photo, np.array(corners, np.int32), die, cv2.LINE_AA)
        for u, v in PIPS[value]:
            cv2.circle(photo, _turned((u * 20, v * 20), turn, (x, y)), 8, pip, -1, cv2.LINE_AA)
    return photo


def _turned(point: tuple[float, float], turn: float, centre: tuple[int, int]) -> tuple[int, int]:
    x, y = point
    cos, sin = np.cos(turn), np.sin(turn)
    return round(centre[0] + x * cos - y * sin), round(centre[1] + x * sin + y * cos)


@pytest.mark.parametrize("value", PIPS)
def test_every_value_alone(value: int) -> None:
    assert read_values(drawn([value])) == [value]


@pytest.mark.parametrize("turn", [0.0, 0.3, 0.8, 1.2])
def test_a_handful_of_white_dice_at_any_turn(turn: float) -> None:
    assert read_values(drawn([3, 1, 6, 2, 5, 4, 6, 1], turn)) == [1, 1, 2, 3, 4, 5, 6, 6]


def test_dark_dice_with_light_pips() -> None:
    assert read_values(drawn([2, 6, 3], die=(120, 10, 20), pip=WHITE)) == [2, 3, 6]


@pytest.mark.parametrize("scale", [0.6, 2.5])
def test_the_camera_may_have_more_or_fewer_pixels(scale: float) -> None:
    photo = cv2.resize(drawn([1, 4, 5]), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    assert read_values(photo.astype(np.uint8)) == [1, 4, 5]


def test_a_bare_table_has_no_dice() -> None:
    assert read_values(drawn([])) == []
