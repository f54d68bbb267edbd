import math

import numpy as np
import pytest

from vision.detect.detector import Find, decode, nearer, outline

SHAPE = (480, 640, 3)


def row(
    x: float, y: float, width: float, height: float, kind: int, degrees: float = 0.0, score: float = 0.9
) -> list[float]:
    scores = [0.01, 0.01, 0.01]
    scores[kind] = score
    return [x, y, width, height, *scores, math.radians(degrees)]


def finds(*rows: list[float], scale: float = 1.0) -> list[Find]:
    return decode(np.array(rows, np.float32), scale, SHAPE)


def test_a_die_is_upright_in_the_photo_s_pixels():
    (find,) = finds(row(100, 100, 50, 50, 0), scale=0.5)
    assert (find.kind, find.quad) == ("d6", None)
    assert (find.left, find.top, find.right, find.bottom) == pytest.approx((150, 150, 250, 250))


@pytest.mark.parametrize(("degrees", "size"), [(3, (60, 40)), (88, (40, 60)), (-80, (40, 60)), (170, (60, 40))])
def test_a_die_s_angle_counts_in_quarter_turns_only(degrees: float, size: tuple[float, float]):
    (find,) = finds(row(300, 200, 60, 40, 1, degrees))
    assert find.kind == "d12"
    assert (find.width, find.height) == pytest.approx(size)


def test_a_domino_keeps_its_angle_and_begins_with_a_long_side():
    (find,) = finds(row(300, 200, 40, 80, 2, 30))
    assert find.quad is not None
    a, b, c, _ = find.quad
    assert math.dist(a, b) == pytest.approx(80, rel=1e-5)
    assert math.dist(b, c) == pytest.approx(40, rel=1e-5)
    assert math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])) % 180 == pytest.approx(120, abs=1e-3)
    assert find.area == pytest.approx(3200, rel=1e-4)


def test_one_piece_found_twice_is_one_find_and_touching_tiles_stay_two():
    crossed = [row(300, 200, 80, 40, 2, 45), row(302, 201, 82, 40, 2, 44, 0.7)]
    assert [round(find.score, 2) for find in finds(*crossed)] == [0.9]
    assert len(finds(row(300, 200, 80, 40, 2, 45), row(300 + 28.3, 200 - 28.3, 80, 40, 2, 45))) == 2


def test_faint_finds_are_dropped_and_the_best_comes_first():
    found = finds(
        row(100, 100, 50, 50, 0, score=0.3), row(300, 300, 50, 50, 1, score=0.8), row(500, 100, 50, 50, 0, score=0.04)
    )
    assert [find.kind for find in found] == ["d12", "d6"]


def test_the_box_of_a_piece_beyond_the_edge_ends_at_the_edge_but_a_tile_s_outline_goes_on():
    (find,) = finds(row(0, 200, 80, 40, 2))
    assert (find.left, find.right) == pytest.approx((0, 40))
    assert find.quad is not None
    assert min(x for x, _ in find.quad) == pytest.approx(-40)


def test_nothing_found():
    assert finds(row(100, 100, 50, 50, 0, score=0.01)) == []


def test_inside_counts_turned_outlines():
    tile = Find(0, 0, 100, 100, 0.9, "domino", outline(((50, 50), (100, 50), 45)))
    die_in_the_corner = Find(80, 0, 100, 20, 0.9)
    die_in_the_middle = Find(45, 45, 55, 55, 0.9)
    assert die_in_the_middle.inside(tile) == pytest.approx(1)
    assert die_in_the_corner.inside(tile) == 0
    assert tile.inside(die_in_the_middle) == pytest.approx(100 / 5000)


def test_scaling_keeps_box_and_outline_together():
    (find,) = finds(row(300, 200, 80, 40, 2, 30))
    twice = find.scaled(2)
    assert twice.quad is not None
    assert find.quad is not None
    assert np.allclose(np.array(twice.quad), 2 * np.array(find.quad))
    assert twice.left == pytest.approx(2 * find.left)
    assert twice.kind == "domino"


def test_a_tile_that_looks_nearly_square_is_tried_both_ways():
    (slim,), (stout,) = finds(row(300, 200, 80, 40, 2, 30)), finds(row(300, 200, 80, 60, 2, 30))
    assert slim.either_way == (slim,)
    one, other = stout.either_way
    assert one == stout
    assert other.quad is not None
    assert stout.quad is not None
    assert other.quad == (*stout.quad[1:], stout.quad[0])
    assert finds(row(100, 100, 50, 50, 0))[0].either_way == tuple(finds(row(100, 100, 50, 50, 0)))


def test_small_pieces_close_together_are_looked_at_again_with_room_around_them():
    small = [Find(200 + 30 * i, 100, 225 + 30 * i, 112, 0.9) for i in range(4)]
    assert nearer([*small, Find(600, 400, 620, 420, 0.1)], SHAPE) == (175, 75, 340, 137)


def test_large_pieces_or_pieces_everywhere_are_not():
    assert nearer([Find(200, 100, 300, 200, 0.9)], SHAPE) is None
    assert nearer([Find(10, 10, 30, 30, 0.9), Find(600, 440, 620, 460, 0.9)], SHAPE) is None
    assert nearer([], SHAPE) is None


def test_a_second_look_ends_at_the_picture_s_edge():
    assert nearer([Find(5, 470, 25, 480, 0.9)], SHAPE) == (0, 450, 45, 480)


def test_a_network_of_one_kind_in_upright_boxes_is_understood_too():
    (find,) = decode(np.array([[100, 100, 60, 40, 0.99]], np.float32), 1.0, SHAPE, ("d6",))
    assert (find.kind, find.width, find.height) == ("d6", 60, 40)


def test_only_kinds_that_are_sought_are_found():
    half_a_tile = [300, 200, 60, 40, 0.4, 0.01, 0.9, 0.0]
    (find,) = decode(np.array([half_a_tile], np.float32), 1.0, SHAPE, sought=("d6",))
    assert (find.kind, find.quad, find.score) == ("d6", None, pytest.approx(0.4))
    assert decode(np.array([row(300, 200, 60, 40, 2)], np.float32), 1.0, SHAPE, sought=("d6", "d12")) == []
