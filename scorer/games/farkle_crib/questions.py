"""Farkle Cribbage: the questions about its scores and its odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer.engine.advice import Advice
from scorer.engine.moment import TurnOdds, WholeTurn
from scorer.games.farkle_crib.rules import Rules
from scorer.games.set_aside_game import Situation
from scorer.odds.race_moment import RaceMoment

if TYPE_CHECKING:
    from scorer.odds.dice import Decision
    from scorer.odds.race_solver import Array, Course


@dataclass(frozen=True, slots=True, kw_only=True)
class FarkleCribMoment(Situation, RaceMoment[Rules]):
    """Choose what to set aside and whether to stop; or, without dice, whether to throw again.

    muggins advise farkle-crib 1 2 6 3 3 3 --points 10

    muggins advise farkle-crib --points 10 --to-throw 3
    """

    def advice(self, rules: Rules) -> Advice:
        """What to set aside, and whether to stop then."""
        from scorer.games.farkle_crib.odds import advise

        return advise(rules, self.points, self.count, self.dice)

    def course(self, rules: Rules) -> Course[Any]:
        """The race of two players."""
        from scorer.games.farkle_crib.race import course

        return course(rules)

    def decisions(self, turns: Any) -> Sequence[Decision[Array]]:
        """Everything to do, each with its chance to win."""
        from scorer.games.farkle_crib.odds import decisions

        return decisions(turns, self.points, self.count, self.dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class FarkleCribTurn(WholeTurn[Rules]):
    """A whole turn of Farkle Cribbage, for points."""

    def odds(self, rules: Rules) -> TurnOdds:
        """Its worth, and how to play it."""
        from scorer.games.farkle_crib.odds import turn

        return turn(rules)
