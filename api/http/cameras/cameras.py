"""The cameras of live games: frames go to the worker one after the other, and rolls into the game's queue.

When another roll waits, or another camera films, the game's event streams announce it at every server of the database
(`stored_queue`), and phones request the details. Phones also do so after every move: then, and with every frame, the moves of
others are noticed. A game has one camera at a time, the one that began last. A frame is processed to the end even if its phone
disconnects meanwhile. Frames of one game should come to one server (`deploy/` shows how): another server starts watching anew,
from the last stored roll.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from api.http.cameras.roll_queue import Answer, RollQueue
from api.http.cameras.stored_queue import StoredQueue
from api.http.games.live_games import LiveGames
from api.http.worker.desk import Desk
from api.store import StoredGame, StoredToken
from vision.watch.events import Roll

_MOST_GAMES = 100
"""Games whose queues are kept in memory."""
_LEARNS = 2.0
"""Seconds between two requests for what the camera's game has learned."""

_T = TypeVar("_T")
Profiles = Callable[[], Awaitable[list[bytes]]]
"""Returns the files of the profiles that a game is read with now: `Learning.profiles`."""


class Replaced(Exception):  # noqa: N818 - named after what happened
    """Another camera films this game now."""

    def __init__(self) -> None:
        super().__init__("Another camera films this game now. Start this one again to take over.")


@dataclass(frozen=True, slots=True)
class CameraFrame:
    """A frame of a phone's camera.

    Attributes:
        token: of the sender.
        camera: random name of the camera, new each time it is opened.
        number: counted from 0.
        time: in seconds; only differences count.
        data: JPEG.
    """

    token: StoredToken
    camera: str
    number: int
    time: float
    data: bytes


@dataclass(eq=False, slots=True)
class _Filmed:
    """A game that a camera films, or has filmed."""

    queue: RollQueue
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    camera: str = ""
    number: int = -1
    time: float = 0.0
    told: deque[tuple[Roll, bytes, StoredToken, str]] = field(default_factory=deque)
    """Rolls that the worker has returned and that are not stored yet, as `RollQueue.take` takes them."""
    profiles: list[bytes] = field(default_factory=list)
    learned: float = -math.inf
    """The time of the frame at which `profiles` was last called."""
    table: dict[str, Any] = field(default_factory=dict)


class Cameras:
    """The cameras of all games of this server. Create it in the event loop it serves."""

    def __init__(self, table: LiveGames, desk: Desk, folder: Path) -> None:
        """Begin without any camera.

        Args:
            table: of the games.
            desk: processes frames.
            folder: of the queues that an earlier version left.
        """
        self._table, self._desk, self._folder = table, desk, folder
        self._filmed: OrderedDict[str, _Filmed] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._threads = CapacityLimiter(_MOST_GAMES)

    async def see(self, game: StoredGame, frame: CameraFrame, profiles: Profiles) -> dict[str, Any]:
        """Process a frame, and play the rolls that have come to rest in it.

        Args:
            game: it belongs to.
            frame: the next one.
            profiles: what the game has learned, and uses.

        Returns:
            As `status`, and of the table: "state", "idle", "leaving".

        Raises:
            Replaced: another camera has begun since.
            PhotoError, Busy: the frame was not processed.
            TooManyWaiting, QueueLost, StoreError: a roll could not be stored; it is retried with the next frame.
        """
        return await self._to_its_end(self._see(game, frame, profiles))

    async def take(
        self, game: StoredGame, source: str, roll: Roll, photo: bytes, token: StoredToken, *, late: bool = False
    ) -> dict[str, Any]:
        """Take a roll seen by another program; returns `status`.

        Args:
            game: it belongs to.
            source: the program; its numbers count up.
            roll: with the server's own reading of the photo.
            photo: JPEG.
            token: of the program.
            late: others have played since it was seen.

        Raises:
            TooManyWaiting, QueueLost, StoreError: it could not be stored; send it again.
        """
        return await self._to_its_end(
            self._worked(game, lambda queue: queue.take(roll, photo, token, source, late=late))
        )

    async def answer(self, game: StoredGame, number: int, answer: Answer, corrections: int) -> dict[str, Any]:
        """Apply a player's answer about the waiting roll; returns `status`.

        Raises:
            Conflict: "settled", "corrected-since".
            QueueLost, StoreError: it could not be stored.
        """
        return await self._worked(game, lambda queue: queue.answer(number, answer, corrections))

    async def status(self, game: StoredGame) -> dict[str, Any]:
        """What waits: "rolls" seen, how many are "waiting", the question about the first ("ask"), "said" and "filmed"."""
        return await self._worked(game, RollQueue.refresh)

    async def closed(self) -> None:
        """Cancel every task and wait for it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # One frame

    async def _see(self, game: StoredGame, frame: CameraFrame, profiles: Profiles) -> dict[str, Any]:
        filmed = await self._opened(game)
        async with filmed.lock:
            if not await self._is_next(filmed, frame):
                return _told(filmed)
            await self._store_told(filmed)
            last = filmed.queue.queue.last
            asked = {"name": f"{game.id}/{frame.camera}", "number": frame.number, "time": frame.time}
            asked["last"] = last.to_json() if last else None
            if frame.time >= filmed.learned + _LEARNS:
                filmed.profiles, filmed.learned = await profiles(), frame.time
            pieces = game.record.game.pieces
            watched = await self._desk.watch(f"camera of {game.id}", frame.data, pieces, asked, filmed.profiles)
            filmed.table = {"state": watched.state, "idle": watched.idle, "leaving": watched.leaving}
            filmed.told.extend((roll, photo, frame.token, frame.camera) for roll, photo in watched.rolls)
            await self._store_told(filmed)
            await self._in_thread(filmed.queue.refresh)
            return _told(filmed)

    async def _store_told(self, filmed: _Filmed) -> None:
        """Store the rolls that the worker has returned, which it does only once; one that cannot be stored is retried later."""
        while filmed.told:
            await self._in_thread(partial(filmed.queue.take, *filmed.told[0]))
            filmed.told.popleft()

    async def _is_next(self, filmed: _Filmed, frame: CameraFrame) -> bool:
        """Whether this frame is to be processed; the first frame of a camera makes it the game's camera."""
        films = filmed.queue.queue.camera
        if films != frame.camera:
            if films and frame.number:
                raise Replaced
            await self._in_thread(partial(filmed.queue.film, frame.camera))
        if filmed.camera != frame.camera:
            filmed.camera, filmed.number, filmed.time = frame.camera, -1, frame.time - 1
            filmed.learned = -math.inf
        if frame.number <= filmed.number or frame.time <= filmed.time:
            return False  # it is late: a newer one was processed
        filmed.number, filmed.time = frame.number, frame.time
        return True

    # What waits

    async def _worked(self, game: StoredGame, work: Callable[[RollQueue], None]) -> dict[str, Any]:
        filmed = await self._opened(game)
        async with filmed.lock:
            await self._in_thread(partial(work, filmed.queue))
            return _told(filmed)

    async def _opened(self, game: StoredGame) -> _Filmed:
        there = self._filmed.get(game.id)
        if there is None:
            queue = await self._in_thread(partial(self._queue, game.id))
            there = self._filmed.setdefault(game.id, _Filmed(queue))
        self._filmed.move_to_end(game.id)
        spare = [each for each, filmed in self._filmed.items() if not (filmed.lock.locked() or filmed.told)]
        for old in spare[:-_MOST_GAMES]:
            del self._filmed[old]
        return there

    def _queue(self, game_id: str) -> RollQueue:
        return RollQueue(self._table, game_id, StoredQueue(self._table.store, game_id, self._folder))

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        return await run_sync(work, limiter=self._threads)

    async def _to_its_end(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Finish the work even if nobody waits for its answer any more."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)


def _told(filmed: _Filmed) -> dict[str, Any]:
    table = {"state": "empty", "idle": True, "leaving": False, **filmed.table}
    return {**table, **filmed.queue.to_json()}
