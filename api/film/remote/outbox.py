"""The rolls that a server has not confirmed yet, on disk beside the event log: a folder with two files per roll.

A roll is stored here before it is in the event log, and removed once the server has taken or refused it. So after a watch has
ended, a roll that is here and in its log was not confirmed; one that is here and not in the log was not counted, and is found
again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from api.files.whole_file import replacing
from api.film.event_log import EventLogError
from vision.watch.events import Roll

_SUFFIX = ".unsent"


@dataclass(frozen=True, slots=True)
class Unsent:
    """A roll that a server has not confirmed.

    Attributes:
        game: the id of the game.
        camera: name under which it is sent: the server takes each number of a camera once.
        number: of the roll.
        frame: in which it was found.
        others: the server's last count of throws that others have played (`CameraStatus.others`).
        roll: as `api.http.cameras.schemas.SeenRoll`.
    """

    game: str
    camera: str
    number: int
    frame: int
    others: int
    roll: dict[str, Any]


class Outbox:
    """The folder of one event log. It exists only while it holds a roll."""

    def __init__(self, events: Path) -> None:
        """The folder's name is derived from the event log's."""
        self._folder = events.with_name(f"{events.name}{_SUFFIX}")

    def put(self, unsent: Unsent, photo: bytes) -> None:
        """Keep a roll and its photo; they are on disk when this returns.

        Raises:
            EventLogError: it cannot be written.
        """
        try:
            self._folder.mkdir(exist_ok=True)
            with replacing(self._photo(unsent.number)) as part:
                part.write_bytes(photo)
            with replacing(self._roll(unsent.number)) as part:
                part.write_text(json.dumps(asdict(unsent)), "utf-8")
        except OSError as error:
            text = f"Cannot keep roll {unsent.number} in {self._folder}: {error.strerror or error}."
            raise EventLogError(f"{text} Choose another place with --events.") from error

    def photo(self, number: int) -> bytes | None:
        """The photo of a stored roll; None: the file was removed."""
        try:
            return self._photo(number).read_bytes()
        except OSError:
            return None

    def drop(self, number: int) -> None:
        """Remove a roll; one that cannot be removed is sent once more, and the server does not take it twice."""
        with suppress(OSError):
            self._roll(number).unlink(missing_ok=True)
            self._photo(number).unlink(missing_ok=True)
            self._folder.rmdir()

    def unsent(self, rolls: Sequence[Roll]) -> list[Unsent]:
        """The stored rolls that are in the event log, in order; the others were not counted, and are removed."""
        counted = {(roll.number, roll.frame) for roll in rolls}
        kept = sorted((each for each in map(_read, self._folder.glob("*.json")) if each), key=lambda each: each.number)
        for each in kept:
            if (each.number, each.frame) not in counted:
                self.drop(each.number)
        return [each for each in kept if (each.number, each.frame) in counted]

    def _roll(self, number: int) -> Path:
        return self._folder / f"{number}.json"

    def _photo(self, number: int) -> Path:
        return self._folder / f"{number}.jpg"


def _read(path: Path) -> Unsent | None:
    """A stored roll; None: the file is not ours."""
    try:
        return Unsent(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None
