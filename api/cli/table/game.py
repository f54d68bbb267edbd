"""A game in the terminal: started or resumed; input becomes moves, saved before they are shown."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random, SystemRandom
from typing import NoReturn, Protocol

from api.cli.table.boards import labels
from api.files.record_file import RecordFile
from api.interpret.typed_moves import after, check_shown, now, seen_in, written
from api.version import VERSION
from scorer.camera.referee import rule
from scorer.engine.game import Move, Seen, Unclear
from scorer.engine.record import Header, Record, RecordError
from scorer.errors import MoveError, ScorerError
from scorer.games.registry import game_named

_LEAVE = ("quit", "exit")
_LOOK = ("help", "board", "moves")
_ROLL = ("", "roll", "throw", "draw")
_LETTER = re.compile("[a-z]{1,2}")


class Disagreement(Exception):  # noqa: N818 - it names what is wrong
    """The command line is incomplete for a new game, or contradicts the existing record."""


# Starting and resuming


@dataclass(frozen=True, slots=True)
class GameRequest:
    """The game as given on the command line; None: not given."""

    game: str | None
    players: str | None
    rules: Sequence[str] | None

    @property
    def names(self) -> tuple[str, ...] | None:
        """The players' names."""
        return None if self.players is None else tuple(name.strip() for name in self.players.split(","))


def seated(path: Path | None, asked: GameRequest, seed: int | None) -> TerminalGame:
    """Start a new game, or resume the one in an existing record.

    Args:
        path: of the record; None for a new one in the current folder.
        asked: the game as given on the command line.
        seed: for repeatable throws; None for random ones.

    Raises:
        Disagreement: the request is incomplete or contradicts the record.
        ScorerError: the game cannot be played with these players or rules.
        RecordFileError, UntrustedRecord: the record cannot be written or read, or is not valid.
    """
    if path is not None and os.path.exists(path):
        file = RecordFile.open(path)
        _check_agrees(file.record, asked)
        return TerminalGame(file, seed, resumed=True)
    begun = datetime.now().astimezone()
    record = _begun(asked, begun, path)
    return TerminalGame(RecordFile.create(path, record) if path else RecordFile.create_in(Path(), record, begun), seed)


def _begun(asked: GameRequest, begun: datetime, path: Path | None) -> Record:
    names = asked.names
    if asked.game is None or names is None:
        missing = f"There is no record {path} to resume. " if path else ""
        raise Disagreement(
            f"{missing}For a new game, give the game and players: muggins play GAME --players Ann,Ben. "
            "To resume a game, give its file with --record."
        )
    try:
        check_shown(names)
    except RecordError as error:
        raise Disagreement(error.message) from error
    rules = game_named(asked.game).rules.from_texts(asked.rules or ()).for_players(len(names))
    return Record.begin(Header(asked.game, rules, names, begun.isoformat(timespec="seconds"), {"muggins": VERSION}))


def _check_agrees(record: Record, asked: GameRequest) -> None:
    header = record.header
    if asked.game not in (None, header.game):
        _disagree(f"of {header.game}, not {asked.game}")
    if asked.names not in (None, header.players):
        _disagree(f"of {', '.join(header.players)}, in this order")
    begun = record.game.rules.from_texts(asked.rules or ()).for_players(len(header.players))
    if asked.rules is not None and begun != header.rules:
        changed = [f"{name}={value}" for name, value in header.rules.changed().items()]
        _disagree(f"with {', '.join(changed) or 'the default rules'}")


def _disagree(what: str) -> NoReturn:
    raise Disagreement(f"The record is of a game {what}. Omit that to resume it, or give another file for a new game.")


# Playing


@dataclass
class TerminalGame:
    """A game in progress.

    Attributes:
        file: the record on disk.
        seed: for repeatable throws; None for random ones.
        resumed: whether the game was resumed.
        played: moves made by the last answer.
        undone: the move it undid, if any.
        doubt: why it was not played, if "yes" can still confirm it.
    """

    file: RecordFile
    seed: int | None = None
    resumed: bool = False
    played: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()
    doubt: Unclear | None = None

    @property
    def record(self) -> Record:
        """The game so far."""
        return self.file.record

    def answer(self, text: str) -> None:
        """Play or undo as typed, and save.

        Args:
            text: lower case, single spaces.

        Raises:
            ScorerError: not a legal move; nothing has changed.
            RecordFileError: it could not be saved.
        """
        doubt, self.doubt = self.doubt, None
        if text == "undo":
            self._undo()
        elif text == "yes" and doubt:
            self._play(doubt.moves, {"confirmed": doubt.code})
        else:
            self._play(self._meant(text))

    def _undo(self) -> None:
        undone = tuple(self.record.moves[-1:])
        self.file.keep(self.record.undo(at=now()))
        self.played, self.undone = (), undone

    def _play(self, moves: tuple[Move, ...], confirmed: dict[str, str] | None = None) -> None:
        self.file.keep(after(self.record, moves, corrected=confirmed))
        self.played, self.undone = moves, ()

    def _meant(self, text: str) -> tuple[Move, ...]:
        if text in _ROLL:
            return (self._rolled(),)
        if seen := seen_in(self.record, text):
            return self._ruled(seen)
        return (_lettered(self.record, text) if _LETTER.fullmatch(text) else written(self.record, text),)

    def _rolled(self) -> Move:
        chance = self.record.game.legal_moves(self.record.state).chance
        if chance is None:
            over = self.record.result is not None
            raise MoveError("choice-first", f"Nothing to throw now: {'the game is over' if over else 'make a choice'}.")
        return chance.sample(self._random())

    def _random(self) -> Random:
        # Seeded by line number, so that a resumed game continues identically.
        return SystemRandom() if self.seed is None else Random(f"{self.seed}/{len(self.record.lines)}")

    def _ruled(self, seen: Seen) -> tuple[Move, ...]:
        ruling = rule(self.record.game, self.record.state, seen)
        if ruling.doubt is None:
            return ruling.moves
        doubt = Unclear(ruling.doubt.code, ruling.doubt.message, ruling.doubt.moves)
        self.doubt = doubt if doubt.moves else None
        raise doubt


# Input


def _lettered(record: Record, text: str) -> Move:
    choices = record.game.legal_moves(record.state).choices
    letters = labels(len(choices))
    if text in letters:
        return choices[letters.index(text)]
    there = f"The choices are a to {letters[-1]}" if choices else "There is nothing to choose now"
    raise MoveError("no-such-choice", f'There is no choice {text!r}. {there}. Type "help" for what you can type.')


# Question and answer


class Front(Protocol):
    """An interface to a terminal game."""

    def begin(self, table: TerminalGame) -> None:
        """Show the game, its file, and the state."""

    def ask(self) -> str:
        """The next answer; raises EOFError at the end of input."""

    def look(self, table: TerminalGame, what: str) -> None:
        """Show "board", "moves" or "help"."""

    def show(self, table: TerminalGame) -> None:
        """Show the effect of the answer and the new state."""

    def refuse(self, table: TerminalGame, error: ScorerError) -> None:
        """Show why nothing was done."""

    def leave(self, table: TerminalGame) -> None:
        """Show how to resume."""


def run(table: TerminalGame, front: Front) -> None:
    """Play until the game is over or the players quit.

    Raises:
        RecordFileError: the record can no longer be written.
    """
    front.begin(table)
    try:
        while _goes_on(table, front):
            pass
    except (EOFError, KeyboardInterrupt):
        front.leave(table)


def _goes_on(table: TerminalGame, front: Front) -> bool:
    text = " ".join(front.ask().lower().split())
    if text in _LEAVE:
        raise EOFError
    if text in _LOOK:
        front.look(table, text)
        return True
    try:
        table.answer(text)
    except ScorerError as error:
        front.refuse(table, error)
        return True
    front.show(table)
    return table.record.result is None
