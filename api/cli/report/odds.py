"""Odds and advice as text: one sentence, then a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from api.console import terminal
from scorer.engine.advice import Advice, Alternative
from scorer.engine.moment import TurnOdds
from scorer.engine.scored import HandCounts
from scorer.odds.dice import percent, tenths
from scorer.pieces.text import listed

_BAR = 24
_COLUMNS = {
    "nothing": "Ends with nothing",
    "better": "Ends with more",
    "hand_least": "Least",
    "hand_most": "Most",
    "double_starter": "Starter",
}
"""Column headings for chances and points whose name is not enough."""


def show_hands(title: str, hands: HandCounts) -> None:
    """The distribution of hands by score, with bars; the title says what they are."""
    console = terminal()
    console.print(
        f"{hands.total:,} {title}: {float(hands.mean):.3f} points on average, {hands.maximum} at most.",
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


def show_turn(turn: TurnOdds) -> None:
    """The worth of a turn and how to play it."""
    console = terminal()
    console.print(turn.summary, style="bold", soft_wrap=True)
    for each in turn.tables:
        table = _table(*each.header, title=each.title)
        for row in each.rows:
            table.add_row(*row)
        console.print(table)
    for note in turn.notes:
        console.print(note, soft_wrap=True)


def show_advice(advice: Advice, race: Mapping[str, Any] | None = None) -> None:
    """The reason for the best decision, then every alternative; in a race, worth is the chance to win."""
    console = terminal()
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
    return tenths(alternative.worth)


def _how_sure(race: Mapping[str, Any]) -> str:
    said = (
        f"Chances to win are accurate to {race['typical_error']:.2%} on average and {race['error']:.1%} at worst, "
        "measured against unrestricted play."
    )
    missing = [name.replace("_", " ") for name in race["leaves_out"]]
    return f"{said} Not counted: {listed(missing)}." if missing else said


def _table(*headings: str, title: str | None = None) -> Table:
    """A table of numbers."""
    table = Table(title=title, title_justify="left", caption_justify="left")
    for heading in headings:
        table.add_column(heading.capitalize(), justify="right")
    return table


def _bar(value: float | Fraction, most: float | Fraction) -> ProgressBar:
    return ProgressBar(float(most), float(value), width=_BAR, complete_style="cyan", finished_style="cyan")
