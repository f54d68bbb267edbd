"""The desk that reads photos: whose turn it is, and cancellation when a sender disconnects."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Request

from api.http.worker.fair_queue import FairQueue
from api.http.worker.process import Budget, WorkerProcess
from api.http.worker.watching import Watched
from scorer.engine.expected import Expected
from vision.photo import Limits
from vision.reading import Reading
from vision.taught.labelling import Said
from vision.taught.pieces import TaughtPiece

KEPT_AS = "photo"
"""The name of every photo of a game in its readings: people's file names are not for everybody who sees the game."""
_GLANCE = 0.25
"""Seconds between two checks whether the sender is still connected."""
_SOON = 1.0
"""Seconds that a reading may go on once its sender has disconnected,"""
_LATER = 10.0
"""and where a camera's frame was processed within as many seconds: a worker that is killed loses what it knows of the table."""
_T = TypeVar("_T")


class SenderLeft(Exception):  # noqa: N818 - it says what became of the sender
    """The sender has disconnected, so the work was cancelled."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a request.

    Attributes:
        request: the request.
        name: a game, or an address: senders with the same name share a queue.
        player: a player, who goes before the others.
    """

    request: Request
    name: str
    player: bool = False


@dataclass(frozen=True, slots=True)
class TakenPhoto:
    """A photo of a game.

    Attributes:
        data: the photo as it may be stored.
        reading: its reading.
        at: when it was taken according to its EXIF, ISO 8601; empty if unknown.
    """

    data: bytes
    reading: Reading
    at: str = ""


class Desk:
    """Reads photos one at a time: a reading keeps all cores busy, and two would only take twice the memory."""

    def __init__(self, limits: Limits, budget: Budget | None = None) -> None:
        self._limits = limits
        self._worker = WorkerProcess(limits, budget or Budget())
        self._queue = FairQueue()
        self._asking = CapacityLimiter(2)
        self._exports = CapacityLimiter(1)
        self._filmed = -math.inf  # when a frame was seen last, by the clock that only goes on

    @property
    def max_bytes(self) -> int:
        """The largest photo."""
        return self._limits.max_bytes

    def open(self) -> None:
        """Have the worker open the networks."""
        self._worker.start()

    def close(self) -> None:
        """End the worker."""
        self._worker.close()

    async def read(self, sender: Sender, name: str, photo: bytes, expected: Expected | None = None) -> Reading:
        """The reading of a photo.

        Args:
            sender: of the request.
            name: of the photo.
            photo: its bytes.
            expected: what the game expects on the table; None without a game.

        Raises:
            PhotoError: the photo cannot be read.
            Busy, SenderLeft: it was not read.
        """
        answer, _ = await self._asked(sender, "read", name, photo, expected)
        return Reading.from_json(answer["reading"])

    async def draw(self, sender: Sender, name: str, photo: bytes, expected: Expected | None = None) -> bytes:
        """The photo with its reading drawn on it, as a JPEG; raises as `read` does."""
        _, picture = await self._asked(sender, "draw", name, photo, expected)
        return picture

    async def take(
        self, sender: Sender, photo: bytes, expected: Expected, profiles: Sequence[bytes] = ()
    ) -> TakenPhoto:
        """A photo as it may be stored, without its location, and its reading; raises as `read` does."""
        answer, kept = await self._asked(sender, "take", KEPT_AS, photo, expected, profiles=profiles)
        return TakenPhoto(kept, Reading.from_json(answer["reading"]), answer["taken"])

    async def look_again(
        self, sender: Sender, photo: bytes, expected: Expected, profiles: Sequence[bytes] = ()
    ) -> Reading:
        """A closer reading of a photo that was taken before; raises as `read` does."""
        answer, _ = await self._asked(sender, "look-again", KEPT_AS, photo, expected, profiles=profiles)
        return Reading.from_json(answer["reading"])

    async def find(self, sender: Sender, photo: bytes) -> dict[str, Any]:
        """Everything on a photo that may be a piece, whatever it was read as, ready for JSON; raises as `read` does."""
        answer, _ = await self._asked(sender, "find", KEPT_AS, photo, None)
        return answer

    async def teach(self, sender: Sender, photo: bytes, said: Sequence[Said]) -> list[TaughtPiece]:
        """The pieces of a photo that people named, cut out to learn from; raises as `read` does."""
        told = {"said": [each.to_json() for each in said]}
        answer, _ = await self._asked(sender, "teach", KEPT_AS, photo, None, told)
        return [TaughtPiece.from_json(each) for each in answer["pieces"]]

    async def check(self, sender: Sender, profile: bytes) -> None:
        """Check the pictures of a profile before photos are read with it.

        Raises:
            InvalidProfile: one cannot be read.
            Busy, SenderLeft: it was not checked.
        """
        await self._asked(sender, "check", KEPT_AS, b"", None, profiles=[profile])

    async def watch(
        self,
        name: str,
        frame: bytes,
        expected: Expected,
        camera: Mapping[str, Any],
        profiles: Sequence[bytes] = (),
    ) -> Watched:
        """Process a camera's frame. Unlike a photo, it is processed to the end even if its sender disconnects.

        Args:
            name: of the camera: its frames wait for each other, and for nobody else's.
            frame: JPEG.
            expected: the pieces of the game.
            camera: as `api.http.worker.watching.Watchers.see` takes it.
            profiles: files of the profiles that the game uses.

        Raises:
            PhotoError: the frame cannot be read.
            Busy: it was not processed.
        """
        ask = partial(self._worker.ask, "watch", KEPT_AS, frame, expected, {"camera": dict(camera)}, profiles)
        async with self._queue.turn(name, player=True):
            self._filmed = time.monotonic()
            return Watched.of(*await run_sync(ask, limiter=self._asking))

    async def alone(self, sender: Sender, work: Callable[[], _T]) -> _T:
        """Do some CPU-bound work with a stored photo, when no photo is read.

        Raises:
            Busy: it was not done.
        """
        async with self._queue.turn(sender.name, player=sender.player):
            return await run_sync(work)

    async def export(self, work: Callable[[], _T]) -> _T:
        """Do some long work that nobody at the table waits for, one at a time, while photos are read."""
        return await run_sync(work, limiter=self._exports)

    async def _asked(
        self,
        sender: Sender,
        what: str,
        name: str,
        photo: bytes,
        expected: Expected | None,
        more: Mapping[str, Any] | None = None,
        profiles: Sequence[bytes] = (),
    ) -> tuple[dict[str, Any], bytes]:
        ask = partial(self._worker.ask, what, name, photo, expected, more, profiles)
        return await _while_there(sender.request, self._in_turn(sender, ask))

    async def _in_turn(
        self, sender: Sender, ask: Callable[[], tuple[dict[str, Any], bytes]]
    ) -> tuple[dict[str, Any], bytes]:
        async with self._queue.turn(sender.name, player=sender.player):
            asking = asyncio.ensure_future(run_sync(ask, limiter=self._asking))
            try:
                return await asyncio.shield(asking)
            except asyncio.CancelledError:
                await self._ended(asking)
                raise

    async def _ended(self, asking: asyncio.Future[Any]) -> None:
        """Cancel work that nobody waits for, if it takes long. A new worker takes a second to start, so short work may finish."""
        await asyncio.wait({asking}, timeout=_LATER if time.monotonic() - self._filmed < _LATER else _SOON)
        if not asking.done():
            self._worker.interrupt()
        await asyncio.gather(asking, return_exceptions=True)


async def _while_there(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """Do the work unless its sender disconnects.

    Raises:
        SenderLeft: the sender has disconnected.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise SenderLeft
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while not await request.is_disconnected():
        await asyncio.sleep(_GLANCE)
