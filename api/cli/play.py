"""The command `muggins play`: a whole game in the terminal, saved as a record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.failures import reporting
from scorer.games.registry import GAMES


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(play)


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help=f"One of {', '.join(GAMES)}."),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="A,B", help="Names in table order, separated by commas.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", metavar="NAME=VALUE", help="An option of the game; repeatable."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The record file; an existing game is resumed."),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed for Muggins's throws, to repeat a game.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Respond to every line with one JSON object, for programs.")
    ] = False,
) -> None:
    """Play a whole game in the terminal, with your dice or Muggins's, and keep its record.

    Without --record, the record goes to a new file in the current folder. To resume a game, give only its --record.
    """
    from api.cli.table.fronts import front
    from api.cli.table.game import Disagreement, GameRequest, run, seated

    try:
        with reporting(as_json=as_json):
            run(seated(record, GameRequest(game, players, rules), seed), front(as_json=as_json))
    except Disagreement as error:
        raise typer.BadParameter(str(error)) from error
