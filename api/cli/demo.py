"""The command `muggins demo`: watches a film that comes with Muggins and compares the result with the game played.

The film and its record, `api/demo/game.mp4` and `game.jsonl`, are two of the files that
`python -m datasets.generate.clips --game` makes. To use others, copy them there: players and rules come from the record.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from api.cli.watch import FAILED, REFUSED, watch

if TYPE_CHECKING:
    from scorer.engine.game import Move
    from scorer.engine.record import Record

FILM = Path(__file__).parents[1] / "demo" / "game.mp4"
PLAYED = FILM.with_name("game.jsonl")
"""The record of the game in the film."""
EVENTS, RECORD, ANNOTATED, SUBTITLES = "rolls.jsonl", "game.jsonl", "annotated.mp4", "game.srt"
"""Names of the files it writes."""


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(demo)


def demo(
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Output folder; an unfinished demo there is resumed.")
    ] = Path("muggins-demo"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> None:
    """Watch Muggins follow a game of dice in a film that comes with it: no setup, no download.

    It produces what `muggins watch` produces for your film: rolls, record, subtitles and an annotated video.

    Then it compares its record with the game that was played; the exit code is 1 if they differ.
    """
    from api.files.record_file import RecordFile

    played = RecordFile.open(PLAYED).record
    _make(out)
    _say(f"{_headline(played)}. Muggins does not know what is thrown.")
    _watch(played, out, force=force)
    watched = RecordFile.open(out / RECORD).record
    differ = list(differences(played.moves, watched.moves))
    for each in differ:
        typer.echo(each)
    typer.echo(verdict(len(played.moves), len(differ)))
    _say(f"Open {out / ANNOTATED}. For your own film: muggins watch FILM --game {played.header.game}")
    raise typer.Exit(FAILED if differ else 0)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        _leave(REFUSED, f"{folder} exists and is not a folder. Choose another name for --out.")
    except OSError as error:
        _leave(FAILED, f"Cannot create the folder {folder}: {error.strerror or error}. Choose another with --out.")
    if not os.access(folder, os.W_OK | os.X_OK):
        _leave(FAILED, f"No permission to write to folder {folder}. Choose another with --out.")


def _headline(played: Record) -> str:
    from scorer.pieces.text import listed

    return f"A film of {played.game.title}, played by {listed(played.header.players)}"


def _watch(played: Record, out: Path, *, force: bool) -> None:
    """Watch the film as the command line would."""
    watch(
        str(FILM),
        game=played.header.game,
        players=",".join(played.header.players),
        rules=[f"{name}={value}" for name, value in played.header.rules.changed().items()],
        events=out / EVENTS,
        record=out / RECORD,
        out=out / ANNOTATED,
        subtitles=out / SUBTITLES,
        chapters=True,
        force=force,
    )


def differences(played: Sequence[Move], watched: Sequence[Move]) -> Iterator[str]:
    """Differences between the watched and the played game, one sentence each.

    Args:
        played: the moves of the game.
        watched: the moves read from its film.
    """
    compared = SequenceMatcher(None, played, watched, autojunk=False)
    for what, start, end, found_from, found_to in compared.get_opcodes():
        if what != "equal":
            yield f"Move {start + 1}: played {_quoted(played[start:end])}, watched {_quoted(watched[found_from:found_to])}."


def _quoted(moves: Sequence[Move]) -> str:
    return ", ".join(f'"{move}"' for move in moves) or "nothing"


def verdict(moves: int, differ: int) -> str:
    """A summary: the number of moves and of differences."""
    if not differ:
        return f"The record matches the game that was played: all {moves} moves."
    places = "one place" if differ == 1 else f"{differ} places"
    return f"The record differs from the game that was played in {places}, of {moves} moves."


def _say(text: str) -> None:
    from api.console import printable, say

    say(printable(text))


def _leave(code: int, message: str) -> NoReturn:
    _say(message)
    raise typer.Exit(code)
