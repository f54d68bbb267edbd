"""JSON fields that the worth of a throw of Crib Dice adds to the common ones."""

from __future__ import annotations

from typing import Literal, TypedDict

from scorer.games.crib_dice.throws import Outcome


class PointChoice(TypedDict):
    """Crib Dice: a point to freeze, or how many more dice to freeze on it.

    Attributes:
        point: its value.
        frozen: dice of the point once these are frozen.
        rolls_over: all seven are of the point.
        bomb: pegs may be exchanged with the leader instead.
    """

    point: int
    frozen: int
    rolls_over: bool
    bomb: bool


class CribDiceFirst(TypedDict):
    """Crib Dice, seven dice: every point that can be chosen."""

    outcome: Literal["choose-point"]
    choices: list[PointChoice]


class ThrowDetails(TypedDict):
    """A throw on a point.

    Attributes:
        point: the value frozen.
        frozen_before: dice of it before the throw.
        frozen: dice of the point after the throw.
        thrown: the dice thrown: indices in `values`.
        joined: those of them that join: indices in `values`.
        adds: the change of this point's points.
        bomb: pegs may be exchanged with the leader instead.
    """

    point: int
    frozen_before: int
    frozen: int
    thrown: list[int]
    joined: list[int]
    adds: int
    bomb: bool


class CribDiceLater(ThrowDetails):
    """Crib Dice with a point frozen.

    Attributes:
        choices: how many dice to freeze, where the rules leave that to the player.
    """

    outcome: Outcome
    choices: list[PointChoice]
