"""Plays back recorded games: move by move, at one point, or added up as a session."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Protocol

from rich.console import Console
from rich.text import Text

from api.cli.table.boards import (
    board_lines,
    choices_lines,
    event_text,
    headline,
    last_move,
    names_of,
    result_text,
    session_lines,
    story,
)
from api.console import terminal
from scorer.engine.record import Entry, Record
from scorer.engine.session import Session, session_of
from scorer.engine.snapshot import snapshot
from scorer.errors import ScorerError


class Playback(Protocol):
    """Prints games."""

    def tell(self, steps: Sequence[Record], at: int | None) -> None:
        """Print a game: all states, or the one after `at` moves."""

    def add_up(self, session: Session, unfinished: int) -> None:
        """Print the totals of several games, and the number that are unfinished."""


def retell(records: Sequence[Record], at: int | None, *, as_json: bool) -> None:
    """Play back the games in order; several form a session.

    Args:
        records: the games.
        at: number of moves after which to show the state; None for the whole game.
        as_json: print JSON lines.

    Raises:
        ScorerError: "other-players": the games have different players; "same-game": one of them is given twice.
    """
    _check_different(records)
    over = [(record.header.players, record.result) for record in records if record.result]
    # Checked first, so that mismatched games give one error and no partial output.
    session = session_of(over)
    teller: Playback = JsonPlayback() if as_json else TextPlayback(terminal())
    for record in records:
        teller.tell(list(_standing(record)), at)
    if len(records) > 1:
        teller.add_up(session, unfinished=len(records) - len(over))


def _check_different(records: Sequence[Record]) -> None:
    for (first, one), (second, other) in combinations(enumerate(records, start=1), 2):
        shorter = min(len(one.lines), len(other.lines))
        if one.lines[:shorter] == other.lines[:shorter]:
            text = f"Records {first} and {second} are of the same game, which counts once: name it once."
            raise ScorerError("same-game", text)


def _standing(record: Record) -> Iterator[Record]:
    """The record at the start and after each move that was not undone."""
    now = Record.begin(record.header)
    yield now
    for entry, move in zip(_entries(record), record.moves, strict=True):
        now = now.play(move, corrected=entry.corrected)
        yield now


def _entries(record: Record) -> list[Entry]:
    """The entries that were not undone."""
    standing: list[Entry] = []
    for entry in record.entries:
        if entry.move:
            standing.append(entry)
        else:
            standing.pop()
    return standing


class JsonPlayback:
    """Playback as JSON lines."""

    def tell(self, steps: Sequence[Record], at: int | None) -> None:
        """Print a snapshot for the start and every move, or only the one after `at` moves."""
        for now in steps if at is None else (steps[at],):
            print(json.dumps({**snapshot(now), "played": [str(move) for move in now.moves[-1:]]}))

    def add_up(self, session: Session, unfinished: int) -> None:
        """Print the session as one object."""
        print(json.dumps({"session": {**session.to_json(), "unfinished": unfinished}}))


class TextPlayback:
    """Playback as text."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def tell(self, steps: Sequence[Record], at: int | None) -> None:
        """Print every move with its events, then the final state."""
        say = self._console.print
        now = steps[-1 if at is None else at]
        say(headline(now))
        if at is None:
            say(story(pairwise(steps), names_of(now)))
        elif at:
            say(Text(f"After move {at}, {last_move(now)}:"))
            for event in now.events:
                say(event_text(event, names_of(now)))
        self._show_standing(now)

    def _show_standing(self, now: Record) -> None:
        say = self._console.print
        say()
        for line in board_lines(now.game.board(now.state), names_of(now), now.state.to_act, self._console):
            say(line, no_wrap=True)
        say()
        if now.result:
            say(result_text(now.result, names_of(now)))
        else:
            for each in choices_lines(now):
                say(each)
        say()

    def add_up(self, session: Session, unfinished: int) -> None:
        """Print the totals."""
        for line in session_lines(session, unfinished):
            self._console.print(line)
