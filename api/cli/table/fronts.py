"""The two fronts of a table: a screen for people, and lines of JSON for programs."""

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
from api.cli.table.game import Front, Table
from scorer.engine.record import Record
from scorer.engine.snapshot import named, snapshot
from scorer.errors import IllegalMove, MoveError, ScorerError

HELP = """\
  a, b, c …       take the choice of that letter
  5 5 2 2 1 4 6   the dice that you threw (Cribbage Dice: the starter first); or tiles, 3-0 6-6
  Enter, roll     let Muggins throw the dice or draw the tiles
  stop, point 5   or any other move, written in full
  yes             confirm what was in doubt
  undo            take the last move back
  board, moves    show the pegs, or the choices, once more
  quit            leave; the game is kept, and can be gone on with"""


def front(*, as_json: bool) -> Front:
    """The front for programs or for people."""
    # What is typed is read as it comes: a byte that is no text is no reason to fall over.
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")
    return Lines() if as_json else Screen(Console(highlight=False))


def _go_on(table: Table) -> str:
    command = f"muggins play --record {shlex.quote(str(table.file.path))}"
    return f"The game is kept, at move {len(table.record.moves)}. Go on with: {command}"


def _told(error: ScorerError, record: Record) -> dict[str, Any]:
    # A text that is no move is quoted as it was typed, braces and all.
    message = error.message if isinstance(error, MoveError) else named(error.message, names_of(record))
    return {"code": error.code, "message": message, "rule": error.rule if isinstance(error, IllegalMove) else ""}


class Lines:
    """For programs: every line read is answered by one JSON object on a line."""

    def begin(self, table: Table) -> None:
        """The state, and where it is kept."""
        self.show(table)

    def ask(self) -> str:
        """A line of standard input."""
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    def look(self, table: Table, what: str) -> None:
        """The help as a text; the state has everything else."""
        if what == "help":
            self._say({"help": HELP})
        else:
            self.show(table)

    def show(self, table: Table) -> None:
        """The state, and what the last answer did."""
        done = {"played": list(map(str, table.played)), "undone": list(map(str, table.undone))}
        self._say({**snapshot(table.record), **done, "record": str(table.file.path)})

    def refuse(self, table: Table, error: ScorerError) -> None:
        """The reason; with the moves that a "yes" would make, if it is a doubt."""
        confirm = {"confirm": list(map(str, table.doubt.moves))} if table.doubt else {}
        self._say({"error": {**_told(error, table.record), **confirm}})

    def leave(self, table: Table) -> None:
        """Out of the way of the results."""
        if table.record.result is None:
            print(_go_on(table), file=sys.stderr)

    @staticmethod
    def _say(values: dict[str, Any]) -> None:
        print(json.dumps(values), flush=True)


class Screen:
    """For people: what happened, the pegs when they have moved, and the choices."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._pegs: object = None
        self._hint = ""

    def begin(self, table: Table) -> None:
        """The game, its file, and how it stands."""
        self._console.print(headline(table.record))
        kept = f"gone on with at move {len(table.record.moves)}" if table.resumed else "written as you play"
        self._line(f'Record: {table.file.path}, {kept}. Type "help" for what you can type.', "dim")
        self._stand(table.record)

    def ask(self) -> str:
        """What is typed; a piped answer is shown as if it had been typed."""
        answer = input(f"{self._hint} > ")
        if not sys.stdin.isatty():
            self._line(answer)
        return answer

    def look(self, table: Table, what: str) -> None:
        """The pegs, the choices, or what can be typed."""
        if what == "board":
            self._board(table.record)
        elif what == "moves":
            self._choices(table.record)
        else:
            self._console.print(Text(HELP))

    def show(self, table: Table) -> None:
        """What happened, and how it stands now."""
        for move in table.undone:
            self._line(f"Taken back: {taken_back(table.record, move)}.", "yellow")
        for event in table.record.events:
            self._console.print(event_text(event, names_of(table.record)))
        self._stand(table.record)
        if table.record.result:
            self._line(f"The whole game: muggins replay {shlex.quote(str(table.file.path))}", "dim")

    def refuse(self, table: Table, error: ScorerError) -> None:
        """The reason and the rule, and what a "yes" would do."""
        told = _told(error, table.record)
        rule = f" ({told['rule']})" if told["rule"] else ""
        self._line(f"{told['message']}{rule}", "yellow")
        if table.doubt:
            self._line(f'Type "yes" for: {", then ".join(map(str, table.doubt.moves))}.', "yellow")

    def leave(self, table: Table) -> None:
        """How to go on."""
        self._line("")
        if table.record.result is None:
            self._line(_go_on(table))

    def _stand(self, record: Record) -> None:
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
