"""The command `muggins evidence`: packs a game and its photos into a zip that anyone can verify."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from api.cli.profiles import own_profiles

if TYPE_CHECKING:
    from api.evidence.bundle import Evidence
    from scorer.engine.record import Record

FAILED, REFUSED = 1, 2
"""Exit codes: a file cannot be read or written; the record is not valid."""
_FRAME = re.compile(r"frame \d+")
"""How `muggins watch` names what it read."""


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
        _tell(target, left_out, lost, as_json=as_json)
        if left_out and not photos and not as_json:
            _say(_way_out(loaded, left_out))
    except RecordFileError as error:
        _leave(FAILED, str(error))
    except FileExistsError:
        _leave(FAILED, f"{target} already exists. Name another zip with --out, or delete that one.")
    except OSError as error:
        _leave(FAILED, f"Cannot use {error.filename or target}: {error.strerror or error}.")
    except UntrustedRecord as error:
        _leave(REFUSED, str(error))


def _way_out(record: Record, left_out: Collection[str]) -> str:
    """How to include the photos that were left out. `muggins watch` keeps none of a film; the server does of a camera."""
    from api.evidence.throws import lines_of

    readings = [line.entry.seen for line in lines_of(record) if line.entry.seen]
    frames = {each.get("sha256") for each in readings if _FRAME.fullmatch(str(each.get("photo")))}
    if frames.issuperset(left_out):
        return "This game was read from a film or camera, whose pictures are not kept. Hand over the film with the zip."
    return "To include photos, name their folder with --photos, and another zip with --out."


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


def _tell(target: Path, left_out: dict[str, str], lost: Sequence[str], *, as_json: bool) -> None:
    from json import dumps

    from api.console import printable

    if as_json:
        typer.echo(dumps({"zip": str(target), "left_out": left_out, "profiles_left_out": [*lost]}))
        return
    typer.echo(printable(f"Written: {target}"))
    for sha256, why in left_out.items():
        _say(f"Left out photo {sha256[:12]}…: {why}.")
    for sha256 in lost:
        text = "none of your profiles is what it was then. Name its file with --profile."
        _say(f"Left out profile {sha256[:12]}…: {text}")


def _say(text: str) -> None:
    from api.console import printable, say

    say(printable(text))


def _leave(exit_code: int, message: str) -> NoReturn:
    _say(message)
    raise typer.Exit(exit_code)
