"""Each rolls in turn, the highest wins, ties roll again: who goes first, and who wins a tie.

One d12 in Cribbage Dice, the total of two dice in Crib Dice and Farkle Cribbage. Source: the three texts; RULINGS, "All games on
a cribbage board".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RollOff:
    """One round of rolls.

    Attributes:
        contenders: the players who roll, in order.
        rolled: what the first of them have rolled so far: one value or total each.
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

    def cast(self, value: int) -> RollOff:
        """This round with the next roll added."""
        return RollOff(self.contenders, (*self.rolled, value))
