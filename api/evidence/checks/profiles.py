"""Checks the profiles of people's own dice that photos were read with: that they are those, and taught in this game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property

from api.console import printable
from api.evidence.archive import InvalidArchive
from api.evidence.bundle import known_profiles, named, profile_name
from api.evidence.checks.contents import Contents
from api.evidence.findings import Finding
from api.evidence.teaching import as_shown, lessons, says
from api.evidence.throws import Line
from vision.photo import Photo
from vision.reader import TableReader
from vision.taught.pieces import InvalidProfile, TaughtPiece
from vision.taught.profile import Profile


class ProfileCheck:
    """The checks of all profiles of a game.

    Args:
        contents: of the zip.
        lines: of the record.
    """

    def __init__(self, contents: Contents, lines: Sequence[Line]) -> None:
        self._contents, self._lines = contents, lines
        self._as_shown: set[TaughtPiece] = set()

    @cached_property
    def known(self) -> dict[str, Profile]:
        """The profiles in the zip that are what their names say, by SHA-256."""
        found = {}
        for sha256 in known_profiles(self._lines, self._contents.readings):
            with suppress(KeyError, InvalidArchive, InvalidProfile):
                profile = Profile.from_bytes(self._contents.archive.read(profile_name(sha256)))
                if profile.sha256 == sha256:
                    found[sha256] = profile
        return found

    def compare(self, photo: Photo, lines: Sequence[Line], reader: TableReader | None) -> None:
        """Note which of the pieces that were taught from this photo of these lines look as people corrected them on it."""
        self._as_shown.update(as_shown(self._taught_from(photo), lessons(lines), photo, reader))

    def findings(self) -> Iterator[Finding]:
        """What comes of all of them, after the photos were compared."""
        named_ones = known_profiles(self._lines, self._contents.readings)
        for sha256 in named_ones:
            profile = self.known.get(sha256)
            if profile is None and self._is_another_profile(sha256):
                text = f"The profile {sha256[:12]}… that photos were read with is another one: its hash does not match."
                yield Finding("wrong", "other-profile", text)
            elif profile is None:
                text = f"The profile {sha256[:12]}… that photos were read with is missing or damaged; they are read without it."
                yield Finding("warning", "no-profile", text)
            else:
                yield self._about_profile(profile)
        names = {profile_name(sha256) for sha256 in named_ones}
        for name in self._contents.archive.names:
            if name.startswith("profiles/") and name not in names:
                yield Finding("wrong", "stray", f"{name} belongs to no reading.")

    def _is_another_profile(self, sha256: str) -> bool:
        """Whether a file under the name of this profile is a sound profile, and not this one."""
        with suppress(KeyError, InvalidArchive, InvalidProfile):
            data = self._contents.archive.read(profile_name(sha256))
            # A later version may write more of a profile than is known here: then it is the file that has this hash.
            return sha256 not in (Profile.from_bytes(data).sha256, hashlib.sha256(data).hexdigest())
        return False

    def _taught_from(self, photo: Photo) -> list[TaughtPiece]:
        every = (piece for profile in self.known.values() for piece in profile.pieces)
        return [piece for piece in dict.fromkeys(every) if piece.photo == photo.sha256]

    def _about_profile(self, profile: Profile) -> Finding:
        about = f"Photos were read with the profile {printable(profile.name)}: {len(profile.pieces)} pieces"
        unproven = [piece for piece in profile.pieces if piece not in self._as_shown]
        if not unproven:
            return Finding("ok", "profile", f"{about} on photos that were corrected in this game.")
        return Finding("warning", "profile", f"{about}, {self._unproven(unproven)}. Look at what it was taught.")

    def _unproven(self, pieces: Sequence[TaughtPiece]) -> str:
        """Why it is not known that these pieces are what people corrected in this game, as a phrase."""
        photos = set(named(self._lines, self._contents.readings))
        if any(piece.photo not in photos for piece in pieces):
            return "not all from this game"
        said = {photo: lessons([line for line in self._lines if line.photo == photo]) for photo in photos}
        untold = [piece for piece in pieces if not any(says(each, piece) for each in said[piece.photo])]
        if untold:
            return f"and the record has no correction that says what {len(untold)} of them show"
        return f"and {len(pieces)} of them could not be found so on the photos"
