"""The command `muggins read`: reads photos and says what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from api.cli.profiles import own_profiles
from api.cli.questions import taking, value
from scorer.errors import ThrowError

if TYPE_CHECKING:
    from api.cli.report.lines import Show
    from api.interpret.score_request import ScoreRequest
    from models import Manifest
    from scorer.engine.parameters import Parameter
    from vision.reader import TableReader

DAMAGED = 1
"""Exit code when the networks are missing or damaged, or a picture could not be written."""
UNREADABLE = 2
"""Exit code when a photo could not be read."""


def _on_this_computer(path: Path | None) -> Path | None:
    from api.files.addresses import was_address

    if path is not None and was_address(path):
        raise typer.BadParameter("Results cannot be written to an address. Choose a file or folder on this computer.")
    return path


_GAME = typer.Option("--game", "-g", metavar="GAME")
_WITHOUT_GAME = {"-", "--json", "--annotated", "--profile", "--workers", "--cluster", "--out"}
"""Options that mean the same whatever the games are."""


def register(app: typer.Typer, arguments: Sequence[str] | None = None) -> None:
    """Add this command to the command `muggins`.

    `arguments`: those that it will be given, if known. If they name no game, it is added without the games' options: loading all
    games takes a fifth of the time of reading a photo.
    """
    plain = arguments is not None and _names_no_game(arguments)
    if not plain:
        from scorer.games.scoring import photographed

        _GAME.help = f"Score the photos for this game: {', '.join(photographed())}."
    app.command("read")(taking(() if plain else _options(), read))


def _names_no_game(arguments: Sequence[str]) -> bool:
    return {each.partition("=")[0] for each in arguments if each.startswith("-")} <= _WITHOUT_GAME


@cache
def _options() -> tuple[Parameter, ...]:
    from scorer.games.scoring import photographed, score_parameters

    return score_parameters(photographed())


def read(
    photos: Annotated[
        list[str],
        typer.Argument(metavar="PHOTO…", help="Photos or folders of photos; - takes one from standard input."),
    ],
    game: Annotated[str | None, _GAME] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An option of the game's rules, such as finish=61; repeatable. `muggins rules GAME` lists them.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON line per photo.")] = False,
    annotated: Annotated[
        Path | None,
        typer.Option(metavar="DIR", callback=_on_this_computer, help="Folder for annotated copies of the photos."),
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Your own dice or dominoes, from `muggins teach`; a name or a file; repeatable."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=256, help="Read with N processes, one core each.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Read on a Dask cluster; its scheduler, as tcp://HOST:8786.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            callback=_on_this_computer,
            help="Write results to FILE.jsonl or FILE.parquet instead; photos already read are skipped, those that could not be "
            "read are tried again.",
        ),
    ] = None,
    **told: Any,
) -> None:
    """Read the dice and dominoes in photos, and print what they are worth.

    The exit code is 2 if a photo could not be read; the others are still read.
    """
    checking = None if workers or cluster or out else _begin()
    from api.extras import MissingExtra
    from api.files.addresses import AddressError, photos_named

    if workers and cluster:
        raise typer.BadParameter("Use --workers (this machine) or --cluster, not both.")
    if json and out:
        raise typer.BadParameter("--json prints the results, and --out writes them to a file. Leave one of them out.")
    request = _question(game, tuple(rules or ()), told)
    try:
        names = photos_named(photos, skip=annotated)
        if workers or cluster or out:
            code = _read_many(names, request, profile or (), annotated, cluster or workers or 1, out, as_json=json)
        else:
            code = _read_all(_reader(profile or (), checking), names, request, annotated, as_json=json)
    except (AddressError, MissingExtra) as error:
        _leave(str(error))
    raise typer.Exit(code)


class _Checking(Thread):
    """Verifies the hashes of all networks while the code that runs them is imported."""

    def __init__(self, manifest: Manifest) -> None:
        super().__init__(name="checking networks")
        self._manifest = manifest
        self._error: Exception | None = None

    def run(self) -> None:
        """Verify the hashes."""
        from models import ModelError

        try:
            self._manifest.check()
        except ModelError as error:
            self._error = error

    def told(self) -> None:
        """Wait for the result.

        Raises:
            models.ModelError: a network file is missing or damaged.
        """
        self.join()
        if self._error is not None:
            raise self._error


def _begin() -> _Checking | None:
    """Start opening the first network that a photo needs, and verifying all: both take as long as importing the code.

    Returns:
        The verification; None if there is no list of networks.
    """
    from models import ModelError, load_manifest
    from vision.onnx_session import open_ahead

    with suppress(ModelError):  # reported by `_reader`
        manifest = load_manifest()
        open_ahead(manifest["detector"])
        checking = _Checking(manifest)
        checking.start()
        return checking
    return None


def _question(game: str | None, rules: tuple[str, ...], told: Mapping[str, Any]) -> ScoreRequest:
    from api.interpret.score_request import ScoreRequest

    try:
        return ScoreRequest(
            game, rules, {each.name: value(each, told[each.name]) for each in _options()} if told else {}
        )
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


def _read_many(
    names: list[str],
    request: ScoreRequest,
    profiles: Sequence[str],
    pictures: Path | None,
    by: int | str,
    out: Path | None,
    *,
    as_json: bool,
) -> int:
    """Read with a number of processes, or with the cluster at an address."""
    from api.cli.batch.output import OutputError
    from api.cli.batch.pool import ClusterError
    from api.cli.batch.run import run
    from api.cli.batch.task import Task
    from api.files.new_picture import PictureFileError
    from api.files.photo_paths import STDIN
    from models import ModelError
    from vision.taught.pieces import InvalidProfile

    if STDIN in names:
        raise typer.BadParameter(f"{STDIN} needs a single process; leave out --workers, --cluster and --out.")
    try:
        task = Task(request, tuple(own_profiles(profiles)), pictures)
        return UNREADABLE if run(names, task, by, out, _shown(as_json)).unread else 0
    except ModelError as error:
        _leave(error.message)
    except InvalidProfile as error:
        raise typer.BadParameter(str(error)) from error
    except (ClusterError, OutputError, PictureFileError) as error:
        _leave(str(error))


def _shown(as_json: bool) -> Show:
    if as_json:
        from api.cli.report.lines import show_json

        return show_json
    from api.cli.report.reading import for_people
    from api.console import terminal

    return for_people(terminal())


def _reader(profiles: Sequence[str], checking: _Checking | None) -> TableReader:
    from models import ModelError
    from vision.reader import TableReader

    try:
        reader = TableReader(checked=checking is None)
        if checking is not None:
            checking.told()
        return _knowing(reader, profiles) if profiles else reader
    except ModelError as error:
        _leave(error.message)


def _knowing(reader: TableReader, profiles: Sequence[str]) -> TableReader:
    from vision.taught.pieces import InvalidProfile

    try:
        return reader.knowing(own_profiles(profiles))
    except InvalidProfile as error:
        raise typer.BadParameter(str(error)) from error


def _leave(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(DAMAGED)
