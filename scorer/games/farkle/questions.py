"""Farkle: the questions about its odds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.engine.advice import Advice
from scorer.engine.moment import Moment, TurnOdds, WholeTurn
from scorer.engine.parameters import parameter
from scorer.errors import ThrowError
from scorer.games.farkle.rules import UNIT, Rules
from scorer.games.set_aside_game import Situation


def _banked() -> Any:
    return parameter("your score before this turn, for the least that gets you on the board", 0, least=0, most=99_999)


def _positive(banked: int) -> int:
    if banked < 0:
        raise ThrowError("bad-total", f"The score before the turn must be 0 or more, got {banked}.")
    return banked


@dataclass(frozen=True, slots=True, kw_only=True)
class FarkleMoment(Situation, Moment[Rules]):
    """Choose what to set aside and whether to stop; or, without dice, whether to throw again.

    muggins advise farkle 1 2 6 3 3 3 --points 300

    muggins advise farkle --points 300 --to-throw 3
    """

    banked: int = _banked()

    def advice(self, rules: Rules) -> Advice:
        """What to set aside, and whether to stop then."""
        from scorer.games.farkle.odds import best_decision, least_kept

        if self.points % UNIT:
            raise ThrowError("wrong-points", f"points must be a multiple of {UNIT}, got {self.points}.")
        return best_decision(
            rules, least_kept(rules, _positive(self.banked)), self.points, self.count, tuple(sorted(self.dice))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FarkleTurn(WholeTurn[Rules]):
    """A whole turn of Farkle, for points."""

    banked: int = _banked()

    def odds(self, rules: Rules) -> TurnOdds:
        """Its worth, and how to play it."""
        from scorer.games.farkle.odds import turn

        return turn(rules, _positive(self.banked))
