"""A whole turn of a farkle game under best play for points: what it brings, and when to stop."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scorer.engine import worth
from scorer.engine.options import GameRules
from scorer.odds.dice import Outlook, percent, turn_summary
from scorer.odds.set_aside_turns import Turns
from scorer.pieces.dice import dice_counted
from scorer.pieces.set_asides import DICE
from scorer.pieces.text import points


@dataclass(frozen=True, slots=True)
class StopRule:
    """One row of the best way to play for points.

    Attributes:
        dice: dice to throw.
        stop_at: stop with at least this many points in the turn, throw on with fewer.
        farkle: the chance to lose them.
    """

    dice: int
    stop_at: int
    farkle: Fraction

    @property
    def text(self) -> str:
        """The row as a sentence."""
        return f"with {dice_counted(self.dice)} to throw, stop at {points(self.stop_at)} or more"

    def to_json(self) -> dict[str, Any]:
        """A plain object."""
        return {"dice": self.dice, "stop_at": self.stop_at, "text": self.text}


@dataclass(frozen=True, slots=True)
class BestTurn:
    """A whole turn under best play for points.

    Attributes:
        game: its name.
        rules: what is played.
        outlook: its points on average and its chance to end with none.
        policy: for 1 to 6 dice, when to stop.
        horizon: the points at which the player starts to stop after every throw.
        least: stopping with fewer points is not allowed.
    """

    game: str
    rules: GameRules
    outlook: Outlook
    policy: tuple[StopRule, ...]
    horizon: int
    least: int

    @property
    def expected(self) -> Fraction:
        """Points on average."""
        return self.outlook.worth

    @property
    def summary(self) -> str:
        """Its worth in one sentence."""
        return turn_summary(self.expected, self.outlook.lost)

    @property
    def tables(self) -> tuple[worth.Table, ...]:
        """When to stop."""
        rows = tuple(
            (str(row.dice), str(row.farkle), percent(row.farkle), f"{row.stop_at} or more") for row in self.policy
        )
        return (worth.Table("How to play it", ("Dice to throw", "Farkle", "", "Stop with"), rows),)

    @property
    def notes(self) -> tuple[str, ...]:
        """The points that are needed to stop, if any."""
        return (f"The first {points(self.least)} must be made in one turn.",) if self.least else ()

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`; chances as fractions in text."""
        return {
            "game": self.game,
            "rules": self.rules.changed(),
            "expected": float(self.expected),
            "expected_exact": str(self.expected),
            "p_nothing": float(self.outlook.lost),
            "p_farkle": {str(row.dice): str(row.farkle) for row in self.policy},
            "stops_from_points": self.horizon,
            "least_points": self.least,
            "policy": [row.to_json() for row in self.policy],
        }


def best_turn(game: str, rules: GameRules, turns: Turns[Outlook], unit: int = 1) -> BestTurn:
    """The best expected turn, exactly, and how to play it.

    Args:
        game: its name.
        rules: what is played.
        turns: the worths of its moments in expected points.
        unit: how many points one unit of `turns` is.
    """
    whole = turns.throw(0, DICE)
    policy = tuple(_stop_rule(turns, dice, unit) for dice in range(1, DICE + 1))
    outlook = Outlook(whole.worth * unit, whole.lost)
    return BestTurn(game, rules, outlook, policy, turns.horizon * unit, turns.least * unit)


def _stop_rule(turns: Turns[Outlook], dice: int, unit: int) -> StopRule:
    """As the turn's points grow, throwing on loses against stopping: a single threshold divides them."""
    totals = range(turns.least, turns.horizon + 1)
    stop_at = next(total for total in totals if turns.throw(total, dice).worth <= total)
    return StopRule(dice, stop_at * unit, turns.table.farkle_chance(dice))
