"""Questions about the odds: the best decision at a moment of a turn, and the worth of a whole turn.

Each is a frozen dataclass in the folder of its game, named in its `Game`; `muggins advise`, `muggins odds` and `/v1/advice`
are derived from the fields (`scorer.engine.parameters`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol

from scorer.engine.advice import Advice
from scorer.engine.scored import R
from scorer.engine.worth import Table


class Moment(ABC, Generic[R]):
    """A situation in a turn for which a player asks advice. The docstring of a subclass is the help of its command."""

    __slots__ = ()

    @abstractmethod
    def advice(self, rules: R) -> Advice:
        """The best decision for expected points, with every alternative.

        Raises:
            ThrowError: the situation cannot occur.
            RulesError: these rules do not allow it.
        """


class TurnOdds(Protocol):
    """What a whole turn is worth under best play, and how to play it."""

    @property
    def summary(self) -> str:
        """Its worth in one sentence."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """How to play it, and chances in it."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences after the tables."""

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""


class WholeTurn(ABC, Generic[R]):
    """A question about the worth of a whole turn."""

    __slots__ = ()

    @abstractmethod
    def odds(self, rules: R) -> TurnOdds:
        """The answer, exactly."""
