"""Reads photos with any engine: results in the order of the names, with a few in memory at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Protocol

from api.cli.batch.task import Done
from api.cli.report.photos import Unread
from vision.photo import PhotoError

ATTEMPTS = 3
"""How often a photo is given to a new process after the one that read it has died."""


class ClusterError(Exception):
    """The cluster cannot be reached, has no workers, or was lost; the message says what to do."""


class Pool(AbstractContextManager["Pool"], Protocol):
    """Reads photos in other processes; leaving it ends what it started."""

    @property
    def at_once(self) -> int:
        """Photos in progress at a time: enough that no process waits for the slowest."""

    def submit(self, name: str) -> Future[Done]:
        """Start reading a photo."""


def read_all(pool: Pool, names: Iterable[str]) -> Iterator[Done]:
    """The results of all photos, in order.

    Raises:
        ClusterError: the cluster was lost.
        models.ModelError: a network file is missing or damaged.
        InvalidProfile: a picture of a profile cannot be read.
        PictureFileError: an annotated copy cannot be written.
    """
    waiting: deque[Future[Done]] = deque()
    for name in names:
        waiting.append(pool.submit(name))
        if len(waiting) >= pool.at_once:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def fatal(name: str) -> Done:
    """The result of a photo on which every process died."""
    message = (
        f"The process reading this photo ended {ATTEMPTS} times. Save the photo as an ordinary JPEG and try again."
    )
    return Done(Unread(name, PhotoError("too-costly", message)), 0.0)
