"""A game at a terminal: it is begun or gone on with, and what is typed becomes moves that are kept before they are shown."""

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


class Disagreement(Exception):  # noqa: N818 - the command line's own mistake
    """The command line says too little for a new game, or something else than the record that is there."""


# A game is begun or gone on with


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says about the game; None where it says nothing."""

    game: str | None
    players: str | None
    rules: Sequence[str] | None

    @property
    def names(self) -> tuple[str, ...] | None:
        """The players' names."""
        return None if self.players is None else tuple(name.strip() for name in self.players.split(","))


def seated(path: Path | None, asked: Asked, seed: int | None) -> Table:
    """The table: a new game, or the one whose record is there.

    Args:
        path: of the record; None for a new one in the current folder.
        asked: what the command line says.
        seed: what makes chance repeatable; None for real chance.

    Raises:
        Disagreement: too little is said, or not what the record says.
        ScorerError: no game can be played so.
        FileTrouble, Untrusted: the record cannot be written, read or trusted.
    """
    if path is not None and os.path.exists(path):
        file = RecordFile.open(path)
        _check_agrees(file.record, asked)
        return Table(file, seed, resumed=True)
    begun = datetime.now().astimezone()
    record = _begun(asked, begun, path)
    return Table(RecordFile.create(path, record) if path else RecordFile.create_in(Path(), record, begun), seed)


def _begun(asked: Asked, begun: datetime, path: Path | None) -> Record:
    names = asked.names
    if asked.game is None or names is None:
        missing = f"There is no record {path} to go on with. " if path else ""
        raise Disagreement(
            f"{missing}For a new game name it and the players, like: muggins play crib-dice --players Ann,Ben. "
            "To go on with a game, give --record with its file."
        )
    try:
        check_shown(names)
    except RecordError as error:
        raise Disagreement(error.message) from error
    rules = game_named(asked.game).rules.from_texts(asked.rules or ())
    return Record.begin(Header(asked.game, rules, names, begun.isoformat(timespec="seconds"), {"muggins": VERSION}))


def _check_agrees(record: Record, asked: Asked) -> None:
    header = record.header
    if asked.game not in (None, header.game):
        _disagree(f"of {header.game}, not {asked.game}")
    if asked.names not in (None, header.players):
        _disagree(f"of {', '.join(header.players)}, in this order")
    if asked.rules is not None and record.game.rules.from_texts(asked.rules) != header.rules:
        changed = [f"{name}={value}" for name, value in header.rules.changed().items()]
        _disagree(f"with {', '.join(changed) or 'the default rules'}")


def _disagree(what: str) -> NoReturn:
    raise Disagreement(
        f"The record is a game {what}. Leave that away to go on with it, or name another file for a new game."
    )


# The game goes on


@dataclass
class Table:
    """A game under way.

    Attributes:
        file: the record, as far as it is on the disk.
        seed: what makes chance repeatable; None for real chance.
        resumed: the game was gone on with.
        played: the moves that the last answer made.
        undone: the move that it took back, if any.
        doubt: why it was not played, where a "yes" may still confirm it.
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
        """Take what was typed as a move, or as the undoing of one, and keep it.

        Args:
            text: in small letters, one blank between words.

        Raises:
            ScorerError: it is no move here; nothing has changed.
            FileTrouble: it could not be kept.
        """
        doubt, self.doubt = self.doubt, None
        if text == "undo":
            self._undo()
        elif text == "yes" and doubt:
            self._play(doubt.moves, {"confirmed": doubt.code})
        else:
            self._play(self._meant(text))

    def _undo(self) -> None:
        undone = self.record.moves[-1:]
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
            raise MoveError("choice-first", f"Nothing is to be thrown now: {'the game is over' if over else 'choose'}.")
        return chance.sample(self._random())

    def _random(self) -> Random:
        # By the line, so that a game that was left and gone on with is the same game.
        return SystemRandom() if self.seed is None else Random(f"{self.seed}/{len(self.record.lines)}")

    def _ruled(self, seen: Seen) -> tuple[Move, ...]:
        ruling = rule(self.record.game, self.record.state, seen)
        if ruling.doubt is None:
            return ruling.moves
        doubt = Unclear(ruling.doubt.code, ruling.doubt.message, ruling.doubt.moves)
        self.doubt = doubt if doubt.moves else None
        raise doubt


# What is typed


def _lettered(record: Record, text: str) -> Move:
    choices = record.game.legal_moves(record.state).choices
    letters = labels(len(choices))
    if text in letters:
        return choices[letters.index(text)]
    there = f"The choices go from a to {letters[-1]}" if choices else "Nothing is to be chosen now"
    raise MoveError("no-such-choice", f'There is no choice {text!r}. {there}. Type "help" for what you can type.')


# Question and answer


class Front(Protocol):
    """How a table is shown and asked."""

    def begin(self, table: Table) -> None:
        """Show what is played, where it is kept, and how it stands."""

    def ask(self) -> str:
        """The next answer. Raises EOFError when there is none."""

    def look(self, table: Table, what: str) -> None:
        """Show "board", "moves" or "help"."""

    def show(self, table: Table) -> None:
        """Show what the answer did, and how it stands now."""

    def refuse(self, table: Table, error: ScorerError) -> None:
        """Say why nothing was done."""

    def leave(self, table: Table) -> None:
        """Say how to go on with a game that is left."""


def run(table: Table, front: Front) -> None:
    """Ask and answer until the game is over or the players leave.

    Raises:
        FileTrouble: the record can no longer be written.
    """
    front.begin(table)
    try:
        while _goes_on(table, front):
            pass
    except (EOFError, KeyboardInterrupt):
        front.leave(table)


def _goes_on(table: Table, front: Front) -> bool:
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
