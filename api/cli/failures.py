"""How the commands that read records end when they cannot go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from json import dumps
from typing import NoReturn

import typer

FAILED, REFUSED = 1, 2
"""Exit codes: the disk would not; what was given cannot be played or trusted."""


@contextmanager
def told(*, as_json: bool) -> Iterator[None]:
    """Ends the program, with the reason, where a record cannot be read, trusted, written or played.

    Args:
        as_json: say it as one JSON object.
    """
    from api.files.record_file import FileTrouble, Untrusted
    from scorer.errors import ScorerError

    try:
        yield
    except FileTrouble as error:
        leave(FAILED, "file-trouble", str(error), as_json=as_json)
    except Untrusted as error:
        leave(REFUSED, error.error.code, str(error), as_json=as_json, line=error.error.line)
    except ScorerError as error:
        leave(REFUSED, error.code, error.message, as_json=as_json)


def leave(exit_code: int, code: str, message: str, *, as_json: bool, line: int = 0) -> NoReturn:
    """End the program with the reason."""
    from api.console import printable

    if as_json:
        typer.echo(dumps({"error": {"code": code, "message": message, "rule": "", "line": line or None}}))
    else:
        typer.echo(printable(message), err=True)
    raise typer.Exit(exit_code)
