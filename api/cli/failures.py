"""Errors of the commands that read records: messages and exit codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from json import dumps
from typing import NoReturn

import typer

FAILED, REFUSED = 1, 2
"""Exit codes: a file cannot be read or written; the game cannot be played or the record is not valid."""


@contextmanager
def reporting(*, as_json: bool) -> Iterator[None]:
    """Turn errors about records and games into a message and an exit code.

    Args:
        as_json: print the error as one JSON object.
    """
    from api.files.record_file import RecordFileError, UntrustedRecord
    from scorer.errors import ScorerError

    try:
        yield
    except RecordFileError as error:
        leave(FAILED, "file-error", str(error), as_json=as_json)
    except UntrustedRecord as error:
        leave(REFUSED, error.error.code, str(error), as_json=as_json, line=error.error.line)
    except ScorerError as error:
        leave(REFUSED, error.code, error.message, as_json=as_json)


def leave(exit_code: int, code: str, message: str, *, as_json: bool, line: int = 0) -> NoReturn:
    """Print the reason and exit."""
    from api.console import printable

    if as_json:
        typer.echo(dumps({"error": {"code": code, "message": message, "rule": "", "line": line or None}}))
    else:
        typer.echo(printable(message), err=True)
    raise typer.Exit(exit_code)
