"""What must not be lost when a server ends while a camera films: the rolls that wait, and the one seen last.

One small file for each game, in the folder of the store, replaced as a whole: after a crash it is the one before or after.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from api.files import private_file
from vision.watch.events import Roll

MOST_SOURCES = 20
"""Cameras whose own numbers are known at a time."""

FOLDER = "cameras"

log = logging.getLogger(__name__)


class QueueLost(Exception):  # noqa: N818 - named after what happened
    """What a camera has seen cannot be stored or read."""

    def __init__(self, path: Path, error: Exception) -> None:
        super().__init__("The server cannot store what the camera sees. Its owner has to look at the data folder.")
        log.error("%s: %s", path, error)


@dataclass(frozen=True, slots=True)
class WaitingRoll:
    """A roll that is not yet in the record.

    Attributes:
        roll: as it was seen; its number is that of the game's camera.
        reading: id of the stored reading.
        token: id of the token that brought it.
        asked: it was put to the players, so the next throw that one of them plays is this one.
        held: a move was taken back while it waited, so a player has to say whether it is still the next.
        confirmed: codes of the doubts that a player has settled with "yes".
    """

    roll: Roll
    reading: str
    token: str
    asked: bool = False
    held: bool = False
    confirmed: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        told = {
            "reading": self.reading,
            "token": self.token,
            "asked": self.asked,
            "held": self.held,
            "confirmed": sorted(self.confirmed),
        }
        return {"roll": self.roll.to_json(), **told}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What `to_json` gave."""
        roll = Roll.from_json(data["roll"])
        confirmed = frozenset(data["confirmed"])
        return cls(roll, data["reading"], data["token"], data["asked"], data["held"], confirmed)


@dataclass(frozen=True, slots=True)
class Queue:
    """The state of a game's camera.

    Attributes:
        last: the roll seen last, of which the next one is told apart.
        heard: moves of the record, undone ones and undoing lines too, that were compared with what waits.
        taken: the highest number of a roll taken from each camera, by the name of its program (empty: the server watches it);
            the last used is last.
        waiting: rolls in the order in which they fell.
    """

    last: Roll | None = None
    heard: int = 0
    taken: Mapping[str, int] = field(default_factory=dict)
    waiting: tuple[WaitingRoll, ...] = ()

    @property
    def next_number(self) -> int:
        """Of the next roll."""
        return self.last.number + 1 if self.last else 1

    def with_taken(self, source: str, number: int) -> Queue:
        """The same with a roll of this camera taken; beyond `MOST_SOURCES` the one unused for longest is forgotten."""
        others = {name: taken for name, taken in self.taken.items() if name != source}
        return replace(self, taken=dict([*others.items(), (source, number)][-MOST_SOURCES:]))

    def changed_first(self, **changes: Any) -> Queue:
        """The same with a change of the roll that waits first."""
        return replace(self, waiting=(replace(self.waiting[0], **changes), *self.waiting[1:]))

    def without_first(self) -> Queue:
        """The same without the roll that waits first."""
        return replace(self, waiting=self.waiting[1:])

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "last": self.last.to_json() if self.last else None,
            "heard": self.heard,
            "taken": dict(self.taken),
            "waiting": [each.to_json() for each in self.waiting],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What `to_json` gave."""
        last = Roll.from_json(data["last"]) if data["last"] else None
        waiting = tuple(map(WaitingRoll.from_json, data["waiting"]))
        return cls(last, data["heard"], data["taken"], waiting)


class QueueFile:
    """The file of one game. `queue` is what it holds."""

    def __init__(self, folder: Path, game_id: str) -> None:
        """Read the file, if there is one.

        Raises:
            QueueLost: it cannot be read, or was damaged.
        """
        self._path = folder / FOLDER / f"{game_id}.json"
        self.exists = self._path.exists()
        try:
            self.queue = Queue.from_json(json.loads(self._path.read_text("utf-8"))) if self.exists else Queue()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise QueueLost(self._path, error) from error

    def put(self, queue: Queue) -> None:
        """Store it; what was stored before stays if that fails.

        Raises:
            QueueLost: it cannot be written.
        """
        if queue == self.queue and self.exists:
            return
        try:
            private_file.replace(self._path, json.dumps(queue.to_json()).encode())
        except OSError as error:
            raise QueueLost(self._path, error) from error
        self.queue, self.exists = queue, True
