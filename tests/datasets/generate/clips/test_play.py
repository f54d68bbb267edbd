from collections.abc import Mapping
from random import Random

import pytest

from datasets.generate.clips.stage import play
from scorer.engine.game import Move
from scorer.engine.record import Record


class Dice:
    """Seven dice on a table, thrown by chance."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lie: dict[int, int] = {}
        self.thrown: list[tuple[int, ...]] = []
        self.aside: list[tuple[int, ...]] = []

    def cast(self, dice: play.Dice) -> Mapping[int, int]:
        shown = {die: self.random.randint(1, 6) for die in dice}
        self.lie |= shown
        self.thrown.append(dice)
        return shown

    def set_aside(self, dice: play.Dice) -> None:
        assert len({self.lie[die] for die in dice}) == 1
        self.aside.append(dice)


def whole(seed: int, finish: int = 21) -> tuple[Record, Dice]:
    dice = Dice(seed)
    *_, record = play.played(play.game(finish), dice.cast, dice.set_aside)
    return record, dice


@pytest.mark.parametrize("seed", range(15))
def test_a_game_is_played_to_its_end_and_its_record_can_be_read_again(seed: int):
    record, dice = whole(seed)
    assert record.result is not None
    assert Record.load(record.text).moves == record.moves
    throws = [move for move in record.moves if move.verb in ("throw", "piddle")]
    assert [len(move.numbers) for move in throws] == [len(thrown) for thrown in dice.thrown]


@pytest.mark.parametrize("seed", range(15))
def test_frozen_dice_lie_still_while_the_others_are_thrown(seed: int):
    dice = Dice(seed)
    before = play.game(21)
    frozen = 0
    for record in play.played(before, dice.cast, dice.set_aside):
        move = record.moves[-1]
        if move.verb == "throw" and before.state.phase == "safe":
            assert len(dice.thrown[-1]) == 7 - before.state.turn.frozen
            frozen += 1
        if move.verb == "piddle":
            assert len(dice.thrown[-1]) == 2
        before = record
    assert frozen


def test_a_piddle_from_six_borrows_a_frozen_die():
    record = play.game(31).play(Move.parse("throw 2 4 4 4 4 4 4")).play(Move.parse("point 4"))
    hands = play.Hands(values={0: 4, 1: 4, 2: 4, 3: 2, 4: 4, 5: 4, 6: 4})
    assert hands.freeze(record.state) == (0, 1, 2, 4, 5, 6)
    assert hands.to_throw(record.state) == (0, 3)


def test_a_player_stops_when_that_wins():
    record = play.game(5).play(Move.parse("throw 1 2 3 5 5 5 6")).play(Move.parse("point 5"))
    assert play.choice(record.state, record.game.legal_moves(record.state)) == Move("stop")
    record = play.game(31).play(Move.parse("throw 1 2 3 5 5 5 6")).play(Move.parse("point 5"))
    assert play.choice(record.state, record.game.legal_moves(record.state)) is None
