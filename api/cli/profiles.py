"""The commands `muggins profiles …`: list, show, share and delete what was taught."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.failures import FAILED, REFUSED, leave

if TYPE_CHECKING:
    from vision.taught.profile import Profile

_group = typer.Typer(help="List, show, share and delete your own dice and dominoes.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The profile's name.")]


def register(app: typer.Typer) -> None:
    """Add these commands to the command `muggins`."""
    app.add_typer(_group, name="profiles")


@_group.command("list")
def list_profiles() -> None:
    """List all profiles."""
    from rich.table import Table
    from rich.text import Text

    from api.console import printable, terminal
    from api.files.profiles import InvalidProfile, Profiles
    from api.interpret.teaching import sides_of
    from vision.taught.profile import missing

    kept, table = Profiles(), Table("Name", "Pieces", "Values", "Not shown yet", "Size")
    damaged = []
    with _reporting():
        for name in kept.names():
            try:
                profile = kept.get(name)
            except (InvalidProfile, OSError) as error:
                damaged.append((name, str(error)))
                continue
            values = ", ".join(sorted({piece.said for piece in profile.pieces}))
            left = "; ".join(map(sides_of, missing(profile)))
            cells = (name, str(len(profile.pieces)), values, left, f"{len(profile.data) / 1000:.0f} KB")
            table.add_row(*(Text(printable(cell)) for cell in cells))
    if table.row_count:
        terminal().print(table)
    elif not damaged:
        typer.echo("No profiles yet. Make one with `muggins teach NAME PHOTO`.")
    for name, why in damaged:
        typer.echo(f"{printable(why)} To delete it: muggins profiles delete {printable(name)!r}", err=True)
    if damaged:
        raise typer.Exit(REFUSED)


@_group.command("show")
def show(
    name: Name,
    picture: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a contact sheet of its pieces.")] = None,
) -> None:
    """Show what a profile was taught."""
    from api.console import printable
    from api.files.profiles import Profiles
    from api.interpret.teaching import not_shown
    from vision.taught.contact_sheet import contact_sheet

    if picture:
        check_picture(picture)
    with _reporting():
        profile = Profiles().get(name)
        for number, piece in enumerate(profile.pieces, 1):
            typer.echo(f"{number}: {printable(piece.said)} ({piece.kind})")
        if left := not_shown(profile):
            typer.echo(left)
        if picture:
            contact_sheet(profile).save(picture)
            typer.echo(f"Drawn: {printable(str(picture))}")


@_group.command("export")
def export(
    name: Name, file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; - for standard output.")]
) -> None:
    """Write a profile to a file that others can import."""
    from api.console import printable
    from api.files.profiles import Profiles

    with _reporting():
        data = Profiles().get(name).data
        if str(file) == "-":
            sys.stdout.buffer.write(data)
            return
        try:
            with file.open("xb") as new:
                new.write(data)
            typer.echo(f"Saved in {printable(str(file))}.")
        except FileExistsError:
            leave(FAILED, "file-error", f"{file} already exists. Name another file, or delete that one.", as_json=False)


@_group.command("import")
def import_(file: Annotated[Path, typer.Argument(metavar="FILE", help="An exported profile.")]) -> None:
    """Import a profile from a file. An existing profile of the same name is never replaced."""
    from api.console import printable
    from api.files.profiles import Profiles, read_named
    from api.interpret.teaching import counted

    with _reporting():
        kept, profile = Profiles(), read_named(file, pictures=True)
        if profile.name in kept.names():
            leave(
                REFUSED,
                "name-taken",
                f"A profile {profile.name} already exists. Delete it first: muggins profiles delete {profile.name!r}",
                as_json=False,
            )
        path = kept.put(profile)
        typer.echo(f"{printable(profile.name)}: {counted(profile)}, saved in {printable(str(path))}")


@_group.command("forget")
def forget(
    name: Name, number: Annotated[int, typer.Argument(metavar="PIECE", help="Its number, as in `show`.")]
) -> None:
    """Remove a piece that was taught wrongly."""
    from api.console import printable
    from api.files.profiles import Profiles
    from api.interpret.teaching import counted

    with _reporting():
        kept = Profiles()
        profile = kept.get(name, elsewhere=False)
        left = profile.without(number - 1)
        kept.put(left)
        said = profile.pieces[number - 1].said
        typer.echo(printable(f"Removed piece {number}: {said}. {left.name} knows {counted(left)} now."))


@_group.command("delete")
def delete(name: Name) -> None:
    """Delete a profile."""
    from api.console import printable
    from api.files.profiles import Profiles

    with _reporting():
        Profiles().delete(name)
        typer.echo(f"Deleted: {printable(name)}")


def check_picture(picture: Path) -> None:
    """Refuse a picture that cannot be written, before asking the user anything."""
    from PIL import Image

    if picture.suffix.lower() not in Image.registered_extensions():
        why = "the name must end as a picture's, as in .png."
    elif not picture.parent.is_dir():
        why = f"folder {picture.parent} does not exist. Create it first."
    elif picture.is_dir():
        why = "this is a folder. Name a file."
    else:
        return
    leave(FAILED, "file-error", f"--picture {picture}: {why}", as_json=False)


def own_profiles(names: Sequence[str]) -> list[Profile]:
    """The profiles named with --profile.

    Raises:
        typer.BadParameter: there is no such profile, or it cannot be read.
    """
    if not names:
        return []
    from api.files.profiles import InvalidProfile, NoProfile, Profiles

    try:
        return Profiles().get_all(names)
    except (NoProfile, InvalidProfile, OSError) as error:
        raise typer.BadParameter(str(error)) from error


@contextmanager
def _reporting() -> Iterator[None]:
    from api.files.profiles import NoProfile
    from vision.taught.pieces import InvalidProfile

    try:
        yield
    except (NoProfile, InvalidProfile) as error:
        leave(REFUSED, "no-profile", str(error), as_json=False)
    except OSError as error:
        leave(FAILED, "file-error", f"{error.filename or 'The profile'}: {error.strerror or error}.", as_json=False)
