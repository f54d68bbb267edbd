"""The command `muggins read`: reads photos and says what they are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from scorer.games.scoring import photographed

if TYPE_CHECKING:
    from api.cli.report.lines import Show
    from api.interpret.score_request import ScoreRequest
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
        str | None, typer.Option("--game", "-g", metavar="GAME", help=f"Score the photos for this game: {_GAMES}.")
    ] = None,
    point: Annotated[
        int | None, typer.Option(metavar="V", help="Crib Dice: the value frozen as your point earlier in the turn.")
    ] = None,
    frozen: Annotated[
        int | None, typer.Option(metavar="N", help="Crib Dice: number of dice frozen on it before this throw.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An option of the game's rules, such as piddle_points=true; repeatable. For domino-pips: count=table, hand or "
            "ends, and with count=hand double_blank=10, 25 or 50.",
        ),
    ] = None,
    set_aside: Annotated[
        str | None,
        typer.Option(metavar="DICE", help="Farkle Cribbage: dice set aside earlier in the turn, such as 1-5-5."),
    ] = None,
    starter: Annotated[
        str | None,
        typer.Option(
            metavar="X",
            help="Cribbage Dice: value of the starter die, if not the odd-coloured one. Domino Cribbage: the starter, "
            "such as 4-1, in the photo or not.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON line per photo.")] = False,
    annotated: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for annotated copies of the photos.")
    ] = None,
) -> None:
    """Read the dice and dominoes in photos, and print what they are worth.

    The exit code is 2 if a photo could not be read; the others are still read.
    """
    from api.files.photo_paths import gather

    request = _question(game, point, frozen, tuple(rules or ()), set_aside, starter)
    raise typer.Exit(_read_all(gather(photos, skip=annotated), request, annotated, as_json=json))


def _question(
    game: str | None,
    point: int | None,
    frozen: int | None,
    rules: tuple[str, ...],
    set_aside: str | None,
    starter: str | None,
) -> ScoreRequest:
    from api.interpret.score_request import ScoreRequest
    from scorer.games.scoring import ThrowError, dice_named

    try:
        aside = dice_named(set_aside) if set_aside is not None else None
        return ScoreRequest(game, point, frozen, rules, aside, starter)
    except ThrowError as error:
        raise typer.BadParameter(str(error)) from error


def _read_all(names: list[str], request: ScoreRequest, pictures: Path | None, *, as_json: bool) -> int:
    from api.cli.report.photos import Unread, read_each
    from api.cli.report.progress import with_bar
    from api.files.new_picture import PictureFileError

    show, code = _shown(as_json), 0
    try:
        for result in with_bar(read_each(_reader(), names, request, pictures), len(names)):
            show(result)
            code = UNREADABLE if isinstance(result, Unread) else code
    except PictureFileError as error:
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
