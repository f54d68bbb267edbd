"""Farkle Cribbage as a race of two players, see `scorer.odds.race`.

Source: the Farkle Cribbage text, its goal, the end of the game and "3 Farkles in a row".
"""

from __future__ import annotations

from scorer.games.farkle_crib.odds import GAME, Turns
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.throws import Bonus
from scorer.odds.race_solver import Array, Course, Error
from scorer.pieces.set_asides import DICE

ERROR = Error(0.003, 0.0001, ("bonus=none", "bonus=all"))


class RaceTurns(Turns[Array]):
    """A turn in the race."""

    @property
    def start(self) -> Array:
        """The worth of the first throw of six."""
        return self.throw(0, DICE)


def course(rules: Rules) -> Course[RaceTurns]:
    """The race; a few seconds to solve on the full board. The Bomb counts as its points, and pegs in one lane may share a hole.

    Raises:
        RulesError: "bad-option": a board too long.
    """
    shared = len(set(rules.lanes)) < len(rules.lanes)
    uncounted = {"bomb_exchange": Bonus.SIX_OF_A_KIND in rules.bonus, "lanes": shared}
    return Course(
        game=GAME,
        walk=lambda measure, horizon: RaceTurns(rules, measure, horizon),
        finish=rules.finish,
        same_round=rules.final_turns == "same_round",
        strikes=3 if rules.three_farkles else 0,
        back=10,
        leaves_out=tuple(name for name, on in uncounted.items() if on),
        error=ERROR,
    )
