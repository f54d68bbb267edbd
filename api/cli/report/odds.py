"""Odds and advice as text: one sentence, then a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import singledispatch
from itertools import chain
from typing import Any

from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from scorer.engine.advice import Advice, Alternative
from scorer.games.crib_dice import odds as crib_dice
from scorer.games.crib_dice.throws import DICE, FACES, SAFE
from scorer.games.cribbage_dice import odds as cribbage_dice
from scorer.games.farkle_crib import odds as farkle_crib
from scorer.odds.dice import percent
from scorer.odds.hands import Distribution
from scorer.pieces.text import in_words, listed

_BAR = 24
_TITLES = {"cards": "card hands", "domino-cribbage": "hands of five tiles", "cribbage-dice": "throws of five d12"}
_COLUMNS = {
    "nothing": "Ends with nothing",
    "better": "Ends with more",
    "hand_least": "Least",
    "hand_most": "Most",
    "double_starter": "Starter",
}
"""Column headings for chances and points whose name is not enough."""


def show_hands(hands: Distribution) -> None:
    """The distribution of hands by score, with bars."""
    console = _console()
    console.print(
        f"{hands.total:,} {_TITLES[hands.game]}: {float(hands.mean):.3f} points on average, {hands.maximum} at most.",
        style="bold",
        soft_wrap=True,
    )
    table = _table("Score", "Hands", "Share", "One in", "")
    most = max(hands.counts.values())
    for score, count in hands.counts.items():
        table.add_row(str(score), f"{count:,}", *_share(count, hands.total), _bar(count, most))
    console.print(table)


def _share(count: int, total: int) -> tuple[str, str]:
    """A share in percent, and as one in N."""
    if not count:
        return "none", ""
    one_in = total / count
    return (
        f"{count / total:.4%}" if count / total >= 5e-7 else "<0.0001%",
        f"{one_in:,.0f}" if one_in >= 10 else f"{one_in:.1f}",
    )


@singledispatch
def show_turn(turn: object) -> None:
    """The worth of a turn and how to play it."""
    raise TypeError(f"{type(turn).__name__} is not a turn")


@show_turn.register
def _(turn: crib_dice.Turn) -> None:
    console = _console()
    console.print(_worth_of_a_turn(turn.expected, turn.outlook.lost), style="bold", soft_wrap=True)
    console.print(_crib_dice_policy(turn))
    console.print(_crib_dice_wipeouts())
    won, again = turn.piddle.won_in_the_end, turn.piddle.again
    console.print(f"A piddle is won {won} of the time ({percent(won)}), {again} of its throws being thrown again.")


def _crib_dice_policy(turn: crib_dice.Turn) -> Table:
    frozen = sorted({row.frozen for row in turn.policy})
    table = _table("Point", *(f"{in_words(dice)} frozen" for dice in frozen), title="How to play it")
    table.caption = (
        "to 20: continue while earlier rollovers of the turn gave at most 20 points, else stop. With five or six dice "
        "frozen, to continue means to piddle; with seven, always throw again."
    )
    until = {(row.point, row.frozen): "stop" if row.up_to is None else f"to {row.up_to}" for row in turn.policy}
    for point in sorted({row.point for row in turn.policy}):
        table.add_row(str(point), *(until[point, dice] for dice in frozen))
    return table


def _crib_dice_wipeouts() -> Table:
    table = _table("Dice thrown", "Point 2 to 6", "", "Point 1", "", title="The chance of a wipeout")
    for dice in range(1, DICE - 1):
        wipeouts = (1 - crib_dice.safe_chance(dice, point) for point in (FACES, SAFE))
        table.add_row(str(dice), *(cell for chance in wipeouts for cell in (str(chance), percent(chance))))
    return table


@show_turn.register
def _(turn: farkle_crib.Turn) -> None:
    console = _console()
    console.print(_worth_of_a_turn(turn.expected, turn.outlook.lost), style="bold", soft_wrap=True)
    table = _table("Dice to throw", "Farkle", "", "Stop with", title="How to play it")
    for row in turn.policy:
        table.add_row(str(row.dice), str(row.farkle), percent(row.farkle), f"{row.stop_at} or more")
    console.print(table)


@show_turn.register
def _(turn: cribbage_dice.BestTurn) -> None:
    console = _console()
    rolls = "one roll" if turn.rolls == 1 else f"{in_words(turn.rolls)} rolls"
    console.print(
        f"With {rolls} a turn brings {float(turn.expected):.3f} points on average, {turn.maximum} at most, "
        "under best play.",
        style="bold",
        soft_wrap=True,
    )
    table = _table("Starter", "Points on average", "", title="By the starter")
    most = max(turn.by_starter)
    for starter, expected in enumerate(turn.by_starter, start=1):
        table.add_row(str(starter), f"{float(expected):.3f}", _bar(expected, most))
    console.print(table)
    console.print("Ask for the best keep of a throw with: muggins advise cribbage-dice", soft_wrap=True)


def _worth_of_a_turn(expected: Fraction, nothing: Fraction) -> str:
    return (
        f"Under best play a turn brings {float(expected):.3f} points on average, "
        f"and {percent(nothing)} of turns end with nothing."
    )


def show_advice(advice: Advice, race: Mapping[str, Any] | None = None) -> None:
    """The reason for the best decision, then every alternative; in a race, worth is the chance to win."""
    console = _console()
    console.print(advice.why, style="bold", soft_wrap=True)
    console.print(_alternatives(advice, _chance_to_win if race else _points_on_average))
    console.print(f"Worth: {advice.measures}.", soft_wrap=True)
    if race:
        console.print(_how_sure(race), soft_wrap=True)


def _alternatives(advice: Advice, worth: Callable[[Alternative], str]) -> Table:
    chances = _names(alternative.chances for alternative in advice.alternatives)
    points = _names(alternative.points for alternative in advice.alternatives)
    headings = (_COLUMNS.get(name, name.replace("_", " ").capitalize()) for name in (*chances, *points))
    table = Table("Choice")
    for heading in ("Worth", *headings):
        table.add_column(heading, justify="right")
    for one in advice.alternatives:
        cells = (
            *(percent(one.chances[name]) if name in one.chances else "" for name in chances),
            *(_in_short(one.points[name]) if name in one.points else "" for name in points),
        )
        table.add_row(Text(one.text), worth(one), *cells, style="bold" if one is advice.best else None)
    return table


def _names(named: Iterable[Mapping[str, Fraction]]) -> list[str]:
    """Distinct names in order of appearance."""
    return list(dict.fromkeys(chain.from_iterable(named)))


def _points_on_average(alternative: Alternative) -> str:
    return f"{float(alternative.worth):.2f}"


def _in_short(points: Fraction) -> str:
    return f"{float(points):.2f}" if points.denominator > 1 else str(points)


def _chance_to_win(alternative: Alternative) -> str:
    return f"{float(alternative.worth):.1%}"


def _how_sure(race: Mapping[str, Any]) -> str:
    said = (
        f"Chances to win are accurate to {race['typical_error']:.2%} on average and {race['error']:.1%} at worst, "
        "measured against unrestricted play."
    )
    missing = [name.replace("_", " ") for name in race["leaves_out"]]
    return f"{said} Not counted: {listed(missing)}." if missing else said


def _console() -> Console:
    return Console(highlight=False)


def _table(*headings: str, title: str | None = None) -> Table:
    """A table of numbers."""
    table = Table(title=title, title_justify="left", caption_justify="left")
    for heading in headings:
        table.add_column(heading.capitalize(), justify="right")
    return table


def _bar(value: float | Fraction, most: float | Fraction) -> ProgressBar:
    return ProgressBar(float(most), float(value), width=_BAR, complete_style="cyan", finished_style="cyan")
