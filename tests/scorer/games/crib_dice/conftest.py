from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorer.engine.game import Event, Move, Seen
from scorer.errors import IllegalMove
from scorer.games.crib_dice.game import CribDice
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.state import Side, State

WIPEOUT = ("throw 2 2 2 3 4 5 6", "point 2", "throw 3 4 5 6")
"""A turn without score, for any player."""


class Table:
    """A game that a test plays move by move."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.game = CribDice()
        self.state: State = self.game.start(rules, players)
        self.told: list[Event] = []

    def play(self, *moves: str) -> list[str]:
        """Play the moves; the names of everything that happened."""
        happened: list[Event] = []
        for move in moves:
            step = self.game.apply(self.state, Move.parse(move))
            self.state = step.state
            happened += step.events
        self.told += happened
        return [event.name for event in happened]

    def turn(self, points: int) -> list[str]:
        """A whole turn that pegs so many points, 1 to 5 or an even number to 8."""
        throw, value = {
            1: ("1 1 1 3 4 5 6", 1),
            2: ("1 1 2 3 4 5 6", 1),
            3: ("1 2 3 3 3 5 6", 3),
            4: ("1 2 3 4 4 4 6", 4),
            5: ("1 2 3 5 5 5 6", 5),
            6: ("1 2 3 5 6 6 6", 6),
            8: ("1 2 4 4 4 4 6", 4),
        }[points]
        return self.play(f"throw {throw}", f"point {value}", "stop")

    def wipe_out(self) -> list[str]:
        return self.play(*WIPEOUT)

    def place(self, *holes: int, **sides: Any) -> Table:
        """Put the pegs into these holes."""
        pegs = tuple(Side(hole=hole, moved=hole > 0) for hole in holes)
        self.state = replace(self.state, sides=pegs)
        return self

    def change(self, side: int, **values: Any) -> Table:
        self.state = self.state.with_side(side, replace(self.state.sides[side], **values))
        return self

    def refused(self, move: str) -> IllegalMove:
        """How a move is refused; the state is untouched."""
        before = self.state
        with pytest.raises(IllegalMove) as refusal:
            self.game.apply(before, Move.parse(move))
        assert self.state is before
        assert refusal.value.rule
        assert refusal.value.message.endswith(".")
        return refusal.value

    @property
    def choices(self) -> list[str]:
        return [str(move) for move in self.game.legal_moves(self.state).choices]

    @property
    def worths(self) -> dict[str, int]:
        return {str(offer.move): offer.points for offer in self.game.offers(self.state)}

    @property
    def holes(self) -> tuple[int, ...]:
        return self.state.holes

    def sees(self, *dice: int) -> str:
        """The move that a picture of these dice is."""
        (move,) = self.game.recognise(self.state, Seen(dice))
        return str(move)


@pytest.fixture
def seat() -> Callable[..., Table]:
    """A table where the opening is skipped unless asked for; options as for `Rules`."""

    def seated(players: int = 2, *, advanced: bool = False, **options: Any) -> Table:
        make = Rules.advanced if advanced else Rules
        return Table(make(**{"opening_roll": False, **options}), players)

    return seated
