"""Crib Dice as a race of two players, see `scorer.odds.race`.

Source: the Crib Dice text, its goal, the end of the game and "Fuchle".
"""

from __future__ import annotations

from scorer.games.crib_dice.odds import GAME, Turns
from scorer.games.crib_dice.rules import Rules
from scorer.odds.race_solver import Array, Course, Error

ERROR = Error(0.005, 0.0002, ("piddle_points=false", "piddle_points=true"))


class RaceTurns(Turns[Array]):
    """A turn in the race."""

    @property
    def start(self) -> Array:
        """The worth of the first throw of seven."""
        return self.fresh(0)


def course(rules: Rules) -> Course[RaceTurns]:
    """The race; about ten seconds to solve on the full board.

    A bomb, bumping and the elimination by a double fuchle are not counted.

    `find_a_loser` ends with the first peg off the board when two play. A skunk counts as any other loss.

    Raises:
        RulesError: "bad-option": a board too long.
    """
    bumps = rules.bumping and len(set(rules.lanes)) < len(rules.lanes)
    uncounted = {"bomb": rules.bomb, "bumping": bumps, "double_fuchle": rules.double_fuchle}
    return Course(
        game=GAME,
        walk=lambda measure, horizon: RaceTurns(rules, measure, horizon),
        finish=rules.goal,
        same_round=rules.final_turns == "same_round" and not rules.find_a_loser,
        strikes=rules.fuchle_at,
        back=rules.goal,
        leaves_out=tuple(name for name, on in uncounted.items() if on),
        error=ERROR,
    )
