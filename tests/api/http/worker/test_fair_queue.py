"""Players first; nobody waits longer because somebody else asks for much."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from api.http.worker.fair_queue import MOST_OF_ONE, MOST_WAITING, Busy, FairQueue


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


async def served(*asked: tuple[str, bool]) -> list[str]:
    """The order in which those are served who come, in this order, while one is being served."""
    queue, order = FairQueue(), []

    async def come(who: str, player: bool) -> None:
        async with queue.turn(who, player=player):
            order.append(who)

    async with queue.turn("the first", player=False):
        waiting = [asyncio.ensure_future(come(*each)) for each in asked]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    return order


def test_players_go_before_readings_of_nobody_in_particular() -> None:
    assert run(served(("a", False), ("b", False), ("game", True))) == ["game", "a", "b"]


def test_who_asks_often_waits_for_who_asks_once() -> None:
    asked = [("flood", True)] * 4 + [("quiet", True)]
    assert run(served(*asked)) == ["flood", "quiet", "flood", "flood", "flood"]


def test_who_leaves_is_passed_over() -> None:
    async def story() -> list[str]:
        queue, order = FairQueue(), []

        async def come(who: str) -> None:
            async with queue.turn(who, player=True):
                order.append(who)

        async with queue.turn("the first", player=True):
            waiting = [asyncio.ensure_future(come(who)) for who in "abc"]
            await asyncio.sleep(0)
            waiting[0].cancel()
        waiting[1].cancel()  # who has just been called
        await asyncio.gather(*waiting, return_exceptions=True)
        async with queue.turn("the last", player=True):
            return order

    assert run(story()) == ["c"]


def test_a_queue_has_an_end() -> None:
    async def story() -> None:
        queue = FairQueue()
        async with queue.turn("a", player=False):
            waiting = [asyncio.ensure_future(_wait(queue, f"{at}")) for at in range(MOST_WAITING)]
            await asyncio.sleep(0)
            with pytest.raises(Busy):
                await _wait(queue, "one more")
            for each in waiting:
                each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    run(story())


def test_who_has_left_takes_no_place() -> None:
    async def story() -> list[str]:
        queue, order = FairQueue(), []

        async def come(who: str) -> None:
            async with queue.turn(who, player=False):
                order.append(who)

        async with queue.turn("a", player=False):
            waiting = [asyncio.ensure_future(come(f"{at}")) for at in range(MOST_WAITING)]
            await asyncio.sleep(0)
            for each in waiting[:-2]:
                each.cancel()
            await asyncio.sleep(0)
            waiting.append(asyncio.ensure_future(come("one more")))
            await asyncio.sleep(0)
        await asyncio.gather(*waiting, return_exceptions=True)
        return order

    assert run(story()) == [f"{MOST_WAITING - 2}", f"{MOST_WAITING - 1}", "one more"]


def test_one_alone_may_not_fill_it() -> None:
    async def story() -> None:
        queue = FairQueue()
        async with queue.turn("a", player=True):
            waiting = [asyncio.ensure_future(_wait(queue, "a")) for _ in range(MOST_OF_ONE - 1)]
            await asyncio.sleep(0)
            with pytest.raises(Busy):
                await _wait(queue, "a")
        await asyncio.gather(*waiting)
        await _wait(queue, "a")

    run(story())


async def _wait(queue: FairQueue, who: str) -> None:
    async with queue.turn(who, player=False):
        return
