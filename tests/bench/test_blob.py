"""The baseline must do what it is made for, or beating it means nothing: plain dice, flat light, seen from above."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bench.blob import read_tiles, read_values

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


def laid(
    ends: list[tuple[int, int]],
    turn: float = 0.0,
    tile: tuple[int, int, int] = WHITE,
    pip: tuple[int, int, int] = BLACK,
    table: tuple[int, int, int] = TABLE,
) -> NDArray[np.uint8]:
    """Tiles of 160 x 80 pixels, three in a row, each turned by `turn` radians."""
    photo = np.full((600, 800, 3), table, np.uint8)
    for both, (y, x) in zip(ends, itertools.product((120, 300, 480), (130, 390, 650)), strict=False):
        corners = [_turned((u * 80, v * 40), turn, (x, y)) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        cv2.fillConvexPoly(photo, np.array(corners, np.int32), tile, cv2.LINE_AA)
        cv2.line(photo, *(_turned((0, v), turn, (x, y)) for v in (-34, 34)), pip, 2, cv2.LINE_AA)
        for side, value in zip((-40, 40), both, strict=True):
            for u, v in PIPS.get(value, []):
                cv2.circle(photo, _turned((side + u * 20, v * 20), turn, (x, y)), 7, pip, -1, cv2.LINE_AA)
    return photo


@pytest.mark.parametrize("value", range(7))
def test_every_end_beside_every_other(value: int) -> None:
    assert read_tiles(laid([(value, other) for other in range(7)])) == sorted(
        (min(value, o), max(value, o)) for o in range(7)
    )


@pytest.mark.parametrize("turn", [0.0, 0.4, 0.8, 1.2])
def test_light_tiles_at_any_turn(turn: float) -> None:
    assert read_tiles(laid([(6, 1), (5, 2), (4, 4), (0, 3)], turn)) == [(0, 3), (1, 6), (2, 5), (4, 4)]


def test_dark_tiles_on_a_light_table() -> None:
    photo = laid([(6, 1), (0, 0), (5, 4)], 0.2, tile=(25, 25, 30), pip=WHITE, table=(190, 185, 180))
    assert read_tiles(photo) == [(0, 0), (1, 6), (4, 5)]


def test_a_bare_table_has_no_tiles() -> None:
    assert read_tiles(laid([])) == []
