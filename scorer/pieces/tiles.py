"""Domino tiles as values: two ends, written "3-0".

Source: the Domino Cribbage text, "Equipment": a double-six set of 28 tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.errors import ThrowError
from scorer.pieces.text import sentence

HIGHEST = 6
"""The highest end of the double-six set."""
HIGHEST_OF_ANY_SET = 18
"""The highest end of the largest set that is sold."""


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """A domino tile; its ends have no order, so the higher one is put first: Tile(0, 3) is Tile(3, 0)."""

    high: int
    low: int

    def __post_init__(self) -> None:
        if not all(0 <= end <= HIGHEST for end in (self.high, self.low)):
            raise ValueError(
                f"no tile shows {self.high}-{self.low}: the ends of a double-six set go from 0 to {HIGHEST}"
            )
        if self.high < self.low:
            high, low = self.low, self.high
            object.__setattr__(self, "high", high)
            object.__setattr__(self, "low", low)

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"

    @property
    def pips(self) -> int:
        """All pips of the tile, 0 to 12."""
        return self.high + self.low

    @property
    def double(self) -> bool:
        """Both ends are alike."""
        return self.high == self.low

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile written "3-0".

        Raises:
            ValueError: not two whole numbers joined by a hyphen, or no tile of the set.
        """
        ends = text.split("-")
        if len(ends) != 2 or not all(end.isascii() and end.isdigit() for end in ends):
            raise ValueError(f"{text!r} is no tile: write its two ends like 3-0")
        return cls(int(ends[0]), int(ends[1]))


def typed_tile(text: str) -> Tile:
    """The tile that a person typed, like "3-0".

    Raises:
        ThrowError: "no-tile".
    """
    try:
        return Tile.parse(text)
    except ValueError as error:
        raise ThrowError("no-tile", sentence(str(error))) from error


FULL_SET = tuple(Tile(high, low) for high in range(HIGHEST + 1) for low in range(high + 1))
"""The 28 tiles, lowest first."""
