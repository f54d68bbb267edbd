import pytest

from vision.classify.tiles import TileFace
from vision.tile_set import of_one_set


def end(chances: dict[int, float]) -> tuple[float, ...]:
    """The chances of the values named; the rest shared by the others."""
    rest = (1 - sum(chances.values())) / (13 - len(chances))
    return tuple(chances.get(value, rest) for value in range(13))


def tile(first: dict[int, float], second: dict[int, float], back: float = 0.0) -> TileFace:
    return TileFace(0.01, back, end(first), end(second))


SIXES = [tile({a: 0.98}, {b: 0.98}) for a, b in ((1, 6), (2, 5), (0, 3), (4, 4))]
BLANK_OR_NINE = tile({1: 0.97}, {9: 0.5, 0: 0.3})


def shown(face: TileFace) -> tuple[int, int]:
    return face.ranked[0][0]


def test_among_double_sixes_a_nine_is_a_blank():
    assert shown(BLANK_OR_NINE) == (1, 9)
    (seen,) = of_one_set([BLANK_OR_NINE], [*SIXES, BLANK_OR_NINE])
    assert shown(seen) == (1, 0)


def test_what_shows_no_value_of_the_set_is_likelier_no_tile():
    nine = tile({1: 0.97}, {9: 0.95})
    (seen,) = of_one_set([nine], SIXES)
    assert seen.other > 0.5 > nine.other


@pytest.mark.parametrize("high", [9, 12])
def test_a_table_of_higher_sets_keeps_its_values(high: int):
    tiles = [tile({high: 0.98}, {3: 0.98}), tile({7: 0.98}, {1: 0.98}), BLANK_OR_NINE]
    seen = of_one_set(tiles, tiles)
    assert [shown(face) for face in seen[:2]] == [(high, 3), (7, 1)]
    assert seen[0].other < 0.1


def test_one_tile_misread_among_many_does_not_change_the_set():
    misread = tile({12: 0.97}, {3: 0.97})
    (seen,) = of_one_set([BLANK_OR_NINE], [*SIXES, *SIXES, misread])
    assert shown(seen) == (1, 0)


def test_a_sure_ten_alone_on_the_table_stays_a_ten():
    ten = tile({10: 0.95}, {2: 0.95})
    (seen,) = of_one_set([ten], [ten])
    assert shown(seen) == (10, 2)


def test_a_tile_face_down_says_nothing_of_the_set():
    down = tile({12: 0.2}, {12: 0.2}, back=0.99)
    with_it, without = of_one_set([BLANK_OR_NINE], [down, down]), of_one_set([BLANK_OR_NINE], [])
    assert with_it[0].first == pytest.approx(without[0].first, abs=0.02)
    (seen,) = of_one_set([down], SIXES)
    assert seen.other == pytest.approx(down.other, abs=0.02)


def test_the_chances_of_an_end_still_add_up_to_one():
    for face in of_one_set([*SIXES, BLANK_OR_NINE], SIXES):
        assert sum(face.first) == pytest.approx(1)
        assert sum(face.second) == pytest.approx(1)
