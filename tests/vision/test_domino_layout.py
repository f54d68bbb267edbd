"""Layouts as they lie on tables; a tile is 2 wide as long as it is wide, in a picture seen straight from above or not."""

from __future__ import annotations

from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.domino_layout import DominoLayout, Touch, layout_of
from vision.reading import Point, Quad, Tile

OPEN, BOTH = (False, False), (True, True)
FIRST, SECOND = (True, False), (False, True)


def tile(a: int, b: int, x: float, y: float, turned: float = 0) -> Tile:
    """A tile of width 1 around (x, y), its first end at the left, then turned clockwise by degrees."""
    c, s = cos(radians(turned)), sin(radians(turned))

    def corner(u: float, v: float) -> Point:
        return (x + u * c - v * s, y + u * s + v * c)

    return Tile((a, b), 1.0, (((a, b), 1.0),), (corner(-1, -0.5), corner(1, -0.5), corner(1, 0.5), corner(-1, 0.5)))


def joined(*tiles: Tile) -> list[tuple[bool, bool]]:
    return list(layout_of(tiles).joined)


def test_nothing_and_a_lone_tile_are_open() -> None:
    assert joined() == []
    assert joined(tile(3, 5, 0, 0)) == [OPEN]
    assert joined(tile(4, 4, 0, 0)) == [OPEN]


def test_in_a_straight_line_the_outer_ends_are_open() -> None:
    chain = layout_of([tile(1, 3, 0, 0), tile(3, 5, 2, 0), tile(5, 2, 4, 0)])
    assert chain.joined == (SECOND, BOTH, FIRST)
    assert chain.touches == (Touch(0, 1, 1, 0), Touch(1, 1, 2, 0))


def test_which_end_lies_where_is_told_by_the_box() -> None:
    assert joined(tile(3, 1, 0, 0, turned=180), tile(3, 5, 2, 0)) == [FIRST, FIRST]


def test_a_double_across_the_end_is_open_with_both_halves() -> None:
    chain = layout_of([tile(3, 5, 0, 0), tile(5, 5, 1.5, 0, turned=90)])
    assert chain.joined == (SECOND, OPEN)
    assert chain.touches == (Touch(0, 1, 1, None),)


def test_a_double_across_the_middle_is_covered() -> None:
    assert joined(tile(3, 5, 0, 0), tile(5, 5, 1.5, 0, turned=90), tile(5, 1, 3, 0)) == [SECOND, BOTH, FIRST]


def test_a_spinner_with_arms_at_its_ends_counts_through_them() -> None:
    arms = [tile(6, 2, 1.5, 0), tile(6, 3, -1.5, 0, turned=180), tile(6, 4, 0, 2, turned=90)]
    assert joined(tile(6, 6, 0, 0, turned=90), *arms) == [BOTH, FIRST, FIRST, FIRST]


def test_a_double_laid_along_the_line_has_one_end_open() -> None:
    assert joined(tile(3, 5, 0, 0), tile(5, 5, 2, 0)) == [SECOND, FIRST]


def test_two_doubles_meet_side_to_side_never() -> None:
    """Laid beside each other as in a hand, no end lies against anything."""
    assert joined(*[tile(n, n, n, 0, turned=90) for n in range(4)]) == [OPEN] * 4


def test_a_hand_in_a_row_touches_along_its_sides_only() -> None:
    assert joined(*[tile(n, n + 1, 0, 1.05 * n) for n in range(5)]) == [OPEN] * 5


@pytest.mark.parametrize("turned", [90, -90])
def test_a_line_turns_a_corner(turned: float) -> None:
    """The next tile lies across, its first half against the end of the one before."""
    side = 1 if turned > 0 else -1
    chain = layout_of([tile(1, 2, 0, 0), tile(2, 6, 1.5, 0.5 * side, turned=turned)])
    assert chain.joined == (SECOND, FIRST)
    assert chain.clashes == ()


def test_the_other_way_round_a_corner() -> None:
    """The end of the next tile lies against the side of the half before."""
    assert joined(tile(1, 2, 0, 0), tile(2, 6, 0.5, 1.5, turned=90)) == [SECOND, FIRST]


def test_a_line_goes_on_beside_its_last_half() -> None:
    chain = layout_of([tile(1, 3, 0, 0), tile(3, 5, 1, 1)])
    assert (chain.joined, chain.touches) == ((SECOND, FIRST), (Touch(0, 1, 1, 0),))
    assert joined(tile(1, 3, 0, 0), tile(5, 3, 1, -1, turned=180)) == [SECOND, SECOND]
    assert joined(tile(1, 3, 0, 0), tile(4, 5, 1, 1)) == [OPEN, OPEN], "beside each other, and not alike"
    assert joined(tile(1, 3, 0, 0), tile(3, 1, 0, 1)) == [OPEN, OPEN], "a hand in a row"


def test_a_corner_at_a_double_laid_along_the_line_is_no_side() -> None:
    assert joined(tile(3, 5, 0, 0), tile(5, 5, 2, 0), tile(5, 1, 2.5, 1.5, turned=90)) == [SECOND, BOTH, FIRST]


def test_only_a_double_is_laid_crosswise() -> None:
    """Against the middle of another tile, the half counts that lies nearer."""
    chain = layout_of([tile(3, 5, 0, 0), tile(5, 1, 1.5, 0.1, turned=90)])
    assert (chain.joined, chain.touches) == ((SECOND, FIRST), (Touch(0, 1, 1, 0),))


def test_tiles_that_merely_lie_near_do_not_touch() -> None:
    assert joined(tile(1, 2, 0, 0), tile(2, 3, 3, 0)) == [OPEN, OPEN]
    assert joined(tile(1, 2, 0, 0), tile(2, 3, 2, 1.2)) == [OPEN, OPEN]


def test_gaps_and_overlaps_of_a_hasty_hand_still_touch() -> None:
    for gap in (-0.2, 0.1, 0.4):
        assert joined(tile(1, 3, 0, 0), tile(3, 5, 2 + gap, 0.15, turned=6)) == [SECOND, FIRST], gap
        assert joined(tile(1, 3, 0, 0), tile(3, 3, 1.5 + gap, 0.1, turned=84)) == [SECOND, OPEN], gap


def test_ends_that_touch_but_differ_are_told() -> None:
    chain = layout_of([tile(1, 3, 0, 0), tile(4, 5, 2, 0), tile(6, 6, 3.5, 0, turned=90)])
    assert chain.clashes == (Touch(0, 1, 1, 0), Touch(1, 1, 2, None))


def test_layouts_that_do_not_touch_are_counted() -> None:
    assert layout_of([]).lines == 0
    assert layout_of([tile(1, 3, 0, 0), tile(3, 5, 2, 0), tile(1, 2, 0, 9)]).lines == 2


SNAKE = [
    tile(6, 6, 0, 0, turned=90),
    tile(6, 3, 1.5, 0),
    tile(3, 5, 3.5, 0),
    tile(5, 5, 5, 0, turned=90),
    tile(2, 6, -1.5, 0),
    tile(1, 2, -2, -1.5, turned=90),
]
SNAKE_JOINED = (BOTH, BOTH, BOTH, OPEN, BOTH, SECOND)


def seen(tiles: list[Tile], turned: float, size: float, slant: float) -> DominoLayout:
    """The layout turned, then seen at a slant: what is farther up is smaller."""
    c, s = cos(radians(turned)), sin(radians(turned))

    def project(point: Point) -> Point:
        x, y = point[0] * c - point[1] * s, point[0] * s + point[1] * c
        deep = 1 - slant * y / 20
        return (900 + size * x / deep, 700 + size * (1 - slant / 2) * y / deep)

    def quad(box: Quad) -> Quad:
        a, b, c, d = map(project, box)
        return (a, b, c, d)

    return layout_of([Tile(one.ends, 1.0, one.alternatives, quad(one.box)) for one in tiles])


@given(st.floats(0, 360), st.floats(8, 200), st.floats(0, 0.9), st.permutations(range(6)))
def test_a_layout_is_the_same_from_anywhere(turned: float, size: float, slant: float, order: list[int]) -> None:
    chain = seen([SNAKE[place] for place in order], turned, size, slant)
    assert chain.joined == tuple(SNAKE_JOINED[place] for place in order)
    assert (chain.lines, chain.clashes) == (1, ())


def test_a_box_without_area_touches_nothing() -> None:
    point = Tile((1, 2), 1.0, (), ((5.0, 5.0),) * 4)
    assert joined(point, point) == [OPEN, OPEN]
