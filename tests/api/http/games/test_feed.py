"""What viewers see as a game goes on, by a real server over real connections."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from signal import SIGTERM
from typing import Any

import httpx2
import pytest

from api.evidence.keys import ServerKey
from api.http.games import feed as feed_module
from api.http.games.feed import Feed, Full, Stream
from api.http.games.live_games import LiveGames, MoveRequest
from api.http.games.visibility import Visibility
from api.interpret.typed_moves import after
from api.store import Store, StoredGame, StoredToken
from scorer.engine.game import Move
from tests.api.http.games.play import bearer
from tests.api.http.games.running import Running, running
from tests.api.http.games.streams import Seen, events, parsed

MOVES = ("opening 1 6", "opening 1 2", "throw 1 2 3 4 5 5 6", "point 5")


# The feed itself


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveGames]:
    store = Store.open(None, tmp_path)
    yield LiveGames(store, ServerKey.open(tmp_path))
    store.close()


def with_feed(table: LiveGames, work: Callable[[Feed, StoredGame], Awaitable[None]]) -> None:
    async def run() -> None:
        game, _ = table.begin("crib-dice", ("Ann", "Ben"), ())
        feed = Feed(table)
        try:
            await asyncio.wait_for(work(feed, game), 30)
        finally:
            await feed.closed()

    asyncio.run(run())


def the(table: LiveGames, game: StoredGame, role: str) -> StoredToken:
    """The token that the game began with for this role."""
    return next(token for token in table.store.tokens.of(game.id) if token.role == role)


async def take(stream: AsyncIterator[bytes], count: int) -> list[Seen]:
    return [parsed(await anext(stream)) for _ in range(count)]


async def plays(table: LiveGames, game: StoredGame, *moves: str) -> None:
    for move in moves:
        lines = len(table.game(game.id).record.lines)
        await asyncio.to_thread(table.play, game.id, lines, MoveRequest(move), the(table, game, "player"))


def test_every_viewer_sees_every_line_in_order(table: LiveGames) -> None:
    async def work(feed: Feed, game: StoredGame) -> None:
        streams = [await feed.join(game, the(table, game, "viewer")) for _ in range(5)]
        watching = [asyncio.create_task(take(stream, 6)) for stream in streams]
        await asyncio.sleep(0.1)
        await plays(table, game, *MOVES)
        await asyncio.to_thread(table.undo, game.id, 5, the(table, game, "player"))
        for seen in await asyncio.gather(*watching):
            assert [each.id for each in seen] == [1, 2, 3, 4, 5, 6]
            assert [each.told["lines"] for each in seen] == [1, 2, 3, 4, 5, 6]
            assert [each.told["moves"] for each in seen] == [0, 1, 2, 3, 4, 3]

    with_feed(table, work)


def test_an_event_is_what_a_look_at_that_moment_shows(table: LiveGames) -> None:
    async def work(feed: Feed, game: StoredGame) -> None:
        viewer, player = (
            await feed.join(game, the(table, game, "viewer")),
            await feed.join(game, the(table, game, "player")),
        )
        both = asyncio.gather(take(viewer, 4), take(player, 4))
        await asyncio.sleep(0.1)
        await plays(table, game, *MOVES[:3])
        seen, known = await both
        now = table.game(game.id)
        assert seen[-1].told == json.loads(json.dumps(table.shown(now, Visibility(False, frozenset()))))
        assert known[-1].told == json.loads(json.dumps(table.shown(now, Visibility(True, None))))
        assert seen[-1].told["offers"] is None

    with_feed(table, work)


def test_who_comes_late_is_right_at_once(table: LiveGames) -> None:
    async def work(feed: Feed, game: StoredGame) -> None:
        await plays(table, game, *MOVES)
        late = await feed.join(table.game(game.id), the(table, game, "viewer"))
        assert [each.id for each in await take(late, 1)] == [5]
        await plays(table, game, "stop")
        assert [each.id for each in await take(late, 1)] == [6]

    with_feed(table, work)


def test_lines_that_are_added_at_once_are_seen_one_by_one(table: LiveGames) -> None:
    async def work(feed: Feed, game: StoredGame) -> None:
        stream = await feed.join(game, the(table, game, "viewer"))
        await take(stream, 1)
        table.store.append(game, after(game.record, [Move.parse(move) for move in MOVES[:2]]))
        assert [each.id for each in await take(stream, 2)] == [2, 3]

    with_feed(table, work)


def test_a_quiet_stream_beats(table: LiveGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "HEARTBEAT", 0.05)

    async def work(feed: Feed, game: StoredGame) -> None:
        stream = await feed.join(game, the(table, game, "viewer"))
        await take(stream, 1)
        beat = await anext(stream)
        assert beat.startswith(b":")
        assert b"\nevent: alive\n" in beat, "browsers tell pages nothing of comments"

    with_feed(table, work)


def test_viewers_hear_that_something_else_waits_of_the_camera(table: LiveGames) -> None:
    async def work(feed: Feed, game: StoredGame) -> None:
        stream = await feed.join(game, the(table, game, "player"))
        await take(stream, 1)
        for told in ("another game", game.id):
            table.store.changes.tell_camera(told)
        assert await anext(stream) == b"event: camera\ndata: {}\n\n"
        table.play(game.id, 1, MoveRequest(MOVES[0]), the(table, game, "player"))
        assert b"event: snapshot" in await anext(stream), "it is told once"

    with_feed(table, work)


def test_a_viewer_who_does_not_read_is_let_go_and_the_others_are_not(
    table: LiveGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "_MOST_BEHIND", 2)

    async def work(feed: Feed, game: StoredGame) -> None:
        slow, quick = (
            await feed.join(game, the(table, game, "viewer")),
            await feed.join(game, the(table, game, "viewer")),
        )
        await take(slow, 1)
        await take(quick, 1)
        for at, move in enumerate(MOVES, start=2):
            await plays(table, game, move)
            assert [each.id for each in await take(quick, 1)] == [at]
        with pytest.raises(StopAsyncIteration):
            await anext(slow)
        assert feed.viewers == 1

    with_feed(table, work)


def test_when_nobody_watches_nothing_waits(table: LiveGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "_LISTEN", 0.05)

    async def work(feed: Feed, game: StoredGame) -> None:
        stream = await feed.join(game, the(table, game, "viewer"))
        await take(stream, 1)
        stream.leave()
        assert feed.viewers == 0
        while feed._channels:
            await asyncio.sleep(0.02)
        assert [each.id for each in await take(await feed.join(game, the(table, game, "viewer")), 1)] == [1]

    with_feed(table, work)


def test_there_is_an_end_to_how_many_can_watch(table: LiveGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "_MOST_VIEWERS", 1)

    async def work(feed: Feed, game: StoredGame) -> None:
        await take(await feed.join(game, the(table, game, "viewer")), 1)
        with pytest.raises(Full):
            await feed.join(game, the(table, game, "viewer"))

    with_feed(table, work)


def test_who_is_about_to_watch_is_counted_already(table: LiveGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "_MOST_OF_GAME", 3)

    async def work(feed: Feed, game: StoredGame) -> None:
        joined = await asyncio.gather(
            *(feed.join(game, the(table, game, "viewer")) for _ in range(20)), return_exceptions=True
        )
        assert sum(isinstance(each, Full) for each in joined) == 17
        for stream in joined:
            if isinstance(stream, Stream):
                stream.leave()
                stream.leave()
        assert await feed.join(game, the(table, game, "viewer"))

    with_feed(table, work)


def test_a_crowd_that_comes_at_one_moment_waits_for_one_snapshot(
    table: LiveGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, shown = [], table.shown

    def counted(game: StoredGame, visibility: Visibility) -> dict[str, Any]:
        made.append(visibility)
        return shown(game, visibility)

    monkeypatch.setattr(table, "shown", counted)

    async def work(feed: Feed, game: StoredGame) -> None:
        viewer, player = the(table, game, "viewer"), the(table, game, "player")
        streams = await asyncio.gather(*(feed.join(game, viewer) for _ in range(20)))
        streams += await asyncio.gather(*(feed.join(game, player) for _ in range(5)))
        assert len({await anext(stream) for stream in streams}) == 2
        assert made == [Visibility.of(viewer), Visibility.of(player)]

    with_feed(table, work)


def test_one_address_may_not_take_all_the_places(table: LiveGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "_MOST_OF_CLIENT", 2)

    async def work(feed: Feed, game: StoredGame) -> None:
        mine = [await feed.join(game, the(table, game, "viewer"), "192.168.1.7") for _ in range(2)]
        with pytest.raises(Full, match="close some"):
            await feed.join(game, the(table, game, "viewer"), "192.168.1.7")
        assert await feed.join(game, the(table, game, "viewer"), "192.168.1.8")
        mine[0].leave()
        assert await feed.join(game, the(table, game, "viewer"), "192.168.1.7")

    with_feed(table, work)


# Over real connections


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as started:
        yield started


def test_a_stream_over_the_network_follows_the_game_and_ends_when_the_server_does(server: Running) -> None:
    with httpx2.Client(base_url=server.url, timeout=20) as client:
        begun = client.post("/v1/games", json={"game": "crib-dice", "players": ["Ann", "Ben"]}).json()
        url = f"/v1/games/{begun['id']}"
        with client.stream("GET", f"{url}/events", headers=bearer(begun["viewer"])) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            seen = events(response)
            assert next(seen).id == 1
            for lines, move in enumerate(MOVES, start=1):
                body = {"lines": lines, "move": move}
                assert client.post(f"{url}/moves", json=body, headers=bearer(begun["player"])).status_code == 200
                assert next(seen).id == lines + 1
            assert "muggins_viewers 1.0" in client.get("/metrics").text
            server.process.handle_exit(SIGTERM, None)
            assert next(seen, None) is None


def test_fifty_viewers_need_one_thread_and_leave_the_others_free(server: Running) -> None:
    viewers = 50
    with httpx2.Client(base_url=server.url, timeout=30) as client, ExitStack() as stack:
        begun = client.post("/v1/games", json={"game": "crib-dice", "players": ["Ann", "Ben"]}).json()
        url, headers = f"/v1/games/{begun['id']}", bearer(begun["viewer"])
        streams = [stack.enter_context(client.stream("GET", f"{url}/events", headers=headers)) for _ in range(viewers)]
        watching = [events(stream) for stream in streams]
        assert {next(seen).id for seen in watching} == {1}
        assert _threads_that_wait_for_news() == 1
        for lines, move in enumerate(MOVES, start=1):
            body = {"lines": lines, "move": move}
            assert client.post(f"{url}/moves", json=body, headers=bearer(begun["player"])).status_code == 200
        for seen in watching:
            assert [next(seen).id for _ in MOVES] == [2, 3, 4, 5]
        assert f"muggins_viewers {viewers}.0" in client.get("/metrics").text
        for stream in streams:
            stream.close()
        until = time.monotonic() + 20
        while "muggins_viewers 0.0" not in client.get("/metrics").text:
            assert time.monotonic() < until, "viewers who left are still served"
            time.sleep(0.05)


def _threads_that_wait_for_news() -> int:
    waiting = 0
    for frame in sys._current_frames().values():
        names = set()
        at = frame
        while at is not None:
            names.add((at.f_code.co_filename.replace("\\", "/").rpartition("api/store/")[2], at.f_code.co_name))
            at = at.f_back  # type: ignore[assignment]
        waiting += ("changes.py", "since") in names
    return waiting
