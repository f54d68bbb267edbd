"""The command `muggins read`: photos read, and what they are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from scorer.games.scoring import photographed

if TYPE_CHECKING:
    from api.cli.report.lines import Show
    from api.interpret.score_request import Question
    from vision.reader import TableReader

DAMAGED = 1
"""Exit code when the networks are missing or damaged, or a picture could not be written."""
UNREADABLE = 2
"""Exit code when a photo could not be read."""

_GAMES = ", ".join(photographed())


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(read)


def read(
    photos: Annotated[
        list[str],
        typer.Argument(metavar="PHOTO…", help="Photos or folders of photos; - takes one from standard input."),
    ],
    game: Annotated[
        str | None, typer.Option("--game", "-g", metavar="GAME", help=f"Say what they are worth in {_GAMES}.")
    ] = None,
    point: Annotated[
        int | None, typer.Option(metavar="V", help="Crib Dice: the value you froze as your point earlier in the turn.")
    ] = None,
    frozen: Annotated[
        int | None, typer.Option(metavar="N", help="Crib Dice: how many dice were frozen on it before this throw.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An option of the game's rules, like piddle_points=true; repeat it. For domino-pips: count=table, hand or "
            "ends, and with count=hand double_blank=10, 25 or 50.",
        ),
    ] = None,
    set_aside: Annotated[
        str | None,
        typer.Option(metavar="DICE", help="Farkle Cribbage: dice set aside earlier in the turn, like 1-5-5."),
    ] = None,
    starter: Annotated[
        str | None,
        typer.Option(
            metavar="X",
            help="Cribbage Dice: the value of the starter die, if not the one of the odd colour. Domino Cribbage: the "
            "starter, like 4-1, in the photo or not.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line for each photo.")] = False,
    annotated: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Put copies of the photos there, with the pieces drawn on them.")
    ] = None,
) -> None:
    """Read the dice and dominoes in your photos, and say what they are worth.

    The exit code is 2 if a photo could not be read; the others are read all the same.
    """
    from api.files.photo_paths import gather

    question = _question(game, point, frozen, tuple(rules or ()), set_aside, starter)
    raise typer.Exit(_read_all(gather(photos, skip=annotated), question, annotated, as_json=json))


def _question(
    game: str | None,
    point: int | None,
    frozen: int | None,
    rules: tuple[str, ...],
    set_aside: str | None,
    starter: str | None,
) -> Question:
    from api.interpret.score_request import Question
    from scorer.games.scoring import ThrowError, dice_named

    try:
        aside = dice_named(set_aside) if set_aside is not None else None
        return Question(game, point, frozen, rules, aside, starter)
    except ThrowError as error:
        raise typer.BadParameter(str(error)) from error


def _read_all(names: list[str], question: Question, pictures: Path | None, *, as_json: bool) -> int:
    from api.cli.report.photos import Unread, read_each
    from api.cli.report.progress import with_bar
    from api.files.new_picture import KeepError

    show, code = _shown(as_json), 0
    try:
        for result in with_bar(read_each(_reader(), names, question, pictures), len(names)):
            show(result)
            code = UNREADABLE if isinstance(result, Unread) else code
    except KeepError as error:
        _leave(str(error))
    return code


def _shown(as_json: bool) -> Show:
    if as_json:
        from api.cli.report.lines import show_json

        return show_json
    from rich.console import Console

    from api.cli.report.reading import for_people

    return for_people(Console(highlight=False))


def _reader() -> TableReader:
    from models import ModelError
    from vision.reader import TableReader

    try:
        return TableReader()
    except ModelError as error:
        _leave(error.message)


def _leave(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(DAMAGED)
