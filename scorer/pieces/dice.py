"""The dice on the table: are they the ones the game throws, and which of them were thrown?

RULINGS, "What a photo means in a game": a photo shows either the thrown dice alone or all the dice; the count tells
which, and set-aside dice are taken out by value. If neither fits, an error says so, and nothing is scored.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.errors import ThrowError as ThrowError
from scorer.pieces.text import dice_in_a_row


def check_values(values: Sequence[int], faces: int) -> None:
    """Refuse values that are not whole numbers from 1 to `faces`.

    Raises:
        ThrowError: "value-out-of-range".
    """
    wrong = [value for value in values if value not in range(1, faces + 1)]
    if wrong:
        raise ThrowError(
            "value-out-of-range",
            f"No die shows {wrong[0]}: values are 1 to {faces}. Correct the reading or type the throw.",
        )


def dice_counted(count: int) -> str:
    """A number of dice, for a message: "no dice", "1 die", "4 dice"."""
    return {0: "no dice", 1: "1 die"}.get(count, f"{count} dice")


def were_read(count: int) -> str:
    """How many dice were read, for a message: "no dice were read", "1 die was read"."""
    return f"{dice_counted(count)} {'was' if count == 1 else 'were'} read"


def take_out(values: Sequence[int], set_aside: Sequence[int]) -> tuple[int, ...]:
    """The indices into `values` that stay when the set-aside dice are taken out by value.

    Dice of one value cannot be told apart; the first ones count as set aside.

    Raises:
        ThrowError: "set-aside-not-there": a set-aside value is not among the values as often as it was set aside.
    """
    left = list(range(len(values)))
    for value in set_aside:
        at = next((index for index in left if values[index] == value), None)
        if at is None:
            raise ThrowError(
                "set-aside-not-there",
                f"{dice_in_a_row(set_aside)} was set aside before, but all the dice together show "
                f"{dice_in_a_row(values)}: too few {value}s. Photograph the thrown dice alone, or correct the reading.",
            )
        left.remove(at)
    return tuple(left)
