"""The command `muggins verify`: recomputes and compares everything in an evidence zip."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from api.evidence.findings import Finding, Level, Verdict
    from api.evidence.verify import Verification
    from vision.reader import TableReader

FAILED, WRONG = 1, 2
"""Exit codes: the file, a code or the networks cannot be used; the evidence is wrong."""
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


_ALONE = "Everything matches, as far as the zip alone can tell."
_COMPARE = (
    "Anyone can rewrite a whole game and sign it with a key of their own. Compare with what somebody noted during the game: a "
    "code (--head) or the server's key (--key)."
)
_OWN_SERVER = (
    "The person who runs the server can rewrite a game and sign it again with the same key. A code that was noted proves the "
    "game up to its line: compare with one from the end of the game (--head)."
)
_WRONG_DO = (
    "Save the evidence again on the page of the game, and check that. If it is wrong, too, the record was changed: compare the "
    "codes that the phones at the table show or saved (--head)."
)


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

    The exit code is 2 if anything is wrong, and 1 if the file is no zip or a code is mistyped.
    """
    from json import dumps

    from api.evidence.archive import has_photos, not_a_zip
    from api.evidence.findings import Verdict
    from api.evidence.keys import mistyped
    from api.evidence.verify import Verification

    for code in (*(heads or ()), *((key,) if key else ())):
        if slip := mistyped(code):
            _leave(slip)
    try:
        if other := not_a_zip(evidence):
            _leave(f"{evidence}: {other}")
        checks = Verification(evidence, _reader() if has_photos(evidence) else None, heads=heads or (), key=key)
        verdict = Verdict(tuple(checks if as_json else map(_told, checks)))
    except OSError as error:
        _leave(f"Cannot read {evidence}: {error.strerror or error}.")
    if as_json:
        typer.echo(dumps(verdict.to_json()))
    else:
        _tell(verdict, known=bool(heads or key), whole=_is_noted(checks, verdict))
    raise typer.Exit(WRONG if verdict.level == "wrong" else 0)


def _reader() -> TableReader:
    from models import ModelError
    from vision.reader import TableReader

    try:
        return TableReader()
    except ModelError as error:
        _leave(error.message)


def _told(finding: Finding) -> Finding:
    """Print a finding as soon as it is found: photos take their time."""
    from rich.text import Text

    from api.console import printable

    _print(Text.assemble(_MARKS[finding.level], " ", printable(finding.text)))
    return finding


def _is_noted(checks: Verification, verdict: Verdict) -> bool:
    """Whether somebody noted the last head: then nobody can have rewritten anything before it."""
    last = len(checks.record.lines) if checks.record else 0
    return any((each.code, each.level, each.line) == ("noted-head", "ok", last) for each in verdict.findings)


def _tell(verdict: Verdict, *, known: bool, whole: bool) -> None:
    """Print the verdict. `known`: it was compared with what somebody noted of the game; `whole`: to its end."""
    from rich.text import Text

    fine = verdict.level == "ok" and not known
    _print(Text(_ALONE if fine else _SUMS[verdict.level], _MARKS["warning" if fine else verdict.level][1]))
    if verdict.level == "wrong":
        _print(Text(_WRONG_DO))
    elif not whole:
        _print(Text(_OWN_SERVER if known else _COMPARE))


def _print(text: Text) -> None:
    from api.console import terminal

    terminal().print(text, soft_wrap=True)


def _leave(message: str) -> NoReturn:
    from api.console import printable

    typer.echo(printable(message), err=True)
    raise typer.Exit(FAILED)
