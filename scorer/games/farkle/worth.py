"""What a throw of Farkle is worth: every way to set dice aside."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.engine.worth import Choice, Table, Worth
from scorer.games.farkle.rules import Rules
from scorer.games.farkle.throws import set_asides
from scorer.pieces.set_asides import SetAside, in_a_phrase, thrown
from scorer.pieces.text import dice_in_a_row, points, sentence

GAME = "farkle"


def worth(values: tuple[int, ...], rules: Rules, set_aside: Sequence[int] = ()) -> Worth:
    """What the dice on the table are worth; details are "thrown" (indices) and "hot_dice".

    Args:
        values: the values that were read, in any order.
        rules: of its options, those of the scoring.
        set_aside: values set aside earlier in the turn.

    Raises:
        ThrowError: see `scorer.pieces.set_asides.thrown`.
    """
    choices = tuple(map(_choice, set_asides(values, rules, set_aside)))
    return Worth(
        game=GAME,
        values=values,
        outcome="scores" if choices else "farkle",
        total=choices[0].points if choices else 0,
        summary=sentence(choices[0].text if choices else "a farkle, nothing scores"),
        choices=choices,
        tables=(_table(choices),),
        details={
            "thrown": list(thrown(values, set_aside)),
            "hot_dice": any(choice.details["hot_dice"] for choice in choices),
        },
    )


def _choice(found: SetAside) -> Choice:
    name = in_a_phrase(found)
    hot = ", and all six dice may be thrown again" if found.hot else ""
    details = {"left": found.left, "hot_dice": found.hot}
    text = f"{name} for {points(found.points)}{hot}"
    return Choice(name, text, found.dice, found.indices, found.points, found.items, details)


def _table(choices: Sequence[Choice]) -> Table:
    rows = tuple(_row(choice) for choice in choices)
    return Table(
        "Farkle" if rows else "Farkle: nothing scores", ("Set aside", "Counts as", "Points", "Left to throw"), rows
    )


def _row(choice: Choice) -> tuple[str, ...]:
    left = "all six again" if choice.details["hot_dice"] else str(choice.details["left"])
    return dice_in_a_row(map(int, choice.pieces)), choice.name, str(choice.points), left
