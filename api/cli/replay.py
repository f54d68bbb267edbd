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
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the state after every move as a line of JSON.")
    ] = False,
) -> None:
    """Tell recorded games move by move, check them, and add several up to a session.

    The exit code is 2 if a record is damaged or was changed.
    """
    from api.cli.table.playback import retell
    from api.files.record_file import RecordFile

    with told(as_json=as_json):
        loaded = [RecordFile.open(path).record for path in records]
        _check_at(loaded, at)
        retell(loaded, at, as_json=as_json)


def _check_at(loaded: list[Record], at: int | None) -> None:
    if at is not None and len(loaded) > 1:
        raise typer.BadParameter("--at shows a moment of one game: name one record.")
    if at is not None and at > len(loaded[0].moves):
        raise typer.BadParameter(f"--at {at} is beyond the end: {len(loaded[0].moves)} moves stand in this game.")
