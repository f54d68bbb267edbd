"""Two looks made one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import load_manifest
from vision.detect.detector import Find, Locator
from vision.detect.fusion import both
from vision.photo import load

DIE = Find(10, 20, 50, 60, 0.8)
LONG = ((0.0, 0.0), (100.0, 0.0), (100.0, 50.0), (0.0, 50.0))
TILE = Find(0, 0, 100, 50, 0.9, "domino", LONG)


def test_a_die_seen_twice_is_one_die_between_both():
    (found,) = both([DIE], [replace(DIE, left=14, right=54, score=0.4)])
    assert found.score == pytest.approx(0.6)
    assert found.left == pytest.approx(10 * 2 / 3 + 14 / 3), "the surer look counts for more"
    assert (found.top, found.bottom) == (20, 60)


def test_what_one_look_saw_alone_is_kept_but_believed_less():
    elsewhere = Find(200, 200, 240, 240, 0.5)
    assert [round(find.score, 3) for find in both([DIE], [elsewhere])] == [0.44, 0.275]


def test_another_kind_in_the_same_place_is_another_find():
    assert len(both([DIE], [replace(DIE, kind="d12")])) == 2


@pytest.mark.parametrize("turn", range(4))
def test_a_tile_keeps_its_outline_whichever_corner_the_other_look_begins_with(turn: int):
    turned = (*LONG[turn:], *LONG[:turn])
    (found,) = both([TILE], [replace(TILE, quad=turned)])
    assert np.allclose(found.corners, LONG)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(0.05, 1)), max_size=12))
def test_two_equal_looks_change_nothing(places: list[tuple[int, int, float]]):
    apart = {(x, y): score for x, y, score in places}
    finds = [Find(100 * x, 100 * y, 100 * x + 60, 100 * y + 60, score) for (x, y), score in apart.items()]
    found = both(finds, finds)
    assert [f.score for f in found] == pytest.approx(sorted((f.score for f in finds), reverse=True))
    assert {(round(f.left), round(f.top)) for f in found} == {(round(f.left), round(f.top)) for f in finds}


def test_the_locator_finds_the_same_in_a_picture_and_upside_down():
    pixels = load(Path("docs/sample-hand.jpg")).pixels
    locator, (height, width) = Locator(load_manifest()["locator"]), pixels.shape[:2]
    upright = locator.find(pixels)
    turned = locator.find(np.ascontiguousarray(pixels[::-1, ::-1]))
    assert sum(find.score > 0.5 for find in upright) == 4
    for find, back in zip(upright[:4], sorted_like(upright[:4], turned, width, height), strict=True):
        assert find.score == pytest.approx(back.score, abs=0.02)
        assert find.middle == pytest.approx(back.middle, abs=1.0)


def sorted_like(finds: list[Find], turned: list[Find], width: int, height: int) -> list[Find]:
    """Each find's twin among those of the turned picture."""
    back = [find.mapped(-1, -1, width, height) for find in turned]
    return [max(back, key=lambda other, find=find: find.inside(other)) for find in finds]
