"""The command `muggins evidence`: packs a game and its photos into a zip that anyone can verify."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from api.cli.profiles import own_profiles

if TYPE_CHECKING:
    from api.evidence.bundle import Evidence
    from scorer.engine.record import Record

FAILED, REFUSED = 1, 2
"""Exit codes: a file cannot be read or written; the record is not valid."""


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command()(evidence)


def evidence(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A game record, as written by play.")],
    photos: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder with its photos, under any names; subfolders are searched too."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="ZIP", help="The zip to write. Default: next to the record.")
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A profile that photos were read with; repeatable. Your saved profiles are always included.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Pack a record, its photos and a readable report into one zip; `muggins verify` checks it.

    It is not signed: only the server that hosted the game can do that.
    """
    from api.evidence.bundle import Evidence, known_profiles
    from api.evidence.throws import lines_of
    from api.files.profiles import Profiles
    from api.files.record_file import RecordFile, RecordFileError, UntrustedRecord

    target = out or record.with_name(f"{record.stem}-evidence.zip")
    try:
        loaded = RecordFile.open(record).record
        profiles = {each.sha256: each.data for each in [*Profiles().readable(), *own_profiles(profile or ())]}
        left_out = _written(target, Evidence(loaded, profiles=profiles), photos)
        lost = [each for each in known_profiles(lines_of(loaded), ()) if each not in profiles]
        if as_json:
            _tell_json(target, left_out, lost)
        else:
            _tell(target, loaded, left_out, lost, searched=photos is not None)
    except RecordFileError as error:
        _leave(FAILED, str(error))
    except FileExistsError:
        _leave(FAILED, f"{target} already exists. Name another zip with --out, or delete that one.")
    except OSError as error:
        _leave(FAILED, f"Cannot use {error.filename or target}: {error.strerror or error}.")
    except UntrustedRecord as error:
        _leave(REFUSED, str(error))


def _written(target: Path, evidence: Evidence, folder: Path | None) -> dict[str, str]:
    """List the photos left out, and why."""
    from dataclasses import replace

    from api.evidence.bundle import named, write
    from api.evidence.photo_folder import FolderPhotos
    from api.evidence.throws import lines_of

    if folder:
        evidence = replace(evidence, photos=FolderPhotos(folder, named(lines_of(evidence.record), ())))
    with target.open("xb") as file:
        try:
            return write(evidence, file)
        except BaseException:
            target.unlink()
            raise


def _tell_json(target: Path, left_out: dict[str, str], lost: Sequence[str]) -> None:
    from json import dumps

    typer.echo(dumps({"zip": str(target), "left_out": left_out, "profiles_left_out": [*lost]}))


def _tell(target: Path, record: Record, left_out: dict[str, str], lost: Sequence[str], *, searched: bool) -> None:
    from api.console import printable
    from api.evidence.throws import lines_of

    typer.echo(printable(f"Written: {target}"))
    frames = {line.photo for line in lines_of(record) if line.of_a_film}
    photos = {sha256: why for sha256, why in left_out.items() if sha256 not in frames}
    for sha256, why in photos.items():
        _say(f"Left out photo {sha256[:12]}…: {why}.")
    for sha256 in lost:
        text = "none of your profiles is what it was then. Name its file with --profile."
        _say(f"Left out profile {sha256[:12]}…: {text}")
    if frames & left_out.keys():
        _say("This game was read from a film or camera, whose pictures are not kept. Hand over the film with the zip.")
    if photos and not searched:
        _say("To include photos, name their folder with --photos, and another zip with --out.")


def _say(text: str) -> None:
    from api.console import printable, say

    say(printable(text))


def _leave(exit_code: int, message: str) -> NoReturn:
    _say(message)
    raise typer.Exit(exit_code)
