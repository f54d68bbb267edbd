"""What corrections teach."""

from __future__ import annotations

from api.interpret.lessons import said_of
from vision.reading import Quad, Reading, Tile

BOX: Quad = ((0, 0), (100, 0), (100, 50), (0, 50))


def reading(ends: tuple[int, int]) -> Reading:
    tile = Tile(ends, 0.99, ((ends, 0.99),), BOX)
    return Reading("", "0" * 64, 400, 300, (), (), {}, {}, tiles=(tile,))


def test_ends_that_were_read_keep_the_order_in_which_they_lie() -> None:
    (left,) = said_of(reading((5, 3)), [])
    (same,) = said_of(reading((5, 3)), [{"change": {"tile": 0, "ends": [3, 5]}}])
    assert (left.shows, left.either) == (same.shows, same.either) == ((5, 3), False)


def test_ends_that_people_correct_may_lie_in_any_order() -> None:
    (said,) = said_of(reading((1, 3)), [{"change": {"tile": 0, "ends": [3, 5]}}])
    assert (sorted(said.shows), said.either, said.box) == ([3, 5], True, BOX)
