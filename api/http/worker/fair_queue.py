"""A fair queue for one worker: players first, and frequent requests gain no advantage."""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

MOST_WAITING = 64
MOST_OF_ONE = 8
"""The most waiting requests of one game, or of one address."""


class Busy(Exception):  # noqa: N818 - it says what became of the request
    """Too many requests are waiting; nothing was done."""


@dataclass(order=True, slots=True)
class _Waiter:
    rank: tuple[bool, int, int]
    """Players before others; then by fewest earlier requests of the same sender; then first come, first served."""
    called: asyncio.Future[None] = field(compare=False)


class FairQueue:
    """A queue with one holder at a time. For one event loop."""

    def __init__(self, busy: str = "This server is reading other photos. Wait a little, then send it again.") -> None:
        """An empty queue; `busy`: the message when it is full."""
        self._busy = busy
        self._waiting: list[_Waiter] = []
        self._of: Counter[str] = Counter()
        self._arrivals = count()
        self._taken = False

    @asynccontextmanager
    async def turn(self, who: str, *, player: bool) -> AsyncIterator[None]:
        """Wait for a turn, and hold it.

        Args:
            who: requests with the same name wait for each other: a game, or an address.
            player: a player, who goes before the others.

        Raises:
            Busy: too many wait, in all or with this name.
        """
        if self._of[who] >= MOST_OF_ONE or (not player and len(self._waiting) >= MOST_WAITING):
            raise Busy(self._busy)
        self._of[who] += 1
        try:
            await self._wait(who, player)
            try:
                yield
            finally:
                self._next()
        finally:
            self._of[who] -= 1
            if not self._of[who]:
                del self._of[who]

    async def _wait(self, who: str, player: bool) -> None:
        if not self._taken:
            self._taken = True
            return
        rank = (not player, self._of[who], next(self._arrivals))
        waiter = _Waiter(rank, asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, waiter)
        try:
            await waiter.called
        except asyncio.CancelledError:
            if waiter.called.done() and not waiter.called.cancelled():
                self._next()  # its turn came in the moment it left
            elif waiter in self._waiting:  # it left the queue before its turn
                self._waiting.remove(waiter)
                heapq.heapify(self._waiting)
            raise

    def _next(self) -> None:
        while self._waiting:
            waiter = heapq.heappop(self._waiting)
            if not waiter.called.done():
                waiter.called.set_result(None)
                return
        self._taken = False
