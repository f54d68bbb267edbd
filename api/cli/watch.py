"""The command `muggins watch`: reads rolls from a video or camera, and produces record, videos and subtitles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from api.cli.profiles import own_profiles
from scorer.games.registry import GAMES

if TYPE_CHECKING:
    from api.film.commentary import Commentary
    from api.film.input.timecode import Span
    from api.film.pipeline import Feeds, MakeCommentary, MakeWatcher, WatchOptions
    from api.film.reporter import Screen
    from scorer.engine.expected import Expected
    from vision.detect.boxes import Kind
    from vision.reader import TableReader
    from vision.taught.profile import Profile
    from vision.watch.events import Roll
    from vision.watch.watcher import Watcher

FAILED, REFUSED, STOPPED = 1, 2, 130
"""Exit codes: a file cannot be written or a network is damaged; the source or request is invalid; Ctrl-C."""
_PLAYERS = "Player 1,Player 2"
"""Default player names."""


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(watch)


def watch(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A video, a folder of pictures, a webcam number (0 is the first), or a URL that starts with "
            "rtsp:// or http:// (or rtsps://, https://).",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help=f"Track a game: one of {', '.join(GAMES)}.",
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="A,B", help="Names in table order, separated by commas.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", metavar="NAME=VALUE", help="An option of the game; repeatable."),
    ] = None,
    events: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Event log with rolls and state changes, one per line; an interrupted log is resumed. Default: "
            "SOURCE.rolls.jsonl, of a camera watched-TIME.rolls.jsonl.",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl", help="The game's record; choices the camera cannot see are inferred and marked."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.mp4", help="The video, annotated with pieces, rolls and score.")
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option(metavar="FILE.webm", help="A transparent overlay with the same annotations.")
    ] = None,
    subtitles: Annotated[Path | None, typer.Option(metavar="FILE.srt", help="The rolls as subtitles.")] = None,
    chapters: Annotated[
        bool, typer.Option("--chapters", help="One chapter per turn: in --out, or as text next to the event log.")
    ] = False,
    start: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="Start at this time: seconds, or mm:ss.")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", metavar="TIME", help="Stop at this time.")] = None,
    every: Annotated[int, typer.Option(min=1, metavar="N", help="Process every Nth frame.")] = 1,
    fps: Annotated[float, typer.Option(min=0.01, max=1000, help="Frames per second for a folder of pictures.")] = 30.0,
    serve: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            help="Feed a live game on a running server: a camera link, made under Share on its page, or the players' link.",
        ),
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Your own dice on the table: a profile's name or file; repeatable. See teach."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print events as JSON lines, for programs.")] = False,
) -> None:
    """Watch a filmed table: read each roll once it settles, track the game, and annotate the video.

    Nothing leaves this computer. A live camera is watched until Ctrl-C; a lost camera is reconnected.
    """
    from api.film.output.outputs import Outputs
    from api.film.pipeline import WatchOptions

    outputs = Outputs(record, out, overlay, subtitles, chapters, force)
    pieces = _pieces(game) if game else None
    options = WatchOptions(source, events, outputs, _span(start, to), every, fps, _kinds(pieces))
    own = _of_an_own_game(options, game, players, rules)
    if serve and own:
        text = f"--serve follows the game on the server. Leave out {' and '.join(own)}; its page saves the record."
        raise typer.BadParameter(text)
    if own and game is None:
        raise typer.BadParameter(f"{' and '.join(own)} {'need' if own[1:] else 'needs'} a game. Name it with --game.")
    read_with = _ReadWith(pieces, tuple(own_profiles(profile or ())))
    _run(options, _playing(options, game, players, tuple(rules or ())), read_with, serve, as_json=as_json)


def _span(start: str | None, to: str | None) -> Span:
    from api.film.input.timecode import Span, TimeError, moment

    try:
        return Span(moment(start) if start else 0.0, moment(to) if to else None)
    except TimeError as error:
        raise typer.BadParameter(str(error)) from error


def _of_an_own_game(
    options: WatchOptions, game: str | None, players: str | None, rules: Sequence[str] | None
) -> list[str]:
    """The given options that track a game here. Beside a server's game that would be a second one, with guesses of its own."""
    outputs = options.outputs
    given = {"--game": game, "--players": players, "--rules": rules, "--record": outputs.record}
    return [option for option, value in {**given, "--chapters": outputs.chapters}.items() if value]


def _playing(options: WatchOptions, game: str | None, players: str | None, rules: Sequence[str]) -> MakeCommentary:
    """Creates the commentary once the start time is known."""
    from api.film.commentary import Commentary

    if game is None:
        return lambda _: Commentary()
    from api.film.game_tracker import GameTracker
    from api.film.record_writer import RecordWriter
    from scorer.errors import ScorerError

    names = tuple(name.strip() for name in (players or _PLAYERS).split(","))

    def made(begun: str) -> Commentary:
        record = options.outputs.record
        kept = RecordWriter(record, begun, force=options.outputs.force) if record else None
        return Commentary(GameTracker(game, rules, names, begun), kept)

    try:
        GameTracker(game, rules, names, "")
    except ScorerError as error:
        _leave(REFUSED, error.message)
    return made


def _run(
    options: WatchOptions, playing: MakeCommentary, read_with: _ReadWith, link: str | None, *, as_json: bool
) -> None:
    from api.film.event_log import EventLogError, WrongEventLog
    from api.film.input.source import SourceError
    from api.film.output.outputs import InvalidOutput, OutputError
    from api.film.pipeline import run
    from api.film.remote.game_client import CannotJoin
    from models import ModelError
    from vision.taught.pieces import InvalidProfile

    screen = _screen(as_json=as_json)
    try:
        with ExitStack() as left:
            watcher: MakeWatcher = _watcher(read_with)
            feeder = None
            if link:
                options, watcher, feeder = _driving(link, options, read_with, screen, left)
            run(options, playing, watcher, _versions(read_with), screen, feeder)
    except (CannotJoin, InvalidProfile) as error:
        _leave(REFUSED, str(error))
    except (SourceError, ModelError) as error:
        _leave(REFUSED if isinstance(error, SourceError) else FAILED, error.message)
    except (OutputError, EventLogError) as error:
        _leave(REFUSED if isinstance(error, (InvalidOutput, WrongEventLog)) else FAILED, str(error))
    except KeyboardInterrupt:
        raise typer.Exit(STOPPED) from None


def _pieces(game: str) -> Expected:
    """The pieces the game is played with."""
    from scorer.errors import ScorerError
    from scorer.games.registry import game_named

    try:
        return game_named(game).pieces
    except ScorerError as error:
        _leave(REFUSED, error.message)


def _kinds(pieces: Expected | None) -> tuple[Kind, ...]:
    """The kinds of pieces to detect; all kinds without a game."""
    from vision.detect.boxes import KINDS

    return tuple(kind for kind in KINDS if pieces is None or kind in pieces.looked_for)


@dataclass(frozen=True, slots=True)
class _ReadWith:
    """What is known of the table: the pieces of the game, None without one, and profiles of people's own dice."""

    pieces: Expected | None
    profiles: tuple[Profile, ...]

    @property
    def reader(self) -> TableReader:
        """The reader that knows both."""
        from vision.reader import TableReader

        reader = TableReader(expected=self.pieces)
        return reader.knowing(self.profiles) if self.profiles else reader


def _watcher(read_with: _ReadWith) -> Callable[[Sequence[Roll]], Watcher]:
    from vision.watch.watcher import Watcher

    return lambda rolls: Watcher.resumed(read_with.reader, rolls)


def _driving(
    link: str, options: WatchOptions, read_with: _ReadWith, screen: Screen, left: ExitStack
) -> tuple[WatchOptions, MakeWatcher, Feeds]:
    """Create a watcher that detects only the pieces of the linked game, and the feeder for it; `left` disconnects the feeder."""
    from api.film.remote.background import BackgroundFeeder
    from api.film.remote.game_client import Link
    from api.film.remote.live_feeder import FeedingWatcher

    driver = left.enter_context(closing(BackgroundFeeder(Link.parse(link), screen.say)))
    pieces = driver.pieces
    watcher = _watcher(replace(read_with, pieces=pieces))

    def made(rolls: Sequence[Roll]) -> FeedingWatcher:
        return FeedingWatcher(watcher(rolls), driver)

    return replace(options, kinds=_kinds(pieces)), made, driver


def _versions(read_with: _ReadWith) -> dict[str, str]:
    import models
    from api.film.event_log import versions_of
    from api.version import VERSION

    own = {each.name: each.sha256 for each in read_with.profiles}
    return versions_of(VERSION, models.load_manifest().hashes, own)


def _screen(*, as_json: bool) -> Screen:
    from api.console import terminal
    from api.film.reporter import JsonReporter, Screen, TextReporter

    return Screen(JsonReporter() if as_json else TextReporter(terminal()))


def _leave(code: int, message: str) -> NoReturn:
    from api.console import printable

    typer.echo(printable(message), err=True)
    raise typer.Exit(code)
