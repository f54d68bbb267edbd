"""Crib Dice: the questions about its scores and its odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer.engine.advice import Advice
from scorer.engine.moment import TurnOdds, WholeTurn
from scorer.engine.parameters import parameter
from scorer.errors import ThrowError
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.throws import DICE, FACES
from scorer.odds.race_moment import RaceMoment

if TYPE_CHECKING:
    from scorer.odds.dice import Decision
    from scorer.odds.race_solver import Array, Course


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What a throw may have before it."""

    point: int | None = parameter("the value you froze as your point", None, least=1, most=FACES, metavar="V")
    frozen: int | None = parameter("number of dice frozen on it before this throw", None, least=1, most=DICE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CribDiceMoment(RaceMoment[Rules]):
    """Choose a point after a throw of seven dice; or, with a point frozen, whether to stop.

    muggins advise crib-dice 5 5 2 2 1 4 6

    muggins advise crib-dice --point 5 --frozen 3 --banked 12
    """

    dice: tuple[int, ...] = parameter(
        "the throw on the table, if any", (), least=1, most=FACES, at_most=DICE, metavar="DIE", on_table=True
    )
    point: int | None = parameter("the value you froze as your point", None, least=1, most=FACES, metavar="V")
    frozen: int | None = parameter("how many dice are frozen on it", None, least=1, most=DICE)
    banked: int = parameter("points of earlier rollovers in this turn", 0, least=0, most=9999)

    def __post_init__(self) -> None:
        if (self.point is None) != (self.frozen is None):
            raise ThrowError(
                "bad-frozen", "point and frozen go together: give the frozen value and the number of frozen dice."
            )

    @property
    def _held(self) -> tuple[int, int] | None:
        return None if self.point is None or self.frozen is None else (self.point, self.frozen)

    def advice(self, rules: Rules) -> Advice:
        """Which point to choose, or whether to stop."""
        from scorer.games.crib_dice.odds import advise

        return advise(rules, self.banked, self._held, self.dice)

    def course(self, rules: Rules) -> Course[Any]:
        """The race of two players."""
        from scorer.games.crib_dice.race import course

        return course(rules)

    def decisions(self, turns: Any) -> Sequence[Decision[Array]]:
        """Everything to do, each with its chance to win."""
        from scorer.games.crib_dice.odds import decisions

        return decisions(turns, self.banked, self._held, self.dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class CribDiceTurn(WholeTurn[Rules]):
    """A whole turn of Crib Dice, for points."""

    def odds(self, rules: Rules) -> TurnOdds:
        """Its worth, and how to play it."""
        from scorer.games.crib_dice.odds import turn

        return turn(rules)
