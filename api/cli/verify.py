"""The command `muggins verify`: recomputes and compares everything in an evidence zip."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from api.evidence.findings import Level, Verdict
    from vision.reader import TableReader

FAILED, WRONG = 1, 2
"""Exit codes: the file or the networks cannot be used; the evidence is wrong."""
_MARKS: dict[Level, tuple[str, str]] = {
    "ok": ("ok   ", "green"),
    "warning": ("LOOK ", "bold yellow"),
    "wrong": ("WRONG", "bold red"),
}
_SUMS: dict[Level, str] = {
    "ok": "Everything matches.",
    "warning": "Nothing is wrong, but please check what is marked.",
    "wrong": "This evidence cannot be trusted.",
}


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(verify)


def verify(
    evidence: Annotated[Path, typer.Argument(metavar="ZIP", help="An evidence zip.")],
    heads: Annotated[
        list[str] | None,
        typer.Option("--head", metavar="HEAD", help="A head you noted during the game, short or full; repeatable."),
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="The server's key as you know it, short or full.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check an evidence zip: hashes, chain, every score, the signature, and a new reading of every photo.

    The exit code is 2 if anything is wrong.
    """
    from api.evidence.verify import verify as verified

    try:
        verdict = verified(evidence, _reader() if _has_photos(evidence) else None, heads=heads or (), key=key)
    except OSError as error:
        _leave(f"Cannot read {evidence}: {error.strerror or error}.")
    _tell(verdict, as_json=as_json)
    raise typer.Exit(WRONG if verdict.level == "wrong" else 0)


def _has_photos(evidence: Path) -> bool:
    """Whether anything is to be read: to open the networks takes longer than to check a zip without photos.

    Raises:
        OSError: the file cannot be read.
    """
    from api.evidence.archive import InvalidArchive, opened

    try:
        with opened(evidence) as archive:
            return any(name.startswith("photos/") for name in archive.names)
    except InvalidArchive:
        return False


def _reader() -> TableReader:
    from models import ModelError
    from vision.reader import TableReader

    try:
        return TableReader()
    except ModelError as error:
        _leave(error.message)


def _tell(verdict: Verdict, *, as_json: bool) -> None:
    from json import dumps

    from rich.console import Console
    from rich.text import Text

    from api.console import printable

    if as_json:
        typer.echo(dumps(verdict.to_json()))
        return
    console = Console(highlight=False)
    for finding in verdict.findings:
        console.print(Text.assemble(_MARKS[finding.level], " ", printable(finding.text)), soft_wrap=True)
    console.print(Text(_SUMS[verdict.level], _MARKS[verdict.level][1]), soft_wrap=True)


def _leave(message: str) -> NoReturn:
    from api.console import printable

    typer.echo(printable(message), err=True)
    raise typer.Exit(FAILED)
