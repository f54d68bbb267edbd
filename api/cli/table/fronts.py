"""The two interfaces of a terminal game: text for people, JSON lines for programs."""

from __future__ import annotations

import json
import shlex
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from api.cli.table.boards import (
    board_lines,
    choices_lines,
    event_text,
    headline,
    names_of,
    printable,
    result_text,
    taken_back,
)
from api.cli.table.game import Front, TerminalGame
from api.console import terminal
from scorer.engine.record import Record
from scorer.engine.snapshot import named, snapshot
from scorer.errors import IllegalMove, MoveError, ScorerError

HELP = """\
  a, b, c …       pick the choice with this letter
  5 5 2 2 1 4 6   the dice you threw (with a starter die: that first); or tiles, 3-0 6-6
  Enter, roll     let Muggins throw the dice or draw the tiles
  stop, point 5   or any other move, written in full
  yes             confirm a doubtful throw
  undo            undo the last move
  board, moves    show the pegs, or the choices, again
  quit            quit; the game is saved and can be resumed"""


def front(*, as_json: bool) -> Front:
    """The interface for programs or for people."""
    # Undecodable bytes in the input must not crash the game.
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")
    return Lines() if as_json else Screen(terminal())


def _go_on(table: TerminalGame) -> str:
    command = f"muggins play --record {shlex.quote(str(table.file.path))}"
    return f"Game saved at move {len(table.record.moves)}. Resume with: {command}"


def _told(error: ScorerError, record: Record) -> dict[str, Any]:
    # Invalid input is quoted as typed, including braces.
    message = error.message if isinstance(error, MoveError) else named(error.message, names_of(record))
    return {"code": error.code, "message": message, "rule": error.rule if isinstance(error, IllegalMove) else ""}


class Lines:
    """For programs: one JSON line in response to every line read."""

    def begin(self, table: TerminalGame) -> None:
        """Print the state and the path of the record."""
        self.show(table)

    def ask(self) -> str:
        """Read a line from standard input."""
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    def look(self, table: TerminalGame, what: str) -> None:
        """Print the help; the state contains everything else."""
        if what == "help":
            self._say({"help": HELP})
        else:
            self.show(table)

    def show(self, table: TerminalGame) -> None:
        """Print the state and the moves just played."""
        done = {"played": list(map(str, table.played)), "undone": list(map(str, table.undone))}
        self._say({**snapshot(table.record), **done, "record": str(table.file.path)})

    def refuse(self, table: TerminalGame, error: ScorerError) -> None:
        """Print the reason, with the moves that "yes" would play if it is a doubt."""
        confirm = {"confirm": list(map(str, table.doubt.moves))} if table.doubt else {}
        self._say({"error": {**_told(error, table.record), **confirm}})

    def leave(self, table: TerminalGame) -> None:
        """Say on standard error how to resume."""
        if table.record.result is None:
            print(_go_on(table), file=sys.stderr)

    @staticmethod
    def _say(values: dict[str, Any]) -> None:
        print(json.dumps(values), flush=True)


class Screen:
    """For people: events, the pegs when they move, and the choices."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._pegs: object = None
        self._hint = ""

    def begin(self, table: TerminalGame) -> None:
        """Print the game, its file, and the state."""
        self._console.print(headline(table.record))
        kept = f"resumed at move {len(table.record.moves)}" if table.resumed else "saved as you play"
        self._line(f'Record: {table.file.path}, {kept}. Type "help" for what you can type.', "dim")
        self._show_standing(table.record)

    def ask(self) -> str:
        """Read an answer; piped input is echoed as if typed."""
        answer = input(f"{self._hint} > ")
        if not sys.stdin.isatty():
            self._line(answer)
        return answer

    def look(self, table: TerminalGame, what: str) -> None:
        """Print the pegs, the choices, or the help."""
        if what == "board":
            self._board(table.record)
        elif what == "moves":
            self._choices(table.record)
        else:
            self._console.print(Text(HELP))

    def show(self, table: TerminalGame) -> None:
        """Print the events and the new state."""
        for move in table.undone:
            self._line(f"Undone: {taken_back(table.record, move)}.", "yellow")
        for event in table.record.events:
            self._console.print(event_text(event, names_of(table.record)))
        self._show_standing(table.record)
        if table.record.result:
            self._line(f"The whole game: muggins replay {shlex.quote(str(table.file.path))}", "dim")

    def refuse(self, table: TerminalGame, error: ScorerError) -> None:
        """Print the reason, the rule, and what "yes" would do."""
        told = _told(error, table.record)
        rule = f" ({told['rule']})" if told["rule"] else ""
        self._line(f"{told['message']}{rule}", "yellow")
        if table.doubt:
            self._line(f'Type "yes" for: {", then ".join(map(str, table.doubt.moves))}.', "yellow")

    def leave(self, table: TerminalGame) -> None:
        """Print how to resume."""
        self._line("")
        if table.record.result is None:
            self._line(_go_on(table))

    def _show_standing(self, record: Record) -> None:
        self._hint = _hint(record)
        if record.result or record.game.board(record.state).pegs != self._pegs:
            self._board(record)
        if record.result:
            self._console.print(result_text(record.result, names_of(record)))
        else:
            self._choices(record)

    def _board(self, record: Record) -> None:
        board = record.game.board(record.state)
        self._pegs = board.pegs
        self._line("")
        for line in board_lines(board, names_of(record), record.state.to_act, self._console):
            self._console.print(line, no_wrap=True)
        self._line("")

    def _choices(self, record: Record) -> None:
        for line in choices_lines(record):
            self._console.print(line)

    def _line(self, text: str, style: str = "") -> None:
        self._console.print(Text(printable(text), style), soft_wrap=True)


def _hint(record: Record) -> str:
    legal = record.game.legal_moves(record.state)
    tiles = record.game.kind == "domino"
    chance = ("tiles, or Enter to draw" if tiles else "dice, or Enter to roll") if legal.chance is not None else ""
    return ", ".join(filter(None, ("letter" if legal.choices else "", chance))) or "undo or quit"
