"""Who films which game: frames go to the worker one after the other, and rolls into the game's queue.

When something else waits, or another camera films, the game's event streams say so at every server of the database
(`stored_queue`), and phones ask what it is. They also ask after every move: what others have played is noticed then, and with
every frame. A game has one camera at a time, the one that began last. What a
camera has seen is taken in even if its phone leaves while the frame is looked at. Frames of one game should come to one server
(`deploy/` shows how): another begins to watch anew, from the roll seen last.
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
"""Games whose queues are kept open."""
_LEARNS = 2.0
"""Seconds after which a camera asks anew what its game has learned."""

_T = TypeVar("_T")
Profiles = Callable[[], Awaitable[list[bytes]]]
"""Gives the files of the profiles that a game is read with now: `Learning.profiles`."""


class Replaced(Exception):  # noqa: N818 - named after what happened
    """Another camera films this game now."""

    def __init__(self) -> None:
        super().__init__("Another camera films this game now. Start this one again to take over.")


@dataclass(frozen=True, slots=True)
class CameraFrame:
    """A frame of a phone's camera.

    Attributes:
        token: of who sends it.
        camera: random name of the camera; one that is opened again has another.
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
    """A game that is filmed, or was."""

    queue: RollQueue
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    camera: str = ""
    number: int = -1
    time: float = 0.0
    told: deque[tuple[Roll, bytes, StoredToken, str]] = field(default_factory=deque)
    """Rolls that the worker has told and that are not stored yet, as `RollQueue.take` takes them."""
    profiles: list[bytes] = field(default_factory=list)
    learned: float = -math.inf
    """The time of the frame at which `profiles` was asked for."""
    table: dict[str, Any] = field(default_factory=dict)


class Cameras:
    """The cameras of all games of this server. Create it in the event loop it serves."""

    def __init__(self, table: LiveGames, desk: Desk, folder: Path) -> None:
        """Film nothing yet.

        Args:
            table: of the games.
            desk: where frames are looked at.
            folder: of what an earlier version left waiting.
        """
        self._table, self._desk, self._folder = table, desk, folder
        self._filmed: OrderedDict[str, _Filmed] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._threads = CapacityLimiter(_MOST_GAMES)

    async def see(self, game: StoredGame, frame: CameraFrame, profiles: Profiles) -> dict[str, Any]:
        """Look at a frame, and play what it brings to an end.

        Args:
            game: it belongs to.
            frame: the next one.
            profiles: what the game has learned, and uses.

        Returns:
            As `status`, and of the table: "state", "idle", "leaving".

        Raises:
            Replaced: another camera has begun since.
            PhotoError, Busy: the frame was not looked at.
            TooManyWaiting, QueueLost, StoreError: a roll could not be stored; the next frame tries it again.
        """
        return await self._to_its_end(self._see(game, frame, profiles))

    async def take(
        self, game: StoredGame, source: str, roll: Roll, photo: bytes, token: StoredToken, *, late: bool = False
    ) -> dict[str, Any]:
        """A roll that another program has seen, as `status`.

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
        """A player's word on the roll that waits; as `status`.

        Raises:
            Conflict: "settled", "corrected-since".
            QueueLost, StoreError: it could not be stored.
        """
        return await self._worked(game, lambda queue: queue.answer(number, answer, corrections))

    async def status(self, game: StoredGame) -> dict[str, Any]:
        """What waits: "rolls" seen, how many are "waiting", what is asked about the first ("ask"), "said" and "filmed"."""
        return await self._worked(game, RollQueue.refresh)

    async def closed(self) -> None:
        """End every task."""
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
        """Store what the worker has told, for it tells a roll only once: what cannot be stored is tried before the next frame."""
        while filmed.told:
            await self._in_thread(partial(filmed.queue.take, *filmed.told[0]))
            filmed.told.popleft()

    async def _is_next(self, filmed: _Filmed, frame: CameraFrame) -> bool:
        """Whether this frame is to be looked at; the first of a camera makes it the game's."""
        films = filmed.queue.queue.camera
        if films != frame.camera:
            if films and frame.number:
                raise Replaced
            await self._in_thread(partial(filmed.queue.film, frame.camera))
        if filmed.camera != frame.camera:
            filmed.camera, filmed.number, filmed.time = frame.camera, -1, frame.time - 1
            filmed.learned = -math.inf
        if frame.number <= filmed.number or frame.time <= filmed.time:
            return False  # it came late: a newer one was looked at
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
        """Do the work even if nobody waits for its answer any more."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)


def _told(filmed: _Filmed) -> dict[str, Any]:
    table = {"state": "empty", "idle": True, "leaving": False, **filmed.table}
    return {**table, **filmed.queue.to_json()}
