"""The basic game's turn: "Play", the scoring chart, the example play, freezing."""

import pytest

SAFE_AT_FIVES = ("throw 1 2 2 4 5 5 6", "point 5", "throw 1 5 6 6 6")


def test_the_example_play_of_the_text(seat) -> None:
    table = seat()
    table.play("throw 1 2 2 4 5 5 6")
    assert table.worths == {"point 5": 2, "point 2": 2}
    table.play("point 5", "throw 1 5 6 6 6")
    assert table.worths == {"stop": 5}
    assert table.play("stop") == ["pegged", "turn"]
    assert table.holes == (5, 0)
    assert table.state.to_act == 1


def test_the_point_may_not_be_changed(seat) -> None:
    table = seat()
    table.play(*SAFE_AT_FIVES)
    assert table.refused("point 6").code == "point-stands"


@pytest.mark.parametrize(
    ("throw", "names", "worth"),
    [
        ("2 3 4 6", ["wipeout", "turn"], None),
        ("2 3 5 6", ["safe", "frozen"], 10),
        ("5 5 5 6", ["safe", "frozen"], 20),
        ("1 1 2 3", ["safe"], 5),
    ],
)
def test_going_on_after_the_example(seat, throw: str, names: list[str], worth: int | None) -> None:
    table = seat()
    table.play(*SAFE_AT_FIVES)
    assert table.play(f"throw {throw}") == names
    assert table.worths == ({} if worth is None else {"stop": worth})
    assert table.state.own.hole == 0


def test_a_1_keeps_safe_but_is_not_frozen(seat) -> None:
    table = seat()
    table.play(*SAFE_AT_FIVES, "throw 1 1 2 3")
    assert table.state.turn.frozen == 3
    table.play("throw 1 1 2 3")
    assert table.refused("throw 2 3").code == "wrong-count"


def test_with_point_1_the_safe_die_joins(seat) -> None:
    table = seat()
    table.play("throw 1 1 2 3 4 5 6", "point 1")
    assert table.worths == {"stop": 2}
    table.play("throw 1 3 4 5 6")
    assert (table.worths, table.state.turn.frozen) == ({"stop": 1}, 3)
    assert table.play("throw 3 4 5 6") == ["wipeout", "turn"]
    assert "no 1, a wipeout" in table.told[-2].text


@pytest.mark.parametrize(("value", "points"), [(5, (2, 5, 10, 15, 20, 25)), (1, (2, 1, 2, 3, 4, 5))])
def test_the_scoring_chart(seat, value: int, points: tuple[int, ...]) -> None:
    rest = [v for v in (2, 3, 4, 6, 2) if v != value]
    for count, worth in enumerate(points, start=2):
        table = seat()
        dice = sorted([value] * count + rest[: 7 - count])
        table.play("throw " + " ".join(map(str, dice)), f"point {value}")
        assert table.worths == {"stop": worth}


def test_the_tips_of_the_text(seat) -> None:
    table = seat()
    table.play("throw 1 3 6 6 6 6 6")
    assert table.worths == {"point 6": 18}
    table = seat()
    table.play("throw 1 3 4 4 4 5 5")
    assert table.worths == {"point 4": 4, "point 5": 2}


def test_a_wipeout_scores_nothing_and_passes_the_dice(seat) -> None:
    table = seat().place(10, 20)
    table.wipe_out()
    assert (table.holes, table.state.to_act, table.state.sides[0].streak) == ((10, 20), 1, 1)


def test_seven_of_a_kind_rolls_over_by_itself_and_one_may_stop(seat) -> None:
    table = seat()
    table.play("throw 1 2 3 4 4 4 4", "point 4")
    assert table.play("throw 4 4 4") == ["safe", "frozen", "rollover"]
    assert table.refused("piddle 1 2").code == "already-rolled-over"
    stopped = seat()
    stopped.play("throw 1 2 3 4 4 4 4", "point 4", "throw 4 4 4", "stop")
    assert stopped.holes == (20, 0)
    table.play("throw 1 2 3 3 3 5 6")
    assert table.choices == ["point 3"]
    table.play("point 3", "stop")
    assert table.holes == (23, 0)


def test_seven_at_the_first_throw(seat) -> None:
    table = seat()
    table.play("throw 6 6 6 6 6 6 6", "point 6")
    assert (table.worths, table.state.phase) == ({"stop": 30}, "seven")


def test_a_wipeout_after_a_rollover_loses_all_of_the_turn(seat) -> None:
    table = seat().place(10, 10)
    assert table.play("throw 4 4 4 4 4 4 4", "point 4", *("throw 2 2 2 3 4 5 6", "point 2", "throw 3 4 5 6")) == [
        *("thrown", "frozen", "rollover", "thrown", "frozen", "wipeout", "turn")
    ]
    assert table.told[-2].points == -22
    assert (table.holes, table.state.sides[0].streak) == ((10, 10), 1)


def test_the_front_peg_shows_the_running_count(seat) -> None:
    table = seat().place(10, 20)
    table.play(*SAFE_AT_FIVES)
    mine, theirs = table.game.board(table.state).pegs
    assert ((mine.back, mine.front), (theirs.back, theirs.front)) == ((10, 15), (20, 20))
    table.play("throw 2 3 4 6")
    assert table.game.board(table.state).pegs[0].front == 10


# freeze_all=False


def test_the_player_may_freeze_fewer_at_first(seat) -> None:
    table = seat(freeze_all=False)
    table.play("throw 1 1 1 5 5 5 6")
    assert table.worths == {"point 5 3": 5, "point 5 2": 2, "point 1 2": 2, "point 1 3": 1}
    assert table.refused("point 5").code == table.refused("point 5 4").code == "bad-frozen"
    assert table.refused("point 5 1").code == "bad-frozen"
    table.play("point 1 2")
    assert table.worths == {"stop": 2}
    table.play("throw 1 2 3 4 5")
    assert (table.state.turn.frozen, table.worths) == (3, {"stop": 1})


def test_the_player_may_freeze_fewer_later_but_at_least_one(seat) -> None:
    table = seat(freeze_all=False)
    table.play("throw 1 2 2 4 5 5 6", "point 5 2")
    assert table.play("throw 5 5 5 6 6") == ["safe"]
    assert table.worths == {"freeze 3": 15, "freeze 2": 10, "freeze 1": 5}
    for move, code in (("freeze 0", "bad-frozen"), ("freeze 4", "bad-frozen"), ("stop", "not-now")):
        assert table.refused(move).code == code
    table.play("freeze 2", "throw 1 2 3")
    assert table.worths == {"stop": 10}


def test_all_are_frozen_by_default(seat) -> None:
    table = seat()
    table.play("throw 1 2 2 4 5 5 5")
    assert table.refused("point 5 2").code == "freeze-all"
    table.play("point 5", "throw 5 5 5 6")
    assert (table.state.turn.frozen, table.choices) == (6, ["stop"])
    assert table.refused("freeze 1").code == "freeze-all"
