"""What must not be lost when a server ends while a camera films: the waiting rolls, and the last one seen.

Each game has a row in the store's database, replaced as a whole: after a crash it is the version before or after, and of two
servers that change it the second has to read it again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self

from api.store import Conflict, Store
from vision.watch.events import Roll

MOST_SOURCES = 20
"""Cameras whose own roll numbers are remembered."""

EARLIER_FOLDER = "cameras"
"""Folder in the data folder with a file for each game, as version 0.1 stored it."""
_KEPT_SENTENCES = 50

log = logging.getLogger(__name__)


class QueueLost(Exception):  # noqa: N818 - named after what happened
    """What a camera has seen cannot be read."""

    def __init__(self, what: object, error: Exception) -> None:
        super().__init__("The server cannot read what the camera has seen. Its owner has to look at the data folder.")
        log.error("%s: %s", what, error)


class QueueMoved(Exception):  # noqa: N818 - named after what happened
    """Another server has changed the queue since it was read; nothing was stored."""


Kind = Literal["check", "choice"]


@dataclass(frozen=True, slots=True)
class Ask:
    """Why the first roll waits.

    Attributes:
        kind: "check": look at the picture; "choice": the choice open in the game comes first.
        code: stable kebab-case name of the reason.
        text: a sentence for the players.
        may_confirm: "yes" plays it.
    """

    kind: Kind
    code: str
    text: str
    may_confirm: bool

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {"kind": self.kind, "code": self.code, "text": self.text, "may_confirm": self.may_confirm}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return cls(data["kind"], data["code"], data["text"], data["may_confirm"])


@dataclass(frozen=True, slots=True)
class WaitingRoll:
    """A roll that is not yet in the record.

    Attributes:
        roll: as it was seen; its number is that of the game's camera.
        reading: id of the stored reading.
        token: id of the token that sent it.
        asked: it was put to the players, so the next throw that one of them plays is this one.
        held: a move was undone while it waited, so a player has to say whether it is still the next.
        late: others played before it arrived, so a player has to say whether it is still the next.
        confirmed: codes of the doubts that a player has settled with "yes".
    """

    roll: Roll
    reading: str
    token: str
    asked: bool = False
    held: bool = False
    late: bool = False
    confirmed: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        told = {
            "reading": self.reading,
            "token": self.token,
            "asked": self.asked,
            "held": self.held,
            "late": self.late,
            "confirmed": sorted(self.confirmed),
        }
        return {"roll": self.roll.to_json(), **told}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        roll = Roll.from_json(data["roll"])
        marks = data["asked"], data["held"], data.get("late", False)
        return cls(roll, data["reading"], data["token"], *marks, frozenset(data["confirmed"]))


@dataclass(frozen=True, slots=True)
class Queue:
    """The state of a game's camera.

    Attributes:
        last: the last roll seen, from which the next one is distinguished.
        heard: entries of the record, undone ones and undos included, that were compared with what waits.
        taken: the highest number of a roll taken from each camera that numbers its rolls itself, by the name of its program;
            the last used is last.
        waiting: rolls in the order in which they fell.
        ask: why the first of them waits, once that is known.
        said: the latest sentences, numbered from 1.
        camera: random name of the phone's camera that films; empty: none has.
        others: counts throws that did not come from the camera, rolls after those of another one, and moves undone.
    """

    last: Roll | None = None
    heard: int = 0
    taken: Mapping[str, int] = field(default_factory=dict)
    waiting: tuple[WaitingRoll, ...] = ()
    ask: Ask | None = None
    said: tuple[tuple[int, str], ...] = ()
    camera: str = ""
    others: int = 0

    @property
    def news(self) -> tuple[Any, ...]:
        """What phones are notified of at once if it changes: how many rolls wait, the question, and who films."""
        return len(self.waiting), self.ask, self.camera

    @property
    def next_number(self) -> int:
        """The number of the next roll."""
        return self.last.number + 1 if self.last else 1

    def with_taken(self, source: str, number: int) -> Queue:
        """The queue with a roll of this camera taken; beyond `MOST_SOURCES` the least recently used camera is forgotten."""
        others = {name: taken for name, taken in self.taken.items() if name != source}
        another = next(reversed(list(self.taken)), source) != source
        taken = dict([*others.items(), (source, number)][-MOST_SOURCES:])
        return replace(self, taken=taken, others=self.others + another)

    def with_another(self) -> Queue:
        """The queue after a throw that did not come from the camera, or an undo."""
        return replace(self, others=self.others + 1)

    def changed_first(self, **changes: Any) -> Queue:
        """The queue with a change of the first waiting roll; why it waits has to be determined again."""
        return replace(self, waiting=(replace(self.waiting[0], **changes), *self.waiting[1:]), ask=None)

    def without_first(self) -> Queue:
        """The queue without the first waiting roll."""
        return replace(self, waiting=self.waiting[1:], ask=None)

    def saying(self, text: str) -> Queue:
        """The queue with one more sentence."""
        number = self.said[-1][0] + 1 if self.said else 1
        return replace(self, said=(*self.said, (number, text))[-_KEPT_SENTENCES:])

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "last": self.last.to_json() if self.last else None,
            "heard": self.heard,
            # A list, since its order matters and databases do not keep the order of objects.
            "taken": [list(each) for each in self.taken.items()],
            "waiting": [each.to_json() for each in self.waiting],
            "ask": self.ask.to_json() if self.ask else None,
            "said": [list(each) for each in self.said],
            "camera": self.camera,
            "others": self.others,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        last = Roll.from_json(data["last"]) if data["last"] else None
        waiting = tuple(map(WaitingRoll.from_json, data["waiting"]))
        # Version 0.1 had an object here, and none of the other keys.
        taken, asked = data["taken"], data.get("ask")
        said = tuple((number, text) for number, text in data.get("said", ()))
        ask = Ask.from_json(asked) if asked else None
        return cls(last, data["heard"], dict(taken), waiting, ask, said, data.get("camera", ""), data.get("others", 0))


class StoredQueue:
    """The queue of one game in the store. `queue` is as last read or stored here."""

    def __init__(self, store: Store, game_id: str, folder: Path) -> None:
        """Read the queue, if there is one.

        Args:
            store: of the games.
            game_id: of the game.
            folder: the data folder, where an earlier version may have left a queue.

        Raises:
            QueueLost: it was damaged, or its earlier file cannot be read.
            StoreError: "database-trouble".
        """
        self._store, self._id = store, game_id
        self._version = 0
        self.queue = Queue()
        if not self._loaded():
            self._take_over(folder / EARLIER_FOLDER / f"{game_id}.json")

    @property
    def exists(self) -> bool:
        """Whether it was ever stored."""
        return self._version > 0

    def refresh(self) -> None:
        """Read it again if another server has changed it.

        Raises:
            QueueLost: it was damaged.
            StoreError: "database-trouble".
        """
        if self._store.cameras.version(self._id) != self._version:
            self._loaded()

    def put(self, queue: Queue) -> None:
        """Store it; what was stored before stays if that fails.

        Raises:
            QueueMoved: another server has changed it since it was read.
            StoreError: "database-trouble".
        """
        if queue == self.queue and self.exists:
            return
        announced = queue.news != self.queue.news
        try:
            self._version = self._store.cameras.put(self._id, self._version, queue.to_json(), announced=announced)
        except Conflict as error:
            raise QueueMoved from error
        self.queue = queue

    def _loaded(self) -> bool:
        """Read the queue from the store; returns whether there is one."""
        stored = self._store.cameras.get(self._id)
        if stored is None:
            return False
        try:
            self._version, self.queue = stored[0], Queue.from_json(stored[1])
        except (ValueError, KeyError, TypeError) as error:
            raise QueueLost(f"camera of {self._id}", error) from error
        return True

    def _take_over(self, earlier: Path) -> None:
        """Store the queue that an earlier version left in a file."""
        if not earlier.exists():
            return
        try:
            self.put(Queue.from_json(json.loads(earlier.read_text("utf-8"))))
        except QueueMoved:
            self._loaded()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise QueueLost(earlier, error) from error
