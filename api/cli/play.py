"""The commands `muggins play` and `muggins replay`: a whole game in the terminal, kept as a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from scorer.engine.record import Record

FAILED, REFUSED = 1, 2
"""Exit codes: the disk would not; what was given cannot be played or trusted."""


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
    app.command()(play)
    app.command()(replay)


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="crib-dice, cribbage-dice, farkle-crib or domino-cribbage."),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="A,B", help="Names in table order, joined by commas.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", metavar="NAME=VALUE", help="An option of the game; give it once for each."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the record goes; a game that is there already is gone on with."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Make what Muggins throws repeatable, for trying out.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Answer every line with one JSON object, for programs.")
    ] = False,
) -> None:
    """Play a whole game in the terminal, with your own dice or with Muggins's, and keep its record.

    Without --record it goes to a new file in the current folder. To go on with a game, name its record and nothing else.
    """
    from api.cli.table.fronts import front
    from api.cli.table.game import Asked, Disagreement, run, seated
    from api.files.record_file import FileTrouble, Untrusted
    from scorer.errors import ScorerError

    try:
        run(seated(record, Asked(game, players, rules), seed), front(as_json=as_json))
    except Disagreement as error:
        raise typer.BadParameter(str(error)) from error
    except FileTrouble as error:
        _leave(FAILED, "file-trouble", str(error), as_json=as_json)
    except Untrusted as error:
        _leave(REFUSED, error.error.code, str(error), as_json=as_json, line=error.error.line)
    except ScorerError as error:
        _leave(REFUSED, error.code, error.message, as_json=as_json)


def replay(
    records: Annotated[list[Path], typer.Argument(metavar="RECORD…", help="Records of games, as play writes them.")],
    at: Annotated[int | None, typer.Option("--at", min=0, metavar="N", help="Show how it stood after N moves.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the state after every move as a line of JSON.")
    ] = False,
) -> None:
    """Tell recorded games move by move, check them, and add several up to a session.

    The exit code is 2 if a record is damaged or was changed.
    """
    from api.cli.table.playback import retell
    from api.files.record_file import FileTrouble, RecordFile, Untrusted
    from scorer.errors import ScorerError

    try:
        loaded = [RecordFile.open(path).record for path in records]
        _check_at(loaded, at)
        retell(loaded, at, as_json=as_json)
    except FileTrouble as error:
        _leave(FAILED, "file-trouble", str(error), as_json=as_json)
    except Untrusted as error:
        _leave(REFUSED, error.error.code, str(error), as_json=as_json, line=error.error.line)
    except ScorerError as error:
        _leave(REFUSED, error.code, error.message, as_json=as_json)


def _check_at(loaded: list[Record], at: int | None) -> None:
    if at is not None and len(loaded) > 1:
        raise typer.BadParameter("--at shows a moment of one game: name one record.")
    if at is not None and at > len(loaded[0].moves):
        raise typer.BadParameter(f"--at {at} is beyond the end: {len(loaded[0].moves)} moves stand in this game.")


def _leave(exit_code: int, code: str, message: str, *, as_json: bool, line: int = 0) -> NoReturn:
    from json import dumps

    from api.cli.table.boards import printable

    if as_json:
        typer.echo(dumps({"error": {"code": code, "message": message, "rule": "", "line": line or None}}))
    else:
        typer.echo(printable(message), err=True)
    raise typer.Exit(exit_code)
