"""Rolling one die each, high roll wins, ties roll again: who goes first, and who wins a tie.

Source: the Cribbage Dice text, "How to Play"; RULINGS, "All games on a cribbage board".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lots:
    """One round of rolls.

    Attributes:
        contenders: the players who roll, in order.
        rolled: what the first of them have rolled so far.
    """

    contenders: tuple[int, ...] = ()
    rolled: tuple[int, ...] = ()

    @property
    def to_roll(self) -> int:
        """The player whose roll is next."""
        return self.contenders[len(self.rolled)]

    @property
    def complete(self) -> bool:
        """Has everybody rolled?"""
        return len(self.rolled) == len(self.contenders)

    @property
    def highest(self) -> tuple[int, ...]:
        """The players whose roll is the highest so far."""
        return tuple(
            player for player, value in zip(self.contenders, self.rolled, strict=False) if value == max(self.rolled)
        )

    def cast(self, value: int) -> Lots:
        """The same with the next roll."""
        return Lots(self.contenders, (*self.rolled, value))
