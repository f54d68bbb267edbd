"""The command `muggins play`: a whole game in the terminal, kept as a record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.failures import told


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(play)


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="crib-dice, cribbage-dice, farkle-crib or domino-cribbage."),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="A,B", help="Names in table order, joined by commas.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", metavar="NAME=VALUE", help="An option of the game; give it once for each."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the record goes; a game that is there already is gone on with."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Make what Muggins throws repeatable, for trying out.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Answer every line with one JSON object, for programs.")
    ] = False,
) -> None:
    """Play a whole game in the terminal, with your own dice or with Muggins's, and keep its record.

    Without --record it goes to a new file in the current folder. To go on with a game, name its record and nothing else.
    """
    from api.cli.table.fronts import front
    from api.cli.table.game import Asked, Disagreement, run, seated

    try:
        with told(as_json=as_json):
            run(seated(record, Asked(game, players, rules), seed), front(as_json=as_json))
    except Disagreement as error:
        raise typer.BadParameter(str(error)) from error
