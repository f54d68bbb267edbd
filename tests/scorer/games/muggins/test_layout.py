"""What open ends add up to and score, by the examples of published rules and by hand."""

import pytest

from scorer.errors import ThrowError
from scorer.games.muggins.legal import scored
from scorer.games.scoring import worth
from tests.scorer.games.muggins.table import layout, tiles


def test_the_example_of_hoyle_scores_ten_again_and_again() -> None:
    """Foster, "Muggins, or All Fives": 5-5 counts 10, 5-0 on it 10, 0-0 on that 10 more; 5-6 and 0-4 make it 10 again."""
    plays = ["5-5", "5-0 5-5", "0-0 5-0", "6-5 5-5", "4-0 0-0"]
    counts = [layout(*plays[: count + 1], spinner="none").count for count in range(5)]
    # 6-5 alone leaves 6 at one end and the double blank at the other.
    assert counts == [10, 10, 10, 6, 10]


@pytest.mark.parametrize(
    ("plays", "count", "points"),
    [
        # Britannica: the leader scores with 5-5, 6-4, 5-0 and 3-2; 4-3 on 4-2 scores 5, and 4-4 on it 10.
        (["5-5"], 10, 10),
        (["6-4"], 10, 10),
        (["5-0"], 5, 5),
        (["3-2"], 5, 5),
        (["4-2"], 6, 0),
        (["4-2", "4-3 4-2"], 5, 5),
        (["4-2", "4-4 4-2"], 10, 10),
        # Wikipedia: so does 4-1.
        (["4-1"], 5, 5),
        # A double six counts 12 and scores nothing; 6-3 on it makes 15, as the double still counts.
        (["6-6"], 12, 0),
        (["6-6", "6-3 6-6"], 15, 15),
        # Once both its sides are taken it counts no more: 3 and 2.
        (["6-6", "6-3 6-6", "6-2 6-6"], 5, 5),
        # The double blank has no pips, and no multiple of five is in them.
        (["0-0"], 0, 0),
        # Hoyle's highest, without a spinner: 4-4 and 6-6 at different ends.
        (["6-4", "4-4 6-4", "6-6 6-4"], 20, 20),
    ],
)
def test_open_ends_add_up_as_the_published_examples_say(plays: list[str], count: int, points: int) -> None:
    assert layout(*plays).count == count
    assert scored(layout(*plays)) == points


def test_the_highest_score_with_one_spinner_is_thirty_five() -> None:
    # Four arms of the double one: 6-6 counts 12, 5-5 counts 10, 4-4 counts 8, and the end of 5-3 counts 5.
    arms = ["6-1 1-1", "6-6 6-1", "5-1 1-1", "5-5 5-1", "4-1 1-1", "4-4 4-1", "3-1 1-1", "5-3 3-1"]
    assert scored(layout("1-1", *arms)) == 35


class TestSpinner:
    PLAYS = ("6-3", "3-3 6-3", "3-1 3-3")

    def test_its_ends_are_open_once_both_sides_are_taken_and_count_nothing(self) -> None:
        now = layout(*self.PLAYS)
        assert now.count == 6 + 1
        assert [(str(end.tile), end.pips, end.counts) for end in now.ends] == [
            ("6-3", 6, 6),
            ("3-3", 3, 0),
            ("3-1", 1, 1),
        ]

    def test_before_that_only_its_sides_are(self) -> None:
        assert [str(tile) for tile in layout(*self.PLAYS[:2]).fitting(*tiles("5-3"))] == ["3-3"]
        assert layout(*self.PLAYS[:2]).count == 6 + 6

    def test_a_tile_at_its_end_counts_the_other_end_of_it(self) -> None:
        now = layout(*self.PLAYS, "5-3 3-3")
        assert now.count == 6 + 1 + 5
        assert [str(tile) for tile in now.fitting(*tiles("3-0"))] == ["3-3"]
        assert not layout(*self.PLAYS, "5-3 3-3", "3-0 3-3").fitting(*tiles("3-2"))

    def test_without_one_a_double_has_two_sides(self) -> None:
        assert not layout(*self.PLAYS, spinner="none").fitting(*tiles("5-3"))

    @pytest.mark.parametrize(("spinner", "fits"), [("first", False), ("all", True)])
    def test_it_is_the_first_double_or_all_of_them(self, spinner: str, fits: bool) -> None:
        now = layout(*self.PLAYS, "1-1 3-1", "5-1 1-1", spinner=spinner)  # type: ignore[arg-type]
        assert bool(now.fitting(*tiles("4-1"))) is fits


def test_a_typed_line_is_scored() -> None:
    found = worth("muggins", ["3-6", "6-6", "6-2"])
    assert (found.total, found.outcome, found.details["count"]) == (5, "counted", 5)
    assert worth("muggins", ["6-6"]).total == 0
    assert worth("muggins", ["6-6"]).items == ()


def test_one_point_for_each_five() -> None:
    from scorer.games.muggins.rules import Rules

    assert worth("muggins", ["6-6", "6-3"], rules=Rules(per_five="1")).total == 3


def test_a_layout_that_branches_is_scored_by_what_is_covered() -> None:
    # The double five with a tile at each side, and the other ends of those open: 4 and 6.
    joined = [(True, True), (True, False), (True, False)]
    assert worth("muggins", ["5-5", "5-4", "6-5"], joined=[joined[0], (True, False), (False, True)]).total == 10


def test_an_end_is_covered_whichever_way_round_its_tile_is_written() -> None:
    covered, uncovered = [(True, False), (False, False)], [(False, True), (False, False)]
    written, turned = (worth("muggins", [name, "6-6"], joined=covered) for name in ("3-5", "5-3"))
    assert (written.details["count"], turned.details["count"]) == (5 + 12, 3 + 12)
    assert worth("muggins", ["5-3", "6-6"], joined=uncovered) == written
    assert written.values == ("5-3", "6-6")


@pytest.mark.parametrize("names", [["3-5", "5-3"], ["3-5", "3-5"]])
def test_a_tile_that_is_named_twice_is_refused(names: list[str]) -> None:
    with pytest.raises(ThrowError) as refused:
        worth("muggins", names)
    assert refused.value.code == "same-tile-twice"


@pytest.mark.parametrize("name", ["7-3", "3", "three"])
def test_what_is_no_tile_of_the_set_is_refused(name: str) -> None:
    with pytest.raises(ThrowError) as refused:
        worth("muggins", [name])
    assert refused.value.code == "no-tile"
