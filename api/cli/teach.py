"""The command `muggins teach`: teaches Muggins people's own dice or dominoes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.failures import FAILED, REFUSED, leave
from api.cli.profiles import check_picture

if TYPE_CHECKING:
    from api.interpret.teaching import Shows
    from vision.candidate import Candidate
    from vision.detect.boxes import Detection
    from vision.photo import Photo
    from vision.reader import TableReader
    from vision.taught.labelling import Said
    from vision.taught.pieces import TaughtPiece
    from vision.taught.profile import Profile

_Look = tuple["Photo", "Sequence[Candidate]"]
"""A photo, and the candidates found in it."""


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command("teach")(teach)


def teach(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Your name for these dice or dominoes.")],
    photos: Annotated[list[str], typer.Argument(metavar="PHOTO…", help="Photos of them, one to ten.")],
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--values",
            metavar="VALUES",
            help="What the pieces of a photo show, in reading order: 6, 3-5, dragon=6, x for no piece, ? to leave one out. "
            "Once per photo; without it, Muggins asks.",
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="X,Y=VALUE",
            help="A piece Muggins missed: its middle in percent of the photo's width and height. One photo only; repeatable.",
        ),
    ] = None,
    d12: Annotated[bool, typer.Option("--d12", help="The dice have twelve sides.")] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the found pieces of the last photo with their numbers.")
    ] = None,
) -> None:
    """Teach Muggins your own dice or dominoes from a photo or two; `muggins read --profile NAME` then reads them."""
    from api.files.photo_paths import gather
    from api.files.profiles import Profiles
    from models import ModelError
    from vision.photo import PhotoError
    from vision.taught.pieces import InvalidProfile

    if picture:
        check_picture(picture)
    try:
        kept, found = Profiles(), gather(photos)
        _check_counts(found, values, at)
        for each in at or ():
            _place(each)
        lesson = _Lesson(_reader(), kept.find(name), d12=d12, picture=picture)
        # Unreadable photos are reported before the user is asked anything: answers would be lost.
        looks = [lesson.look(photo) for photo in found]
        for place, look in enumerate(looks):
            lesson.show(look, values[place] if values else None, at or ())
        # Read again: while the user answered, another command may have taught it more.
        profile = kept.find(name).with_pieces(lesson.taught)
        path = kept.put(profile)
        doubted = lesson.contradicted(profile)
    except typer.Abort:
        typer.echo("\nStopped: nothing was saved.", err=True)
        raise typer.Exit(FAILED) from None  # an Abort would also print "Aborted."
    except (InvalidProfile, PhotoError, ModelError) as error:
        leave(REFUSED, "not-taught", getattr(error, "message", str(error)), as_json=False)
    except OSError as error:
        leave(FAILED, "file-error", f"Cannot save the profile: {error.strerror or error}.", as_json=False)
    _tell(profile, path)
    _warn(profile, doubted)
    if lesson.undrawn:
        leave(FAILED, "file-error", f"Cannot draw the pieces in {picture}: {lesson.undrawn}.", as_json=False)


def _check_counts(found: Sequence[str], values: Sequence[str] | None, at: Sequence[str] | None) -> None:
    from vision.taught.pieces import InvalidProfile

    if values and len(values) != len(found):
        raise InvalidProfile(
            f"Photos: {len(found)}, but --values was given {'once' if len(values) == 1 else f'{len(values)} times'}. "
            "Give it once per photo."
        )
    if at and len(found) != 1:
        raise InvalidProfile("--at works with one photo only. Teach the others in a separate command.")


class _Lesson:
    """The photos of a lesson, shown one after the other."""

    def __init__(self, reader: TableReader, profile: Profile, *, d12: bool, picture: Path | None) -> None:
        from api.interpret.teaching import symbols_of

        self._reader, self._profile = reader, profile
        self._d12, self._picture = d12, picture
        self.taught: list[TaughtPiece] = []
        """The pieces that were taught."""
        self.undrawn = ""
        """Why the picture could not be written."""
        self._symbols = symbols_of(profile.pieces)

    def look(self, name: str) -> _Look:
        """The photo, with the candidates in it.

        Raises:
            PhotoError: it cannot be read.
        """
        from vision.levels import levelled

        photo = levelled(_loaded(name))
        return photo, self._reader.candidates(photo)

    def show(self, look: _Look, values: str | None, at: Sequence[str]) -> None:
        """Learn the values given for the pieces of a photo.

        Raises:
            InvalidProfile: the values do not fit the pieces, or the profile cannot hold so many.
        """
        from vision.taught.labelling import teachable

        photo, candidates = look
        found = teachable(candidates)
        self._draw(photo, [each.detection for each in found])
        said = self._said(photo, candidates, found, values) if found or values else []
        pieces = list(self._pieces(photo, candidates, found, said, at))
        if not pieces:
            raise _nothing(photo.name)
        self._profile = self._profile.with_pieces(pieces)
        self.taught += pieces

    def contradicted(self, profile: Profile) -> list[str]:
        """Values given for pieces of a profile where the networks are sure of another value."""
        return self._reader.knowing([profile]).contradicted

    def _said(
        self, photo: Photo, candidates: Sequence[Candidate], found: Sequence[Candidate], values: str | None
    ) -> list[Shows | None]:
        from api.interpret.teaching import all_shown

        if values is None:
            return [self._asked(photo, candidates, number, each) for number, each in enumerate(found, 1)]
        said = all_shown(values, len(found), self._symbols, twelve=self._d12)
        return [
            _checked(photo, candidates, number, piece, each)
            for number, (piece, each) in enumerate(zip(found, said, strict=True), 1)
        ]

    def _asked(self, photo: Photo, candidates: Sequence[Candidate], number: int, piece: Candidate) -> Shows | None:
        from api.console import printable
        from api.interpret.teaching import SKIP, remember, shows
        from vision.doubts import where
        from vision.taught.pieces import InvalidProfile

        (x, y), (height, width) = piece.detection.middle, photo.pixels.shape[:2]
        place = where(x / width, y / height)
        read = _read_as(piece)
        while True:
            word = typer.prompt(
                f"{printable(photo.name)}, piece {number}, {place}: what does it show?", default=read or SKIP
            )
            try:
                said = shows(word.strip(), self._symbols, twelve=self._d12)
                return remember(_checked(photo, candidates, number, piece, said), self._symbols)
            except InvalidProfile as error:
                typer.echo(str(error), err=True)

    def _pieces(
        self,
        photo: Photo,
        candidates: Sequence[Candidate],
        found: Sequence[Candidate],
        said: Sequence[Shows | None],
        at: Sequence[str],
    ) -> Iterator[TaughtPiece]:
        from vision.taught.labelling import Said, taught_from

        told = [
            Said(each.kind, each.shows, _middle(photo, piece.detection), each.symbol)
            for piece, each in zip(found, said, strict=True)
            if each
        ]
        told += [self._pointed(photo, each) for each in at]
        yield from taught_from(photo, candidates, told, self._reader.faces)

    def _pointed(self, photo: Photo, text: str) -> Said:
        from api.interpret.teaching import remember, shows
        from vision.taught.labelling import Said

        x, y, word = _place(text)
        each = remember(shows(word, self._symbols, twelve=self._d12), self._symbols)
        if each is None:
            raise _misplaced(text)
        return Said(each.kind, each.shows, (x / 100 * photo.width, y / 100 * photo.height), each.symbol)

    def _draw(self, photo: Photo, found: Sequence[Detection]) -> None:
        from vision.taught.contact_sheet import numbered

        if self._picture:
            try:
                numbered(photo, found).save(self._picture)
            except OSError as error:
                self.undrawn = error.strerror or str(error)


def _place(text: str) -> tuple[float, float, str]:
    """The place that `--at` names, in percent of the photo's width and height, and the value.

    Raises:
        InvalidProfile: it is not in this form.
    """
    place, _, word = text.partition("=")
    try:
        x, y = (float(n) for n in place.split(","))
    except ValueError:
        x = y = -1.0
    if not word or not (0 <= x <= 100 and 0 <= y <= 100):
        raise _misplaced(text)
    return x, y, word


def _misplaced(text: str) -> Exception:
    from vision.taught.pieces import InvalidProfile

    return InvalidProfile(
        f"--at {text}: write it as 40,65=6: percent from the left, percent from the top, and the value."
    )


def _loaded(name: str) -> Photo:
    from vision.photo import PhotoError, load

    try:
        return load(name, name=name)
    except PhotoError as error:
        raise PhotoError(error.code, f"{name}: {error.message}") from error


def _middle(photo: Photo, detection: Detection) -> tuple[float, float]:
    x, y = detection.middle
    return x * photo.scale, y * photo.scale


def _checked(
    photo: Photo, candidates: Sequence[Candidate], number: int, piece: Candidate, said: Shows | None
) -> Shows | None:
    """What was said of a piece, checked against its shape.

    Raises:
        InvalidProfile: a tile's value for a die, or the other way round.
    """
    from api.interpret.teaching import another_shape
    from vision.taught.labelling import is_another_shape

    if said and is_another_shape(photo, candidates, piece, said.kind):
        raise another_shape(number, said)
    return said


def _read_as(piece: Candidate) -> str:
    """The reading of a piece, as a person would write it; empty if it was read as nothing."""
    from vision.classify.tiles import TileFace

    if not piece.is_piece:
        return ""
    shown = piece.face.ranked[0][0]
    if isinstance(piece.face, TileFace):
        return "" if piece.face_down else "-".join(map(str, shown))  # type: ignore[arg-type]
    return str(shown)


def _warn(profile: Profile, doubted: Sequence[str]) -> None:
    from api.console import printable

    for text in doubted:
        typer.echo(f"Please look: {printable(text)}", err=True)
    if doubted:
        name = printable(profile.name)
        typer.echo(
            f"If that was a mistake: `muggins profiles show {name!r} --picture FILE` shows the pieces, "
            f"`muggins profiles forget {name!r} PIECE` removes one.",
            err=True,
        )


def _nothing(name: str) -> Exception:
    from vision.taught.pieces import InvalidProfile

    text = "Name its pieces with --values, or point at them with --at, as in --at 40,65=6."
    return InvalidProfile(f"{name} taught nothing: Muggins found no piece in it, or all were left out. {text}")


def _reader() -> TableReader:
    from vision.reader import TableReader

    return TableReader()


def _tell(profile: Profile, path: Path) -> None:
    from collections import Counter

    from api.console import printable
    from api.interpret.teaching import counted, not_shown

    counts = Counter(piece.said for piece in profile.pieces)
    shown = ", ".join(f"{said} ({count})" if count > 1 else said for said, count in sorted(counts.items()))
    typer.echo(f"{printable(profile.name)} knows {counted(profile)}: {printable(shown)}.")
    if left := not_shown(profile):
        typer.echo(left)
    typer.echo(
        f"Saved in {printable(str(path))}. Use it with: muggins read --profile {printable(profile.name)!r} PHOTO"
    )
