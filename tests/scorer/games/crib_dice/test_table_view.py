"""RULINGS, "What a photo means in a game", for Crib Dice."""

import pytest

from scorer.engine.game import Unclear


def doubt(table, *dice: int) -> Unclear:
    with pytest.raises(Unclear) as unclear:
        table.sees(*dice)
    return unclear.value


def test_a_turn_begins_with_seven_dice(seat) -> None:
    table = seat()
    assert table.sees(5, 5, 2, 2, 1, 4, 6) == "throw 1 2 2 4 5 5 6"
    for dice in ((), (1,) * 6, (1,) * 8):
        error = doubt(table, *dice)
        assert (error.code, error.moves) == ("wrong-count", ())
        assert "seven dice" in error.message


def test_thrown_dice_alone_or_all_seven(seat) -> None:
    table = seat()
    table.play("throw 1 2 2 4 5 5 6", "point 5")
    assert table.sees(6, 5, 1, 6, 6) == "throw 1 5 6 6 6"
    assert table.sees(5, 6, 5, 1, 6, 5, 6) == "throw 1 5 6 6 6"
    assert doubt(table, 5, 6, 4, 1, 6, 4, 6).code == "set-aside-not-there"
    assert doubt(table, 5, 6, 4, 1, 6, 4).code == "wrong-count"
    assert doubt(table, 5, 6, 4, 1, 9).code == "value-out-of-range"


@pytest.mark.parametrize(
    ("frozen", "piddle_points", "shown", "read"),
    [
        (5, False, (2, 3), True),
        (5, False, (4, 4, 4, 4, 4, 2, 3), True),
        (5, False, (4, 4, 4, 4, 4, 4, 2, 3), False),
        (6, False, (2, 3), True),
        (6, False, (4, 4, 4, 4, 4, 2, 3), True),
        (6, False, (4, 4, 4, 4, 4, 4, 2, 3), True),
        (5, True, (4, 4, 4, 4, 4, 2, 3), True),
        (6, True, (4, 4, 4, 4, 4, 4, 2, 3), True),
        (6, True, (4, 4, 4, 4, 4, 2, 3), False),
        (5, True, (4, 4, 4, 4, 4, 1, 2, 2, 3), False),
    ],
)
def test_a_piddle_alone_or_with_the_frozen_dice(seat, frozen, piddle_points, shown, read) -> None:
    table = seat(piddle_points=piddle_points)
    table.play("throw 1 2 4 4 4 4 4" if frozen == 5 else "throw 2 4 4 4 4 4 4", "point 4")
    if read:
        assert table.sees(*shown) == "piddle 2 3"
    else:
        assert doubt(table, *shown).code == "wrong-count"


def test_after_doubles_that_count_the_frozen_dice_are_still_five(seat) -> None:
    table = seat(piddle_points=True)
    table.play("throw 1 2 4 4 4 4 4", "point 4", "piddle 4 4")
    assert table.sees(4, 4, 4, 3, 4, 4, 4) == "piddle 3 4"
    assert doubt(table, 4, 4, 4, 4, 4, 4, 4, 3).code == "wrong-count"


def test_two_dice_of_an_unannounced_piddle_are_no_bomb(seat) -> None:
    table = seat(bomb=True).place(10, 20)
    table.play("throw 1 1 1 1 1 2 3", "point 1")
    table.play(table.sees(1, 6))
    assert (table.state.phase, table.holes) == ("throw", (10, 20))


def test_two_dice_of_an_announced_bomb(seat) -> None:
    table = seat(bomb=True).place(10, 20)
    table.play("throw 1 1 1 1 1 2 3", "point 1", "bomb")
    table.play(table.sees(1, 1, 1, 1, 1, 6, 1))
    assert table.holes == (20, 10)


def test_seven_of_a_kind_that_still_lie_there_are_no_throw(seat) -> None:
    table = seat()
    table.play("throw 6 6 6 6 6 6 6", "point 6")
    error = doubt(table, *(6,) * 7)
    assert (error.code, [str(move) for move in error.moves]) == ("nothing-thrown", ["throw 6 6 6 6 6 6 6"])
    assert table.sees(6, 6, 6, 6, 6, 6, 1) == "throw 1 6 6 6 6 6 6"


def test_two_dice_open_and_roll_off(seat) -> None:
    table = seat(opening_roll=True, tie="roll_off")
    assert table.sees(5, 2) == "opening 2 5"
    assert doubt(table, 5, 2, 1).code == "wrong-count"
    table.play("opening 2 5", "opening 1 1")
    table.place(119, 119)
    table.turn(2), table.turn(2)
    assert table.sees(6, 2) == "roll-off 2 6"


def test_a_choice_is_asked_never_guessed(seat) -> None:
    table = seat(freeze_all=False)
    table.play("throw 1 2 2 4 5 5 6")
    assert doubt(table, 1, 5, 6, 6, 6).code == "choice-first"
    table.play("point 5 2", "throw 1 2 3 5 5")
    assert doubt(table, 1, 2, 3).code == "choice-first"


def test_a_leader_is_chosen_not_seen(seat) -> None:
    table = seat(3, bomb=True).place(10, 20, 20)
    table.play("throw 1 1 1 1 1 1 3", "point 1", "bomb")
    assert doubt(table, 1, 2, 3, 4, 5, 6, 6).code == "choice-first"


def test_nothing_is_scored_when_it_is_over(seat) -> None:
    table = seat(final_turns="at_once").place(119, 0)
    table.turn(2)
    assert doubt(table, 1, 2, 3, 4, 5, 6, 6).code == "game-over"
