"""The command `muggins replay`: replays and checks recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.failures import FAILED, leave, reporting

if TYPE_CHECKING:
    from scorer.engine.record import Record


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(replay)


def replay(
    records: Annotated[list[Path], typer.Argument(metavar="RECORD…", help="Game records, as written by play.")],
    at: Annotated[int | None, typer.Option("--at", min=0, metavar="N", help="Show the state after N moves.")] = None,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HEAD", help="A head you noted, short or full; detects missing lines."),
    ] = None,
    drop_torn_line: Annotated[
        bool,
        typer.Option("--drop-torn-line", help="Ignore a truncated last line; the file stays unchanged."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the state after every move as a line of JSON.")
    ] = False,
) -> None:
    """Replay recorded games move by move, check them, and add up several as a session.

    The exit code is 2 if a record is damaged or was altered, and 1 if a file cannot be read or the head is mistyped.
    """
    from api.cli.table.playback import retell

    if head is not None and len(records) > 1:
        raise typer.BadParameter("--head works with a single record.")
    if head is not None:
        _check_head(head, as_json=as_json)
    with reporting(as_json=as_json):
        loaded = [_opened(path, head, drop_torn_line) for path in records]
        _check_at(loaded, at)
        retell(loaded, at, as_json=as_json)


def _opened(path: Path, head: str | None, drop_torn_line: bool) -> Record:
    from api.files.record_file import RecordFile, UntrustedRecord

    try:
        record = RecordFile.open(path, drop_torn_line=drop_torn_line).record
    except UntrustedRecord as error:
        if error.error.code == "truncated" and not drop_torn_line:
            typer.echo("Use --drop-torn-line to replay the game without its truncated last line.", err=True)
        raise
    if head is not None:
        _compare(path, record, head)
    return record


def _check_head(head: str, *, as_json: bool) -> None:
    from api.evidence.keys import mistyped

    if slip := mistyped(head):
        leave(FAILED, "mistyped-head", slip, as_json=as_json)


def _compare(path: Path, record: Record, head: str) -> None:
    from api.evidence.keys import same_head
    from api.files.record_file import UntrustedRecord
    from scorer.engine.record import RecordError

    if not same_head(head, record.head):
        text = "this is not the last line that was kept: lines are missing or changed."
        raise UntrustedRecord(path, RecordError("wrong-head", text, len(record.lines)))


def _check_at(loaded: list[Record], at: int | None) -> None:
    if at is not None and len(loaded) > 1:
        raise typer.BadParameter("--at works with a single record.")
    if at is not None and at > len(loaded[0].moves):
        raise typer.BadParameter(f"--at {at} is past the end: this game has {len(loaded[0].moves)} moves.")
