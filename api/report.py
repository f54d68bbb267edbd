"""Results as a person reads them: the dice, the doubts, and what the throw is worth."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from api.batch import Read, Unread
from api.commands.telling import tell_worth
from api.lines import Show, printable, show_unread
from scorer.throw import ThrowError, Worth
from vision.reading import Doubt, Reading


def for_people(console: Console) -> Show:
    """Prints to `console`; what could not be read goes to standard error."""

    def show(result: Read | Unread) -> None:
        if isinstance(result, Unread):
            show_unread(result)
        else:
            _show_read(console, result)

    return show


def _show_read(console: Console, result: Read) -> None:
    reading, worth = result.answer.reading, result.answer.worth
    console.print(_headline(reading), soft_wrap=True)
    if reading.dice:
        console.print(_dice_table(reading))
    for doubt in _about_the_photo(reading):
        console.print(Text(f"Please look: {doubt.message}", "yellow"))
    _show_worth(console, worth)
    if result.picture:
        console.print(Text(f"Drawn: {printable(str(result.picture))}"), soft_wrap=True)
    console.print()


def _headline(reading: Reading) -> Text:
    verdict = ("sure", "bold green") if reading.sure else ("please look", "bold yellow")
    return Text.assemble((printable(reading.photo), "bold"), ": ", verdict)


def _dice_table(reading: Reading) -> Table:
    table = Table("Die", "Value", "Sure", "Colour", "Please look")
    for place, die in enumerate(reading.dice):
        doubts = " ".join(doubt.message for doubt in reading.doubts if doubt.piece == place)
        table.add_row(
            str(place + 1), str(die.value), f"{int(100 * die.confidence)}%", die.colour, Text(doubts, "yellow")
        )
    return table


def _about_the_photo(reading: Reading) -> Iterable[Doubt]:
    return (doubt for doubt in reading.doubts if doubt.piece is None)


def _show_worth(console: Console, worth: Worth | ThrowError | None) -> None:
    if isinstance(worth, ThrowError):
        console.print(Text(f"No score: {worth.message}", "yellow"))
    elif worth:
        tell_worth(console, worth)
