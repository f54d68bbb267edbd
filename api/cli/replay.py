"""The command `muggins replay`: recorded games told again and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.failures import told

if TYPE_CHECKING:
    from scorer.engine.record import Record


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(replay)


def replay(
    records: Annotated[list[Path], typer.Argument(metavar="RECORD…", help="Records of games, as play writes them.")],
    at: Annotated[int | None, typer.Option("--at", min=0, metavar="N", help="Show how it stood after N moves.")] = None,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HASH", help="The hash of the last line, if you kept it: finds lines cut off."),
    ] = None,
    drop_torn_line: Annotated[
        bool,
        typer.Option("--drop-torn-line", help="Leave out a last line that was cut off in its middle; the file stays."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the state after every move as a line of JSON.")
    ] = False,
) -> None:
    """Tell recorded games move by move, check them, and add several up to a session.

    The exit code is 2 if a record is damaged or was changed.
    """
    from api.cli.table.playback import retell

    if head is not None and len(records) > 1:
        raise typer.BadParameter("--head is the hash of one record: name one record.")
    with told(as_json=as_json):
        loaded = [_opened(path, head, drop_torn_line) for path in records]
        _check_at(loaded, at)
        retell(loaded, at, as_json=as_json)


def _opened(path: Path, head: str | None, drop_torn_line: bool) -> Record:
    from api.files.record_file import RecordFile, Untrusted

    try:
        return RecordFile.open(path, head=head, drop_torn_line=drop_torn_line).record
    except Untrusted as error:
        if error.error.code == "truncated" and not drop_torn_line:
            typer.echo("With --drop-torn-line the game is told without the line that was cut off.", err=True)
        raise


def _check_at(loaded: list[Record], at: int | None) -> None:
    if at is not None and len(loaded) > 1:
        raise typer.BadParameter("--at shows a moment of one game: name one record.")
    if at is not None and at > len(loaded[0].moves):
        raise typer.BadParameter(f"--at {at} is beyond the end: {len(loaded[0].moves)} moves stand in this game.")
