"""What a photo of the table should show: the game tells the reader before the photo is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["d6", "d12", "domino", "card"]
"""A kind of piece that a game is played with."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The pieces that belong to a game, and how many of them may lie on the table.

    Attributes:
        kinds: the kinds of piece; everything else on the table is not part of the game.
        at_most: no photo shows more of them; None where there is no such bound.
        counts: the numbers of pieces that fit, like the thrown dice alone or all the dice; empty: any number.
    """

    kinds: frozenset[Kind]
    at_most: int | None = None
    counts: frozenset[int] = frozenset()

    @property
    def count(self) -> int | None:
        """The one number of pieces that fits; None where several do."""
        return next(iter(self.counts)) if len(self.counts) == 1 else None

    def showing(self, counts: Iterable[int]) -> Expected:
        """The same pieces in one of these numbers, 0 left out: what lies on the table at one moment of a game."""
        fitting = frozenset(count for count in counts if count > 0)
        return Expected(self.kinds, max(fitting, default=self.at_most), fitting)


def pieces(*kinds: Kind, at_most: int | None = None) -> Expected:
    """What a game is played with, whatever its state."""
    return Expected(frozenset(kinds), at_most)
