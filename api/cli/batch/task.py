"""The work of a process that reads photos for a batch."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from api.cli.report.photos import Read, Unread, read_one
from api.interpret.score_request import ScoreRequest
from models import load_manifest
from vision.reader import TableReader
from vision.taught.profile import Profile
from vision.threads import limit_threads


@dataclass(frozen=True, slots=True)
class Done:
    """A photo that was read, or could not be.

    Attributes:
        result: its reading or error.
        seconds: from opening the photo to its worth, in the process that read it.
    """

    result: Read | Unread
    seconds: float

    @property
    def name(self) -> str:
        """The name of the photo, as requested."""
        return self.result.photo if isinstance(self.result, Unread) else self.result.answer.reading.photo


@dataclass(frozen=True, slots=True)
class Task:
    """How to read photos.

    Attributes:
        request: what to score them for.
        profiles: of people's own dice and dominoes.
        pictures: the folder for annotated copies.
    """

    request: ScoreRequest
    profiles: tuple[Profile, ...] = ()
    pictures: Path | None = None

    @property
    def settings(self) -> str:
        """A hash of the request and of what photos are read with: results may share a file if theirs are equal.

        As with the event log of `muggins watch`, the version of Muggins is not included: after an update in the middle of many
        photos a run continues with the results so far, unless networks changed. So the code that reads may differ.
        """
        options: Mapping[str, Any] = self.request.options
        told = {
            "game": self.request.game,
            "rules": self.request.rules,
            "options": {name: repr(value) for name, value in sorted(options.items())},
            "profiles": sorted(profile.sha256 for profile in self.profiles),
            "models": load_manifest().hashes,
        }
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


class Worker:
    """Reads photos of a task in this process; it opens the networks with the first. Thread-safe."""

    def __init__(self, task: Task) -> None:
        """Limit the networks to one thread: many small photos keep the cores busier side by side."""
        limit_threads(1)
        self._task = task
        self._opening = threading.Lock()

    def read(self, name: str) -> Done:
        """Read a photo; one that cannot be read is a result, too.

        Raises:
            models.ModelError: a network file is missing or damaged.
            InvalidProfile: a picture of a profile cannot be read.
            PictureFileError: an annotated copy cannot be written.
        """
        with self._opening:
            reader = self._reader
        began = time.perf_counter()
        result = read_one(reader, name, self._task.request, self._task.pictures)
        return Done(result, time.perf_counter() - began)

    @cached_property
    def _reader(self) -> TableReader:
        reader = TableReader()
        return reader.knowing(self._task.profiles) if self._task.profiles else reader
