"""Checks the photos: that they are those of the record, and that they are read as they were then."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from api.console import printable
from api.evidence.agreement import differences, moved, shows_another_table
from api.evidence.archive import InvalidArchive
from api.evidence.bundle import drawn, named, picture_name
from api.evidence.checks.budget import LONGEST_REASON
from api.evidence.checks.contents import Contents
from api.evidence.checks.drawings import check_pictures
from api.evidence.checks.profiles import ProfileCheck
from api.evidence.findings import Finding, Level
from api.evidence.place import without_place
from api.evidence.stored_readings import key_of
from api.evidence.throws import Line, lines_named, reading_of
from scorer.engine.expected import Expected
from vision.photo import DEFAULT_LIMITS, Photo, PhotoError, load
from vision.reader import TableReader, TiledReader
from vision.reading import Reading
from vision.taught.profile import Profile


@dataclass
class PhotoCheck:
    """The checks of all photos of a game, one after the other.

    Attributes:
        contents: of the zip.
        lines: of the record.
        pieces: of the game.
        reader: reads the photos again; None: skip that.
        profiles: that the photos were read with.
        deadline: by the monotonic clock, after which no further photo is looked at.
    """

    contents: Contents
    lines: Sequence[Line]
    pieces: Expected
    reader: TableReader | None
    profiles: ProfileCheck
    deadline: float
    _pixels: int = 0

    def findings(self) -> Iterator[Finding]:
        """What comes of all of them."""
        shown: dict[str, list[Line]] = {sha256: [] for sha256 in named(self.lines, self.contents.readings)}
        for line in self.lines:
            if line.photo:
                shown[line.photo].append(line)
        # A film has no photos to pack: that is said once, not of every roll.
        filmed = {sha256 for sha256, lines in shown.items() if self._is_left_film(sha256, lines)}
        if filmed:
            yield _of_a_film([line for sha256 in filmed for line in shown[sha256]])
        for sha256, lines in shown.items():
            if sha256 not in filmed:
                yield from self._photo(sha256, lines)
        yield from self._strays(shown)

    def _is_left_film(self, sha256: str, lines: Sequence[Line]) -> bool:
        """Whether it is a picture of a film that is, as always, not in the zip."""
        return bool(lines) and all(line.of_a_film for line in lines) and not self.contents.photo_name(sha256)

    def _strays(self, shown: Mapping[str, Sequence[Line]]) -> Iterator[Finding]:
        """Pictures that belong to no reading, or whose photo was taken out of the zip."""
        photos = {name for sha256 in shown if (name := self.contents.photo_name(sha256))}
        pictures = {
            picture_name(line.same_as): self.contents.photo_name(sha256)
            for sha256, lines in shown.items()
            for line in lines
        }
        for name in self.contents.archive.names:
            if not name.startswith(("photos/", "annotated/")) or name in photos or pictures.get(name):
                continue
            why = "was drawn from a photo that is missing" if name in pictures else "belongs to no photo of the record"
            yield Finding("wrong", "stray", f"{name} {why}.")

    def _photo(self, sha256: str, lines: Sequence[Line]) -> Iterator[Finding]:
        """What comes of one photo. Damage to it is its own gap, and nobody else's."""
        try:
            yield from self._photo_looked_at(sha256, lines)
        except InvalidArchive as error:
            yield Finding("wrong", error.code, str(error), lines[0].number if lines else 0)

    def _photo_looked_at(self, sha256: str, lines: Sequence[Line]) -> Iterator[Finding]:
        about = f"The photo {sha256[:12]}… of {lines_named(lines)}"
        first = lines[0].number if lines else 0
        name = self.contents.photo_name(sha256)
        if not name:
            why = self.contents.part("left_out").get(sha256)
            reason = f", which gives the reason: {printable(str(why)[:LONGEST_REASON])}" if why else ""
            yield Finding("warning", "no-photo", f"{about} is not in the zip{reason}.", first)
            return
        if time.monotonic() > self.deadline:
            text = f"{about} was not looked at: checking took more than {self.contents.budget.seconds:g} s."
            yield Finding("warning", "over-budget", text, first)
            return
        data = self.contents.archive.read(name)
        if hashlib.sha256(data).hexdigest() != sha256:
            yield Finding("wrong", "other-photo", f"{about} is a different photo: its hash does not match.", first)
            return
        try:
            yield from self._looked_at(about, data, lines)
        except PhotoError as error:
            yield Finding("wrong", "unreadable-photo", f"{about} cannot be read: {error.message}", first)

    def _looked_at(self, about: str, data: bytes, lines: Sequence[Line]) -> Iterator[Finding]:
        first = lines[0].number if lines else 0
        if without_place(data) != data:
            yield Finding("warning", "place", f"{about} contains metadata, perhaps its location.", first)
        photo = load(data, limits=replace(DEFAULT_LIMITS, max_pixels=self._pixels_left(data)))
        self._pixels += photo.width * photo.height
        yield from check_pictures(self.contents, photo, lines)
        self.profiles.compare(photo, lines, self.reader)
        if self.reader is None:
            yield Finding("warning", "not-read-again", f"{about} was not read again.", first)
            return
        looks = NewReadings(photo, self.reader, self.pieces, self.profiles.known)
        nearer = {line.number for line in lines if _is_second_look(line.entry.corrected)}
        for number, then in drawn(lines, photo.sha256):
            yield _read_again(number, then, looks.again(then, nearer=number in nearer))
        yield from self._unplayed_again(about, photo.sha256, lines, looks)

    def _unplayed_again(self, about: str, sha256: str, lines: Sequence[Line], looks: NewReadings) -> Iterator[Finding]:
        """What comes of the readings of a photo that no line was played from, each thing once: a closer look is one, too."""
        played = {key_of(line.entry.seen) for line in lines}
        told = set()
        for each in self.contents.readings:
            if each["photo"] != sha256 or key_of(each.get("reading")) in played:
                continue
            if kept := reading_of(each.get("reading")):
                finding = _kept_again(about, kept, looks.again(kept, nearer=_is_second_look(each)))
                if finding not in told:
                    told.add(finding)
                    yield finding

    def _pixels_left(self, data: bytes) -> int:
        """How many the next photo may have."""
        left = self.contents.budget.pixels - self._pixels
        return max(0, min(DEFAULT_LIMITS.max_pixels, left, self.contents.budget.density * len(data)))


@dataclass
class NewReadings:
    """New readings of a photo, at both magnifications, for the pieces of the game.

    The number of pieces expected at that moment raises doubts and changes nothing that is read.
    """

    photo: Photo
    reader: TableReader
    pieces: Expected
    profiles: Mapping[str, Profile]
    _made: dict[tuple[bool, tuple[str, ...]], Reading] = field(default_factory=dict)

    def again(self, then: Reading, *, nearer: bool) -> Reading:
        """Read it as it was read then: with the profiles that were known, from as near."""
        known = tuple(each for each in then.profiles.values() if each in self.profiles)
        if (nearer, known) not in self._made:
            reader = TiledReader() if nearer else self.reader
            taught = reader.knowing([self.profiles[each] for each in known]) if known else reader
            self._made[nearer, known] = taught.read(self.photo, self.pieces)
        return self._made[nearer, known]


def _is_second_look(beside: Mapping[str, Any] | None) -> bool:
    """Whether a reading is a closer one, by its notes in the record or list of readings."""
    return isinstance((beside or {}).get("again_of"), str)


def _of_a_film(lines: Sequence[Line]) -> Finding:
    count = len(lines)
    what = "1 move was" if count == 1 else f"{count} moves were"
    text = (
        f"{what} read from a film or camera, whose pictures are not in the zip. Compare with the film, or watch it "
        "again with muggins watch."
    )
    return Finding("warning", "no-photo", text, min(line.number for line in lines))


def _read_again(number: int, then: Reading, now: Reading) -> Finding:
    level, text = _compared(then, now)
    return Finding(level, "read-again", f"Line {number}: {text}", number)


def _kept_again(about: str, then: Reading, now: Reading) -> Finding:
    level, text = _compared(then, now)
    return Finding(level, "read-again", f"{about}: {text}")


def _compared(then: Reading, now: Reading) -> tuple[Level, str]:
    """A sure reading is wrong if the same networks are now sure of another one, or find none of its pieces again.

    Anything else is for a person to check: a reading in doubt may tip over on another computer.
    """
    otherwise = differences(then, now)
    if not otherwise and (count := moved(then, now)):
        return "warning", f"the photo is read as it was then, but {count} of the pieces lie elsewhere on it."
    if not otherwise:
        return "ok", "the photo is read as it was then."
    same_eyes = (dict(then.models), dict(then.profiles)) == (dict(now.models), dict(now.profiles))
    networks = "the same networks" if dict(then.models) == dict(now.models) else "other networks"
    if dict(then.profiles) != dict(now.profiles):
        networks += " without its profile"
    wrong = same_eyes and then.sure and (now.sure or shows_another_table(then, now))
    return "wrong" if wrong else "warning", f"read again by {networks}: {otherwise}."
