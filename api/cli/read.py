"""The command `muggins read`: reads photos and says what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from api.cli.questions import taking, value
from scorer.errors import ThrowError
from scorer.games.scoring import photographed, score_parameters

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
    app.command("read")(taking(_OPTIONS, read))


_OPTIONS = score_parameters(photographed())


def read(
    photos: Annotated[
        list[str],
        typer.Argument(metavar="PHOTO…", help="Photos or folders of photos; - takes one from standard input."),
    ],
    game: Annotated[
        str | None, typer.Option("--game", "-g", metavar="GAME", help=f"Score the photos for this game: {_GAMES}.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An option of the game's rules, such as finish=61; repeatable. `muggins rules GAME` lists them.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON line per photo.")] = False,
    annotated: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for annotated copies of the photos.")
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Your own dice or dominoes, from `muggins teach`; a name or a file; repeatable."
        ),
    ] = None,
    **told: Any,
) -> None:
    """Read the dice and dominoes in photos, and print what they are worth.

    The exit code is 2 if a photo could not be read; the others are still read.
    """
    from api.files.photo_paths import gather

    request = _question(game, tuple(rules or ()), told)
    raise typer.Exit(
        _read_all(_reader(profile or ()), gather(photos, skip=annotated), request, annotated, as_json=json)
    )


def _question(game: str | None, rules: tuple[str, ...], told: Mapping[str, Any]) -> ScoreRequest:
    from api.interpret.score_request import ScoreRequest

    try:
        return ScoreRequest(game, rules, {each.name: value(each, told[each.name]) for each in _OPTIONS})
    except ThrowError as error:
        raise typer.BadParameter(str(error)) from error


def _read_all(
    reader: TableReader, names: list[str], request: ScoreRequest, pictures: Path | None, *, as_json: bool
) -> int:
    from api.cli.report.photos import Unread, read_each
    from api.cli.report.progress import with_bar
    from api.files.new_picture import PictureFileError

    show, code = _shown(as_json), 0
    try:
        for result in with_bar(read_each(reader, names, request, pictures), len(names)):
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


def _reader(profiles: Sequence[str]) -> TableReader:
    from api.files.profiles import InvalidProfile, NoProfile, Profiles
    from models import ModelError
    from vision.reader import TableReader

    try:
        reader = TableReader()
        return reader.knowing(Profiles().get_all(profiles)) if profiles else reader
    except ModelError as error:
        _leave(error.message)
    except (NoProfile, InvalidProfile, OSError) as error:
        raise typer.BadParameter(str(error)) from error


def _leave(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(DAMAGED)
