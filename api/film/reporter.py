"""Events as output: lines on standard output, and a progress bar on standard error that pauses while lines are printed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from api.console import printable, say
from api.film.event_log import Event
from api.film.input.timecode import clock
from api.film.output.piece_pictures import tidy
from vision.reading import Tile
from vision.watch.events import Piece, Roll


class Reporter(Protocol):
    """Prints events."""

    def tell(self, event: Event, said: Sequence[str]) -> None:
        """Print an event and the game's comments on it, one sentence each."""


def roll_text(roll: Roll) -> str:
    """The pieces of a roll in words: "1 2? 6, beside 5 5", with a question mark where one is doubtful."""
    pieces, doubtful = tidy(roll.pieces), _doubtful(roll)
    parts = (" ".join(_name(each, doubtful) for each in pieces if each.thrown is thrown) for thrown in (True, False))
    return ", beside ".join(filter(None, parts))


def _name(piece: Piece, doubtful: Set[int]) -> str:
    name = piece.piece.name if isinstance(piece.piece, Tile) else str(piece.piece.value)
    return f"{name}?" if piece.id in doubtful else name


def _doubtful(roll: Roll) -> set[int]:
    """Ids of the pieces in doubt."""
    doubts, dice = roll.reading.doubts, len(roll.reading.dice)
    tiles = {roll.pieces[dice + doubt.tile].id for doubt in doubts if doubt.tile is not None}
    return tiles | {roll.pieces[doubt.piece].id for doubt in doubts if doubt.piece is not None}


class JsonReporter:
    """One JSON line per event, as in the event log."""

    def tell(self, event: Event, said: Sequence[str]) -> None:  # noqa: ARG002 - comments are in the record
        """Print the line."""
        print(json.dumps(event.to_json()), flush=True)


class TextReporter:
    """One line per roll; state changes are not shown."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def tell(self, event: Event, said: Sequence[str]) -> None:
        """Print the time, the pieces and the game's comments; without a game, the doubts."""
        if not isinstance(event, Roll):
            return
        verdict = ("", "") if event.reading.sure else ("  please look", "yellow")
        line = Text.assemble(
            (clock(event.time), "dim"), f"  roll {event.number}: ", (roll_text(event), "bold"), verdict
        )
        self._console.print(line, soft_wrap=True)
        for sentence in said or [doubt.said for doubt in event.reading.doubts]:
            self._console.print(Text(f"       {printable(sentence)}"), soft_wrap=True)


class Screen:
    """The terminal: a progress bar on standard error that pauses while anything is printed."""

    def __init__(self, teller: Reporter) -> None:
        self._teller = teller
        self._bar: Progress | None = None

    def tell(self, event: Event, said: Sequence[str]) -> None:
        """Print an event."""
        with self._aside():
            self._teller.tell(event, said)

    def say(self, text: str) -> None:
        """Print a message that is not a result."""
        with self._aside():
            say(printable(text))

    def bar(self, doing: str, moments: Iterable[float], start: float, end: float | None) -> Iterator[float]:
        """Pass the moments through, showing a progress bar if standard error is a terminal.

        Args:
            doing: the label, such as "Watching".
            moments: in seconds.
            start: position at 0 %.
            end: position at 100 %; None if unknown.
        """
        if not sys.stderr.isatty():
            yield from moments
            return
        left = () if end is None else (TaskProgressColumn(), TimeRemainingColumn())
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[at]}"), *left)
        console = Console(stderr=True)
        bar = Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
        task = bar.add_task(doing, total=None if end is None else end - start, at=clock(start))
        with bar:
            self._bar = bar
            try:
                yield from self._reached(bar, task, moments, start)
            finally:
                self._bar = None

    def _reached(self, bar: Progress, task: TaskID, moments: Iterable[float], start: float) -> Iterator[float]:
        for moment in moments:
            bar.update(task, completed=moment - start, at=clock(moment))
            yield moment

    @contextmanager
    def _aside(self) -> Iterator[None]:
        if self._bar is None:
            yield
            return
        self._bar.stop()
        try:
            yield
        finally:
            self._bar.start()
