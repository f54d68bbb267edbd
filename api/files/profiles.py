"""The user's profiles of their own dice and dominoes: a file each in the data folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from api.files import private_file
from api.files.data_folder import data_folder
from vision.taught.pieces import InvalidProfile
from vision.taught.profile import Profile, read

_SUFFIX = ".json"


def read_named(path: Path, *, pictures: bool = False) -> Profile:
    """The profile in a file.

    Args:
        path: of the file.
        pictures: look at them, too, which takes longer.

    Raises:
        InvalidProfile: it is none; the message names the file.
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
    """There is no profile of that name; the message says which there are."""


class Profiles:
    """The profiles in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        """By default those of this user."""
        self.folder = folder or data_folder() / "profiles"

    def names(self) -> list[str]:
        """Of all profiles, in order."""
        return sorted(path.stem for path in self.folder.glob(f"*{_SUFFIX}"))

    def get(self, name: str, *, pictures: bool = False) -> Profile:
        """The profile of that name, or in that file; `pictures` as of `read_named`.

        Raises:
            NoProfile: there is none.
            InvalidProfile: it is damaged.
            OSError: it cannot be read.
        """
        path = self._file(name)
        if not path.is_file() and name.endswith(_SUFFIX):
            path = Path(name)
        if not path.is_file():
            known = f"Your profiles: {', '.join(self.names())}." if self.names() else "You have none yet."
            raise NoProfile(f"There is no profile {name}. {known} Make one with `muggins teach {name} PHOTO`.")
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
        """The profile of that name, or an empty one; raises as `get` does, but never `NoProfile`."""
        return read_named(self._file(name)) if self._file(name).is_file() else Profile(name)

    def put(self, profile: Profile) -> Path:
        """Keep a profile; one of the same name is replaced.

        Raises:
            OSError: it cannot be written.
        """
        path = self._file(profile.name)
        private_file.replace(path, profile.data)
        return path

    def delete(self, name: str) -> None:
        """Delete a profile.

        Raises:
            NoProfile: there is none.
            OSError: it cannot be deleted.
        """
        if not self._file(name).is_file():
            self.get(name if not name.endswith(_SUFFIX) else name.removesuffix(_SUFFIX))
        self._file(name).unlink()

    def _file(self, name: str) -> Path:
        if name.removesuffix(_SUFFIX) != name or not name:
            return self.folder / name
        return self.folder / f"{Profile(name).name}{_SUFFIX}"


__all__ = ["InvalidProfile", "NoProfile", "Profiles", "read_named"]
