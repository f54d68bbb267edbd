"""Farkle Cribbage: what may be asked of its scores and its odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scorer.engine.advice import Advice
from scorer.engine.moment import TurnOdds, WholeTurn
from scorer.engine.parameters import parameter
from scorer.errors import ThrowError
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.throws import DICE, FACES
from scorer.odds.race_moment import RaceMoment

if TYPE_CHECKING:
    from scorer.odds.dice import Decision
    from scorer.odds.race_solver import Array, Course


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What a throw may have before it."""

    set_aside: tuple[int, ...] | None = parameter(
        "dice set aside earlier in the turn, such as 1-5-5", None, least=1, most=FACES, at_most=DICE, metavar="DICE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FarkleCribMoment(RaceMoment[Rules]):
    """Choose what to set aside and whether to stop; or, without dice, whether to throw again.

    muggins advise farkle-crib 1 2 6 3 3 3 --points 10

    muggins advise farkle-crib --points 10 --to-throw 3
    """

    dice: tuple[int, ...] = parameter(
        "the throw on the table, if any", (), least=1, most=FACES, at_most=DICE, metavar="DIE", on_table=True
    )
    points: int = parameter("points set aside earlier in this turn", 0, least=0, most=9999)
    to_throw: int | None = parameter(
        "with no dice on the table: how many you would throw, six if not given", None, least=1, most=DICE
    )

    def __post_init__(self) -> None:
        if self.dice and self.to_throw not in (None, len(self.dice)):
            raise ThrowError(
                "wrong-count",
                f"to_throw is for a throw to come, but {len(self.dice)} dice are already thrown. Omit it.",
            )
        if not self.points and self._count < DICE:
            raise ThrowError(
                "wrong-count", f"A turn starts with {DICE} dice. Use points for the points set aside earlier."
            )

    @property
    def _count(self) -> int:
        return len(self.dice) or self.to_throw or DICE

    def advice(self, rules: Rules) -> Advice:
        """What to set aside, and whether to stop then."""
        from scorer.games.farkle_crib.odds import advise

        return advise(rules, self.points, self._count, self.dice)

    def course(self, rules: Rules) -> Course[Any]:
        """The race of two players."""
        from scorer.games.farkle_crib.race import course

        return course(rules)

    def decisions(self, turns: Any) -> Sequence[Decision[Array]]:
        """Everything to do, each with its chance to win."""
        from scorer.games.farkle_crib.odds import decisions

        return decisions(turns, self.points, self._count, self.dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class FarkleCribTurn(WholeTurn[Rules]):
    """A whole turn of Farkle Cribbage, for points."""

    def odds(self, rules: Rules) -> TurnOdds:
        """Its worth, and how to play it."""
        from scorer.games.farkle_crib.odds import turn

        return turn(rules)
