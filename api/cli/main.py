"""The command `muggins`. Heavy modules are imported inside the commands that need them, so that it starts quickly."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

COMMANDS = (
    "read",
    "teach",
    "profiles",
    "models",
    "serve",
    "rules",
    "score",
    "odds",
    "advise",
    "play",
    "replay",
    "evidence",
    "verify",
    "watch",
    "demo",
)
"""In the order of the help; each name is a module of `api.cli` that registers the command."""
_OWN = {"", "api", "models", "scorer", "vision"}
"""Packages of Muggins itself: a missing one is a bug."""


def main() -> None:
    """Entry point of the command `muggins`."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for as long as the process lasts
    try:
        _run()
    except KeyboardInterrupt:  # while modules are being imported; later, the commands handle it
        raise SystemExit(130) from None
    except OSError:
        _flush_output("\n")  # fails, too, if it interrupted the output
        raise
    finally:
        _flush_output()


def _run() -> None:
    try:
        application(sys.argv[1:])()
    except ModuleNotFoundError as error:
        # A user with a minimal installation (docs/operations.md) gets a sentence on asking for a film or a server.
        package = (error.name or "").partition(".")[0]
        if package in _OWN:
            raise
        typer.echo(
            f"This needs {package}, which is not installed. Install all of Muggins: pip install muggins", err=True
        )
        raise SystemExit(1) from error


def _flush_output(more: str = "") -> None:
    """Report lost output, as on a full disk; a closed pipe is not reported."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(more)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discards the rest of the buffer
        if error.errno != errno.EPIPE:
            typer.echo(f"Cannot write the output: {error.strerror}.", err=True)
        raise SystemExit(1) from None


def _print_version(wanted: bool) -> None:
    if wanted:
        from api.version import VERSION

        typer.echo(f"muggins {VERSION}")
        raise typer.Exit


def application(words: Sequence[str] = ()) -> typer.Typer:
    """The command with all subcommands, or if the first word names one, with only what these words need: the rest takes time
    to load.
    """
    app = typer.Typer(
        help="Reads the dice and dominoes on your table from a photo, says what they are worth, and keeps the game.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_muggins)
    parts = () if words[:1] == ["--version"] else [word for word in words[:1] if word in COMMANDS] or COMMANDS
    for name in parts:
        part = importlib.import_module(f"api.cli.{name}")
        if name == "read" and words:
            part.register(app, words[1:])
        else:
            part.register(app)
    return app


def _muggins(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options of the command itself; `--version` acts in its callback."""
