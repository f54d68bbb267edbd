"""JSON fields that the worth of a hand of Cribbage Dice adds to the common ones."""

from __future__ import annotations

from typing import Literal, TypedDict


class KeepChoice(TypedDict):
    """Cribbage Dice: five dice to count.

    Attributes:
        discarded: the other two: indices in `values`.
    """

    discarded: list[int]


class CribbageDice(TypedDict):
    """Cribbage Dice: fifteens, pairs, runs.

    Attributes:
        choices: of seven dice, every five; of five there is nothing to choose.
        starter: the value of the starter die.
    """

    outcome: Literal["counted", "choose-five"]
    choices: list[KeepChoice]
    starter: int | None
