"""Plain totals of dominoes, counted by hand beside what they should be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.engine.worth import Worth
from scorer.errors import ThrowError
from scorer.games.domino_pips.worth import Ends, Joined, joined_in_line, open_ends, tile_named
from scorer.games.scoring import rules_named, worth
from scorer.pieces.tiles import HIGHEST_OF_ANY_SET

END = st.integers(0, HIGHEST_OF_ANY_SET)


def counted(tiles: str, *rules: str, joined: list[Joined] | None = None) -> Worth:
    return worth("domino-pips", tiles.split(), rules=rules_named("domino-pips", rules), joined=joined)


def items(found: Worth) -> list[tuple[str, str, int]]:
    return [(item.name, str(item.pieces[0]), item.points) for item in found.items]


def test_the_pips_on_the_table_are_itemised() -> None:
    found = counted("3-5 0-0 6-6 12-9")
    assert items(found) == [("tile", "3-5", 8), ("double blank", "0-0", 0), ("tile", "6-6", 12), ("tile", "12-9", 21)]
    assert (found.total, found.summary) == (41, "41 pips on 4 tiles.")
    assert found.items[0].text == "tile (3-5): 8 points"


@pytest.mark.parametrize(("house", "total"), [("0", 17), ("10", 27), ("25", 42), ("50", 67)])
def test_the_double_blank_left_in_a_hand_counts_by_the_house(house: str, total: int) -> None:
    assert counted("0-0 5-12", "count=hand", f"double_blank={house}").total == total


def test_no_other_blank_counts_more_than_its_pips() -> None:
    assert counted("0-4 0-1", "count=hand", "double_blank=50").total == 5


@pytest.mark.parametrize("rules", [["double_blank=25"], ["count=ends", "double_blank=10"], ["double_blank=7"]])
def test_a_house_rule_that_would_not_count_is_refused(rules: list[str]) -> None:
    with pytest.raises(ThrowError) as refused:
        rules_named("domino-pips", rules)
    assert refused.value.code == "bad-option"


# A line of play, and what its open ends add up to: Pagat, "Muggins".
@pytest.mark.parametrize(
    ("line", "total", "each"),
    [
        ("3-5", 8, [3, 5]),
        ("4-4", 8, [8]),
        ("0-0", 0, [0]),
        ("3-5 5-1", 4, [3, 1]),
        ("3-5 5-5", 13, [3, 10]),
        ("3-5 5-5 5-1", 4, [3, 1]),
        ("6-6 6-3", 15, [12, 3]),
        ("5-3 3-6 6-6", 17, [5, 12]),
        ("3-5 1-5 1-1 4-1", 7, [3, 4]),
        ("2-2 2-5 5-5", 14, [4, 10]),
    ],
)
def test_the_open_ends_of_a_line_are_added(line: str, total: int, each: list[int]) -> None:
    found = counted(line, "count=ends")
    assert (found.total, [points for _, _, points in items(found)]) == (total, each)
    assert ("multiple of 5" in found.summary) == (total > 0 and total % 5 == 0)


@pytest.mark.parametrize("line", ["3-5 2-6", "3-5 5-1 5-2", "3-5 5-5 3-1"])
def test_a_line_whose_ends_do_not_match_is_refused(line: str) -> None:
    with pytest.raises(ThrowError) as refused:
        counted(line, "count=ends")
    assert refused.value.code == "no-line"
    assert line in refused.value.message


def test_which_ends_are_covered_may_be_told() -> None:
    """A spinner with four arms, of which one ends in a double laid crosswise."""
    covered = [(True, True), (True, False), (True, False), (True, True), (False, False), (True, False)]
    found = counted("6-6 6-1 6-2 6-3 3-3 6-4", "count=ends", joined=covered)
    assert items(found) == [("end", "6-1", 1), ("end", "6-2", 2), ("double", "3-3", 6), ("end", "6-4", 4)]
    assert found.summary == "13 at the open ends: 1, 2, 6, and 4."


def test_a_double_laid_along_the_line_counts_its_free_end() -> None:
    assert items(counted("3-5 5-5", "count=ends", joined=[(False, True), (True, False)]))[1] == ("end", "5-5", 5)


def test_nothing_may_be_open() -> None:
    assert counted("3-5", "count=ends", joined=[(True, True)]).summary == "No end is open."


@pytest.mark.parametrize("text", ["3", "3-", "19-0", "a-b", "3-5-1", "", "-1-2"])
def test_what_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(ThrowError) as refused:
        tile_named(text)
    assert refused.value.code == "no-tile"


def test_without_tiles_there_is_nothing_to_count() -> None:
    with pytest.raises(ThrowError) as refused:
        counted("")
    assert refused.value.code == "wrong-count"


@given(st.lists(st.tuples(END, END), min_size=1, max_size=20), st.sampled_from(["table", "hand"]))
def test_pips_are_the_sum_of_all_ends(tiles: list[Ends], count: str) -> None:
    found = counted(" ".join(f"{a}-{b}" for a, b in tiles), f"count={count}")
    assert found.total == sum(a + b for a, b in tiles) == sum(item.points for item in found.items)


@given(st.lists(END, min_size=2, max_size=12), st.lists(st.booleans(), min_size=11, max_size=11))
def test_a_line_counts_the_same_however_its_tiles_are_written(ends: list[int], flips: list[bool]) -> None:
    line = list(pairwise(ends))
    assume(len(line) == 1 or sorted(line[0]) != sorted(line[1]))  # one tile twice, of two sets, fits both ways
    flipped = [tile[::-1] if flip else tile for tile, flip in zip(line, flips, strict=False)]
    assert total_of(flipped) == total_of(line)


@given(st.lists(END, min_size=3, max_size=12, unique=True))
def test_of_a_line_without_doubles_the_outer_ends_count(ends: list[int]) -> None:
    assert total_of(list(pairwise(ends))) == ends[0] + ends[-1]


def total_of(line: list[Ends]) -> int:
    return sum(item.points for item in open_ends(line, joined_in_line(line)))
