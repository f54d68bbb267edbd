"""A moment of a turn in a game that two players can race in: advice for points, or for the chance to win."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scorer.engine.moment import Moment
from scorer.engine.scored import R

if TYPE_CHECKING:
    # A race needs numpy; the game itself can be imported without it.
    from scorer.odds.dice import Decision
    from scorer.odds.race_solver import Array, Course


class RaceMoment(Moment[R]):
    """A situation for which the chance to win a race of two players is known, too."""

    __slots__ = ()

    @abstractmethod
    def course(self, rules: R) -> Course[Any]:
        """The race.

        Raises:
            RulesError: "bad-option": a board too long.
        """

    @abstractmethod
    def decisions(self, turns: Any) -> Sequence[Decision[Array]]:
        """Everything to do, each with its chance to win.

        Args:
            turns: the turn of the race's standing, as `Race.turns` gives it.

        Raises:
            ThrowError: the situation cannot occur.
        """
