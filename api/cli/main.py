"""The command `muggins`. Heavy modules are imported inside the commands that need them, so that it starts quickly."""

from __future__ import annotations

from typing import Annotated

import typer

from api.cli import (
    demo,
    evidence,
    models,
    odds,
    play,
    profiles,
    read,
    replay,
    rules,
    score,
    serve,
    teach,
    verify,
    watch,
)

app = typer.Typer(
    help="Reads the dice and dominoes on your table from a photo, says what they are worth, and keeps the game.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_OWN = {"", "api", "models", "scorer", "vision"}
"""Packages of Muggins itself: one that is missing is a fault."""


def main() -> None:
    """Entry point of the command `muggins`."""
    try:
        app()
    except ModuleNotFoundError as error:
        # Who installed only what reading takes (docs/operations.md) gets a sentence where a film or a server is asked for.
        package = (error.name or "").partition(".")[0]
        if package in _OWN:
            raise
        typer.echo(
            f"This needs {package}, which is not installed. Install all of Muggins: pip install muggins", err=True
        )
        raise SystemExit(1) from error


def _print_version(wanted: bool) -> None:
    if wanted:
        from api.version import VERSION

        typer.echo(f"muggins {VERSION}")
        raise typer.Exit


@app.callback()
def _muggins(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options of the command itself; `--version` acts in its callback."""


for _command in (read, teach, profiles, models, serve, rules, score, odds, play, replay, evidence, verify, watch, demo):
    _command.register(app)
