"""Hands dealt face down, reconstructed once all their tiles were seen: what a camera that follows the game needs to know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from scorer.pieces.tiles import Tile

Steps = tuple[tuple[Any, Any], ...]
"""Moves with the state after each."""


class HiddenDeal(ABC):
    """A hand whose deal no camera sees: its tiles are played one by one, and at the end the rest is turned over together.

    Attributes:
        one_by_one: how many tiles are seen one by one.
        together: how many are turned over together at the end.
        reason: why nothing can be said before, as a sentence without its full stop.
    """

    one_by_one: int
    together: int
    reason: str

    @abstractmethod
    def waits(self, state: Any) -> bool:
        """Is a hand about to be dealt, so that tiles which fit nothing may be those of its play?"""

    @abstractmethod
    def hides(self, state: Any) -> bool:
        """Is the next move one that lies face down?"""

    @abstractmethod
    def reconstruct(self, state: Any, seen: Sequence[Tile], turned: Sequence[Tile]) -> Iterator[tuple[Steps, float]]:
        """Every way in which the hand may have been dealt and played, with its log likelihood.

        Args:
            state: before the deal.
            seen: the tiles that were seen one by one, in turn.
            turned: those turned over together.
        """
