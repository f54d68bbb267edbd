"""The command `muggins watch`: rolls in a video or before a camera, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from api.film.commentary import Playing
    from api.film.input.timecode import Span
    from api.film.pipeline import Asked, MakePlaying, MakeWatcher
    from api.film.reporter import Screen
    from scorer.engine.expected import Expected
    from vision.detect.boxes import Kind
    from vision.watch.events import Roll
    from vision.watch.watcher import Watcher

FAILED, REFUSED, STOPPED = 1, 2, 130
"""Exit codes: the disk would not, or a network is damaged; the source or what is asked for cannot be had; Ctrl-C."""
_PLAYERS = "Player 1,Player 2"
"""Where nobody says who plays."""


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
    app.command()(watch)


def watch(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A video, a folder of pictures, the number of a webcam (0 is the first), or an address that begins with "
            "rtsp:// or http://.",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game", "-g", metavar="GAME", help="Play along: crib-dice, cribbage-dice, farkle-crib or domino-cribbage."
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="A,B", help="Names in table order, joined by commas.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", metavar="NAME=VALUE", help="An option of the game; give it once for each."),
    ] = None,
    events: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where rolls and changes of state go, a line each; if that was interrupted, it is gone on with. Without it: "
            "SOURCE.rolls.jsonl.",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="The game's record; choices that nobody saw are inferred, and marked."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.mp4", help="The video with pieces, rolls and score drawn on it.")
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option(metavar="FILE.webm", help="The same without the video, transparent, to lay over it.")
    ] = None,
    subtitles: Annotated[Path | None, typer.Option(metavar="FILE.srt", help="The rolls as subtitles.")] = None,
    chapters: Annotated[
        bool, typer.Option("--chapters", help="A chapter a turn: in --out, or as text beside the events.")
    ] = False,
    start: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="Watch from there on: seconds, or like 1:35.")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", metavar="TIME", help="Watch up to there.")] = None,
    every: Annotated[int, typer.Option(min=1, metavar="N", help="Look at every Nth frame only.")] = 1,
    fps: Annotated[float, typer.Option(min=0.01, max=1000, help="Pictures a second, of a folder.")] = 30.0,
    serve: Annotated[
        str | None,
        typer.Option(
            metavar="LINK", help="Drive a game on a running server: the link for players, as its page has it to copy."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the events as lines of JSON, for programs.")] = False,
) -> None:
    """Watch a filmed table: read every roll once, when it has settled, keep the game, and draw it over the video.

    Nothing leaves this computer. A camera is watched until Ctrl-C; one that drops out is waited for.
    """
    from api.film.output.outputs import Outputs
    from api.film.pipeline import Asked

    outputs = Outputs(record, out, overlay, subtitles, chapters, force)
    pieces = _pieces(game) if game else None
    asked = Asked(source, events, outputs, _span(start, to), every, fps, _sought(pieces))
    _check(asked, game)
    _run(asked, _playing(asked, game, players, tuple(rules or ())), pieces, serve, as_json=as_json)


def _span(start: str | None, to: str | None) -> Span:
    from api.film.input.timecode import Span, TimeError, moment

    try:
        return Span(moment(start) if start else 0.0, moment(to) if to else None)
    except TimeError as error:
        raise typer.BadParameter(str(error)) from error


def _check(asked: Asked, game: str | None) -> None:
    """What belongs to a game needs one."""
    named = {"--record": asked.outputs.record, "--chapters": asked.outputs.chapters}
    if game is None and (without := [option for option, wanted in named.items() if wanted]):
        raise typer.BadParameter(f"{' and '.join(without)} need a game: name it with --game.")


def _playing(asked: Asked, game: str | None, players: str | None, rules: Sequence[str]) -> MakePlaying:
    """What plays along, once it is known when the watching began."""
    from api.film.commentary import Playing

    if game is None:
        return lambda _: Playing()
    from api.film.game_tracker import Along
    from api.film.record_writer import KeptRecord
    from scorer.errors import ScorerError

    names = tuple(name.strip() for name in (players or _PLAYERS).split(","))

    def made(begun: str) -> Playing:
        record = asked.outputs.record
        kept = KeptRecord(record, begun, force=asked.outputs.force) if record else None
        return Playing(Along(game, rules, names, begun), kept)

    try:
        Along(game, rules, names, "")
    except ScorerError as error:
        _leave(REFUSED, error.message)
    return made


def _run(asked: Asked, playing: MakePlaying, pieces: Expected | None, link: str | None, *, as_json: bool) -> None:
    from api.film.event_log import EventsTrouble, OtherEvents
    from api.film.input.source import SourceError
    from api.film.output.outputs import BadOutput, OutputTrouble
    from api.film.pipeline import run
    from api.film.remote.game_client import NoSeat
    from models import ModelError

    screen = _screen(as_json=as_json)
    try:
        asked, watcher = _driving(link, asked, screen) if link else (asked, _watcher(pieces))
        run(asked, playing, watcher, _versions(), screen)
    except NoSeat as error:
        _leave(REFUSED, str(error))
    except (SourceError, ModelError) as error:
        _leave(REFUSED if isinstance(error, SourceError) else FAILED, error.message)
    except (OutputTrouble, EventsTrouble) as error:
        _leave(REFUSED if isinstance(error, (BadOutput, OtherEvents)) else FAILED, str(error))
    except KeyboardInterrupt:
        raise typer.Exit(STOPPED) from None


def _pieces(game: str) -> Expected:
    from scorer.games.scoring import ThrowError, pieces_of

    try:
        return pieces_of(game)
    except ThrowError as error:
        _leave(REFUSED, error.message)


def _sought(pieces: Expected | None) -> tuple[Kind, ...]:
    """The kinds of piece that the game is played with; all, where none is named."""
    from vision.detect.boxes import KINDS

    return tuple(kind for kind in KINDS if pieces is None or kind in pieces.looked_for)


def _watcher(pieces: Expected | None) -> Callable[[Sequence[Roll]], Watcher]:
    from vision.reader import TableReader
    from vision.watch.watcher import Watcher

    return lambda rolls: Watcher.resumed(TableReader(expected=pieces), rolls)


def _driving(link: str, asked: Asked, screen: Screen) -> tuple[Asked, MakeWatcher]:
    """Makes the watcher whose rolls drive the game that the link leads to, and looks for the pieces of that."""
    from api.film.remote.game_client import Link
    from api.film.remote.live_feeder import Driven, Driver

    driver = Driver(Link.parse(link), screen.say)
    pieces = driver.record.game.pieces
    asked, watcher = replace(asked, sought=_sought(pieces)), _watcher(pieces)
    return asked, lambda rolls: Driven(watcher(rolls), driver)


def _versions() -> dict[str, str]:
    import models
    from api.version import VERSION

    return {"muggins": VERSION, **models.load_manifest().hashes}


def _screen(*, as_json: bool) -> Screen:
    from rich.console import Console

    from api.film.reporter import ForPeople, ForPrograms, Screen

    return Screen(ForPrograms() if as_json else ForPeople(Console(highlight=False)))


def _leave(code: int, message: str) -> NoReturn:
    from api.console import printable

    typer.echo(printable(message), err=True)
    raise typer.Exit(code)
