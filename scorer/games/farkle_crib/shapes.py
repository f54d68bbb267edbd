"""JSON fields that the worth of a throw of Farkle Cribbage adds to the common ones."""

from __future__ import annotations

from typing import Literal, TypedDict


class SetAsideChoice(TypedDict):
    """Farkle Cribbage: dice to set aside.

    Attributes:
        left: dice left to throw.
        hot_dice: all dice score: all six may be thrown again.
        bomb: six of a kind: pegs may be exchanged with the leader instead.
        classic_points: the points in traditional Farkle.
    """

    left: int
    hot_dice: bool
    bomb: bool
    classic_points: int


class FarkleCrib(TypedDict):
    """Farkle Cribbage: every set-aside, best first, as played and with all bonus scores.

    Attributes:
        thrown: the dice thrown: indices in `values`.
        hot_dice: all dice may score.
        bonuses: the bonus scores that are played.
        bonus_outcome: the outcome with all bonus scores; so are the following fields.
    """

    outcome: Literal["scores", "farkle"]
    choices: list[SetAsideChoice]
    thrown: list[int]
    hot_dice: bool
    bonuses: list[str]
    bonus_outcome: Literal["scores", "farkle"]
    bonus_total: int
    bonus_hot_dice: bool
    bonus_choices: list[SetAsideChoice]
