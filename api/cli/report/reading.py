"""Readings as text: dice, tiles, doubts and worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from api.cli.report.lines import Show, show_unread
from api.cli.report.photos import Read, Unread
from api.console import printable
from scorer.errors import ThrowError
from vision.reading import Die, Doubt, Reading, Tile

if TYPE_CHECKING:
    from api.interpret.score_request import Answer
    from scorer.engine.worth import Worth


def for_people(console: Console) -> Show:
    """Prints readings to `console`, and errors to standard error."""

    def show(result: Read | Unread) -> None:
        if isinstance(result, Unread):
            show_unread(result)
        else:
            _show_read(console, result)

    return show


def _show_read(console: Console, result: Read) -> None:
    reading, worth = result.answer.reading, result.answer.worth
    console.print(_headline(result.answer), soft_wrap=True)
    if reading.dice:
        console.print(_dice_table(reading))
    if reading.tiles:
        console.print(_tile_table(reading))
    for doubt in _about_the_photo(reading):
        console.print(Text(f"Please look: {doubt.message}", "yellow"))
    for note in result.answer.notes:
        console.print(Text(f"Note: {note}"))
    _show_worth(console, worth)
    if result.picture:
        console.print(Text(f"Drawn: {printable(str(result.picture))}"), soft_wrap=True)
    console.print()


def _headline(answer: Answer) -> Text:
    verdict = ("sure", "bold green") if answer.sure else ("please look", "bold yellow")
    return Text.assemble((printable(answer.reading.photo), "bold"), ": ", verdict)


def _dice_table(reading: Reading) -> Table:
    kinds = any(die.kind != "d6" for die in reading.dice)
    table = Table("Die", "Value", "Sure", "Colour", *(["Kind"] if kinds else []), "Please look")
    for place, die in enumerate(reading.dice):
        cells = [str(place + 1), str(die.value), _percent(die.confidence), die.colour, *([_kind(die)] if kinds else [])]
        table.add_row(*cells, _doubts(doubt for doubt in reading.doubts if doubt.piece == place))
    _tell_profiles(table, reading.dice)
    return table


def _kind(die: Die) -> str:
    return f"{die.kind}, starter" if die.starter else die.kind


def _tile_table(reading: Reading) -> Table:
    table = Table("Tile", "Ends", "Sure", "Please look")
    for place, tile in enumerate(reading.tiles):
        doubts = _doubts(doubt for doubt in reading.doubts if doubt.tile == place)
        table.add_row(str(place + 1), tile.name, _percent(tile.confidence), doubts)
    _tell_profiles(table, reading.tiles)
    return table


def _tell_profiles(table: Table, pieces: Sequence[Die | Tile]) -> None:
    """Print below the table which pieces were read by people's own profiles."""
    told = [f"{place}: {piece.profile}" for place, piece in enumerate(pieces, 1) if piece.profile]
    table.caption = printable(f"Read by your profiles: {', '.join(told)}") if told else None


def _percent(confidence: float) -> str:
    return f"{int(100 * confidence)}%"


def _doubts(doubts: Iterable[Doubt]) -> Text:
    return Text(" ".join(doubt.message for doubt in doubts), "yellow")


def _about_the_photo(reading: Reading) -> Iterable[Doubt]:
    return (doubt for doubt in reading.doubts if doubt.piece is None and doubt.tile is None)


def _show_worth(console: Console, worth: Worth | ThrowError | None) -> None:
    if isinstance(worth, ThrowError):
        console.print(Text(f"No score: {worth.message}", "yellow"))
    elif worth:
        from api.cli.report.worth import tell_worth  # loads the games, which a photo without one does not need

        tell_worth(console, worth)
