"""What is not legal is refused with a reason and a rule, in every phase, and leaves the state as it was."""

import pytest

from scorer.engine.game import Move

ANY_MOVE = (
    "opening 1 2",
    "throw 1 2 3 4 5 6 6",
    "throw 1 2 3 4 5",
    "point 6",
    "point 6 2",
    "freeze 1",
    "stop",
    "piddle 1 2",
    "bomb",
    "exchange 1",
    "roll-off 1 2",
    "knock",
    "point",
    "freeze",
    "exchange",
    "stop 1",
    "throw 3-0",
)
PHASES = {
    "opening": {"opening_roll": True},
    "throw": {},
    "choose": {"moves": ("throw 1 2 2 4 5 5 6",)},
    "freeze": {"moves": ("throw 1 2 2 4 5 5 6", "point 5 2", "throw 1 2 3 5 5"), "freeze_all": False},
    "safe": {"moves": ("throw 1 2 3 4 5 5 6", "point 5")},
    "piddle": {"moves": ("throw 1 2 5 5 5 5 5", "point 5")},
    "again": {"moves": ("throw 1 2 5 5 5 5 5", "point 5", "piddle 5 5")},
    "bombing": {"moves": ("throw 1 1 1 1 1 5 5", "point 1", "bomb"), "bomb": True},
    "exchange": {"moves": ("throw 1 1 1 1 1 1 5", "point 1", "bomb"), "bomb": True},
    "seven": {"moves": ("throw 1 1 1 1 1 1 1", "point 1"), "bomb": True},
    "over": {"moves": ("throw 6 6 6 6 6 6 6", "point 6", "stop"), "final_turns": "at_once", "finish": 30},
}


def arrive(seat, phase: str):
    options = dict(PHASES[phase])
    moves = options.pop("moves", ())
    table = seat(3, **options)
    if phase != "over":
        table.place(5, 10, 10)
    table.play(*moves)
    assert table.state.phase == phase
    return table


@pytest.mark.parametrize("phase", PHASES)
def test_every_move_that_is_not_legal_has_its_reason(seat, phase: str) -> None:
    table = arrive(seat, phase)
    legal = table.game.legal_moves(table.state)
    refused = [move for move in ANY_MOVE if Move.parse(move) not in legal]
    assert len(refused) >= len(ANY_MOVE) - 3
    for move in refused:
        assert table.refused(move).message


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase != "over"])
def test_every_phase_says_what_is_due(seat, phase: str) -> None:
    table = arrive(seat, phase)
    assert table.game.prompt(table.state).startswith("{0}: ")
    assert table.game.prompt(table.state).count(" or ") == max(len(table.choices), 0) * (phase in STOPPABLE)


STOPPABLE = ("safe", "piddle", "seven")


@pytest.mark.parametrize(
    ("phase", "move", "code"),
    [
        ("throw", "stop", "nothing-to-peg"),
        ("throw", "throw 1 2 3", "wrong-count"),
        ("throw", "throw 1 2 3 4 5 6 7", "value-out-of-range"),
        ("throw", "throw 2 1 3 4 5 6 6", "unsorted"),
        ("throw", "point 5", "not-now"),
        ("throw", "piddle 1 2", "not-now"),
        ("choose", "stop", "point-first"),
        ("choose", "throw 1 2 3 4 5", "point-first"),
        ("choose", "point 1", "no-pair"),
        ("choose", "point 5 2", "freeze-all"),
        ("safe", "throw 1 2 3 4", "wrong-count"),
        ("safe", "stop 5", "surplus"),
        ("safe", "opening 1 2", "already-opened"),
        ("safe", "knock", "unknown-move"),
        ("piddle", "piddle 1", "wrong-count"),
        ("exchange", "exchange 0", "not-a-leader"),
        ("over", "stop", "game-over"),
    ],
)
def test_the_reason(seat, phase: str, move: str, code: str) -> None:
    assert arrive(seat, phase).refused(move).code == code


@pytest.mark.parametrize(
    ("phase", "move", "way_out"),
    [
        ("throw", "throw 2 1 3 4 5 6 6", ": throw 1 2 3 4 5 6 6."),
        ("throw", "throw 1 2 3 4 5 6 6 3-0", ": throw 1 2 3 4 5 6 6."),
        ("piddle", "piddle 4 2", ": piddle 2 4."),
        ("throw", "throw 1 2 3 4 5 6 7", ": correct throw 1 2 3 4 5 6 7."),
    ],
)
def test_a_throw_written_wrongly_is_told_how_to_write_it(seat, phase: str, move: str, way_out: str) -> None:
    assert arrive(seat, phase).refused(move).message.endswith(way_out)


def test_the_reason_names_the_way_out(seat) -> None:
    table = arrive(seat, "choose")
    assert table.refused("point 1").message == "A point is two or more matching dice: choose 2 or 5."
    assert table.refused("point 1").rule == "Crib Dice, Play"
