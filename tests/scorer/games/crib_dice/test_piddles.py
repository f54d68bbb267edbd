"""Piddle and rollover, in both editions, and piddle points with every meaning of doubles of the point."""

import pytest

FIVE = ("throw 1 2 4 4 4 4 4", "point 4")
SIX = ("throw 1 4 4 4 4 4 4", "point 4")
BOTH_EDITIONS = pytest.mark.parametrize("edition", ["v2.1", "other"])


@BOTH_EDITIONS
@pytest.mark.parametrize("start", [FIVE, SIX])
def test_with_five_or_six_frozen_one_stops_or_piddles(seat, edition: str, start: tuple[str, ...]) -> None:
    table = seat(edition=edition)
    table.play(*start)
    assert table.choices == ["stop"]
    assert table.refused("throw 4 4").code == table.refused("throw 4").code == "piddle-instead"
    table.play("stop")
    assert table.holes[0] in (12, 16)


def test_nobody_piddles_with_four(seat) -> None:
    table = seat()
    table.play("throw 1 2 3 4 4 4 4", "point 4")
    assert table.refused("piddle 1 2").code == "too-few-to-piddle"


@BOTH_EDITIONS
def test_a_won_piddle_keeps_the_points_and_the_seven_dice_must_be_rolled(seat, edition: str) -> None:
    table = seat(edition=edition)
    assert table.play(*FIVE, "piddle 1 4")[-1] == "piddle-won"
    assert table.state.turn.total == 12
    assert (table.choices, table.refused("stop").code) == ([], "must-roll-over")
    table.play("throw 1 2 3 3 3 5 6", "point 3")
    assert table.worths == {"stop": 15}
    table.play("stop")
    assert table.holes == (15, 0)


def test_one_may_roll_over_again_and_again(seat) -> None:
    table = seat()
    table.play(*FIVE, "piddle 1 2", *FIVE, "piddle 2 3", *SIX, "piddle 2 3", "throw 1 2 3 3 5 5 6", "point 5", "stop")
    assert table.holes == (12 + 12 + 16 + 2, 0)


@BOTH_EDITIONS
def test_other_doubles_lose_the_turn(seat, edition: str) -> None:
    table = seat(edition=edition)
    assert table.play(*FIVE, "piddle 1 2", *FIVE, "piddle 3 3")[-2:] == ["piddle-lost", "turn"]
    assert (table.holes, table.state.sides[0].streak, table.told[-2].points) == ((0, 0), 1, -24)


@BOTH_EDITIONS
def test_doubles_of_the_point_are_no_result(seat, edition: str) -> None:
    table = seat(edition=edition)
    assert table.play(*FIVE, "piddle 4 4")[-1] == "piddle-again"
    assert (table.state.turn.total, table.choices) == (12, [])
    assert table.refused("stop").code == "piddle-again"
    assert table.refused("throw 1 2").code == "piddle-instead"
    table.play("piddle 4 4", "piddle 2 4")
    assert table.state.turn.total == 12


@pytest.mark.parametrize("counts", [True, False])
def test_a_failed_piddle_counts_as_a_wipeout(seat, counts: bool) -> None:
    table = seat(piddle_fail_counts=counts).place(10, 10).change(0, streak=2)
    table.play(*FIVE, "piddle 3 3")
    side = table.state.sides[0]
    assert (side.hole, side.fuchled, side.streak) == ((0, True, 3) if counts else (10, False, 2))


def test_piddle_points_of_the_text(seat) -> None:
    table = seat(piddle_points=True)
    assert table.play(*FIVE, "piddle 2 4")[-2:] == ["piddle-won", "piddle-points"]
    assert (table.state.turn.total, table.told[-1].points) == (16, 4)
    table.play("throw 1 2 3 3 5 5 6", "point 5", "stop")
    assert table.holes == (18, 0)


@pytest.mark.parametrize("start", [FIVE, SIX])
def test_piddle_points_stop_at_seven(seat, start: tuple[str, ...]) -> None:
    table = seat(piddle_points=True)
    table.play(*start, "piddle 4 4", "piddle 4 4", "piddle 3 4")
    assert (table.state.turn.total, table.state.phase) == (20, "throw")


@pytest.mark.parametrize(
    ("doubles", "total", "phase"),
    [("auto", 20, "again"), ("seven_then_reroll", 20, "again"), ("no_result", 12, "again")],
)
def test_doubles_of_the_point_with_piddle_points(seat, doubles: str, total: int, phase: str) -> None:
    table = seat(piddle_points=True, piddle_double_point=doubles)
    table.play(*FIVE, "piddle 4 4")
    assert (table.state.turn.total, table.state.phase) == (total, phase)
    table.play("piddle 3 3")
    assert table.holes == (0, 0)


def test_doubles_of_the_point_may_roll_over(seat) -> None:
    table = seat(piddle_points=True, piddle_double_point="seven_then_rollover")
    assert table.play(*FIVE, "piddle 4 4")[-2:] == ["piddle-won", "piddle-points"]
    assert (table.state.turn.total, table.refused("stop").code) == (20, "must-roll-over")


def test_piddle_points_are_lost_with_a_later_wipeout(seat) -> None:
    table = seat(piddle_points=True)
    table.play(*FIVE, "piddle 2 4", "throw 2 2 2 3 4 5 6", "point 2", "throw 3 4 5 6")
    assert (table.holes, table.told[-2].points) == ((0, 0), -18)


class TestRollingAtFiveOrSix:
    def test_it_is_a_choice_beside_the_piddle(self, seat) -> None:
        table = seat(roll_at_five_or_six=True)
        table.play(*FIVE)
        assert table.choices == ["stop", "roll"]
        assert table.play("piddle 1 2")[0] == "piddle-won"

    def test_the_remaining_dice_join_the_point_as_in_any_throw(self, seat) -> None:
        table = seat(roll_at_five_or_six=True)
        assert table.play(*FIVE, "roll")[-1] == "rolls-on"
        assert table.choices == []
        assert table.refused("stop").code == "not-now"
        table.play("throw 3 4")
        # Six 4s are 16, and again there is a choice.
        assert (table.state.turn.total, table.choices) == (16, ["stop", "roll"])
        table.play("roll", "throw 4")
        assert (table.state.phase, table.state.turn.total) == ("seven", 20)

    def test_a_1_keeps_it_safe_and_neither_wipes_out(self, seat) -> None:
        table = seat(roll_at_five_or_six=True)
        table.play(*FIVE, "roll", "throw 1 3")
        assert (table.state.turn.total, table.choices) == (12, ["stop", "roll"])
        assert "wipeout" in table.play("roll", "throw 3 5")
        assert table.holes == (0, 0)

    def test_doubles_of_another_value_are_no_lost_piddle(self, seat) -> None:
        table = seat(roll_at_five_or_six=True)
        assert table.play(*FIVE, "roll", "throw 1 1")[-1] == "safe"

    def test_a_photo_shows_the_thrown_dice_or_all_seven(self, seat) -> None:
        table = seat(roll_at_five_or_six=True)
        table.play(*SIX, "roll")
        assert table.sees(4) == "throw 4"
        assert table.sees(4, 4, 4, 4, 4, 4, 1) == "throw 1"
        assert table.game.on_table(table.state).counts == {1, 7}

    def test_without_the_option_it_is_refused(self, seat) -> None:
        table = seat()
        table.play(*FIVE)
        assert table.refused("roll").code == "no-roll"


class TestStoppingAfterAPiddle:
    def test_one_may_stop_with_what_was_won(self, seat) -> None:
        table = seat(stop_after_piddle=True)
        table.play(*FIVE, "piddle 1 4")
        assert table.worths == {"stop": 12}
        table.play("stop")
        assert table.holes == (12, 0)

    def test_one_may_throw_seven_fresh_dice(self, seat) -> None:
        table = seat(stop_after_piddle=True)
        table.play(*FIVE, "piddle 1 4", "throw 1 2 3 3 3 5 6", "point 3")
        assert table.worths == {"stop": 15}

    def test_throwing_is_the_better_for_seven_dice_hold_a_pair(self, seat) -> None:
        table = seat(stop_after_piddle=True)
        table.play(*FIVE, "piddle 1 4")
        advice = table.game.advise(table.state, hands=True)
        assert [one.move for one in advice.alternatives] == ["throw", "stop"]
