"""The user's profiles of their own dice and dominoes: one file each in the data folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

from api.files import private_file
from api.files.data_folder import data_folder
from vision.taught.pieces import InvalidProfile
from vision.taught.profile import Profile, read

_SUFFIX = ".json"


def read_named(path: Path, *, pictures: bool = False) -> Profile:
    """The profile in a file.

    Args:
        path: of the file.
        pictures: check its pictures, too, which takes longer.

    Raises:
        InvalidProfile: the file is not a profile; the message names it.
        OSError: the file cannot be read.
    """
    try:
        profile = read(path)
        for piece in profile.pieces if pictures else ():
            piece.pixels()
    except InvalidProfile as error:
        raise InvalidProfile(f"{path}: {error}") from error
    return profile


class NoProfile(Exception):  # noqa: N818 - it says what is missing
    """There is no profile of that name; the message lists the existing ones."""


class Profiles:
    """The profiles in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        """Open the folder; None: that of this user."""
        self.folder = folder or data_folder() / "profiles"

    def names(self) -> list[str]:
        """The names of all profiles, in order."""
        return sorted(path.stem for path in self.folder.glob(f"*{_SUFFIX}"))

    def get(self, name: str, *, pictures: bool = False, elsewhere: bool = True) -> Profile:
        """The profile with this name, or in this file. A saved one is also found by the name of its file.

        Args:
            name: of the profile, or of a file.
            pictures: as of `read_named`.
            elsewhere: also accept a file in another folder.

        Raises:
            NoProfile: there is none.
            InvalidProfile: it is damaged, or the name is not allowed.
            OSError: it cannot be read.
        """
        path = self._kept(name) or (Path(name) if elsewhere and name.endswith(_SUFFIX) else None)
        if path is None or not path.is_file():
            raise self._missing(name)
        return read_named(path, pictures=pictures)

    def get_all(self, names: Sequence[str]) -> list[Profile]:
        """The profiles of these names, with their pictures; raises as `get` does."""
        return [self.get(name, pictures=True) for name in dict.fromkeys(names)]

    def readable(self) -> list[Profile]:
        """All profiles that can be read; a damaged one is left out."""
        found = []
        for name in self.names():
            with suppress(InvalidProfile, OSError):
                found.append(self.get(name))
        return found

    def find(self, name: str) -> Profile:
        """The profile with this name, or an empty one; raises as `get` does, but never `NoProfile`."""
        path = self._kept(name)
        return read_named(path) if path else Profile(name)

    def put(self, profile: Profile) -> Path:
        """Save a profile, replacing one of the same name.

        Raises:
            OSError: it cannot be written.
        """
        path = self.folder / f"{profile.name}{_SUFFIX}"
        private_file.replace(path, profile.data)
        return path

    def delete(self, name: str) -> None:
        """Delete a saved profile; a file elsewhere is not touched.

        Raises:
            NoProfile: there is none.
            InvalidProfile: the name is not allowed.
            OSError: it cannot be deleted.
        """
        path = self._kept(name)
        if path is None:
            raise self._missing(name)
        path.unlink()

    def _kept(self, name: str) -> Path | None:
        """The file in the folder of the profile with this name, or else the file with this name."""
        files = {path.name: path for path in self.folder.glob(f"*{_SUFFIX}")}
        return files.get(f"{name}{_SUFFIX}") or files.get(name)

    def _missing(self, name: str) -> NoProfile | InvalidProfile:
        try:
            Profile(name)
        except InvalidProfile as error:
            return error
        known = f"Your profiles: {', '.join(self.names())}." if self.names() else "You have none yet."
        return NoProfile(f"There is no profile {name}. {known} Make one with `muggins teach {quote(name)} PHOTO`.")


__all__ = ["InvalidProfile", "NoProfile", "Profiles", "read_named"]
