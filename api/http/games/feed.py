"""Event streams for viewers: one server-sent event per line of the record, each a full snapshot, with the line number as id.

Viewers who join or return receive the current state and then every following line, in order. One task
per game waits for changes and serves all its viewers; a viewer who falls behind is disconnected and reconnects.
An event named "camera" says that other rolls of the game's camera wait.

Before a line is sent, and every few seconds, the tokens of the game are read again: a stream whose token was revoked
ends, and a phone that gave up a seat no longer sees its hand.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self, TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from api.http.addresses import is_loopback
from api.http.games.live_games import LiveGames
from api.http.games.visibility import Visibility
from api.store import StoredGame, StoredToken, StoreError

HEARTBEAT = 15.0
"""Seconds between keep-alive events, so that proxies and clients do not time out."""
_CAMERA = b"event: camera\ndata: {}\n\n"
_ALIVE = b": still here\nevent: alive\ndata: {}\n\n"
_LISTEN = 5.0
"""Seconds a thread waits for changes; also how long it may outlive the last viewer."""
_PAUSE = 0.5
"""Seconds before retrying an unreachable database."""
_MOST_GAMES = 200
_MOST_VIEWERS = 1000
_MOST_OF_GAME = 500
_MOST_OF_CLIENT = 50
"""Streams of one address; this computer's own address may be a proxy's, with the streams of all clients."""
_MOST_BEHIND = 200
"""Maximum queued snapshots per viewer."""

log = logging.getLogger(__name__)
_T = TypeVar("_T")


class Full(Exception):  # noqa: N818 - it says what became of the request
    """The maximum number of viewers is reached."""


class _Moment:
    """An event, rendered for each visibility."""

    def __init__(
        self,
        game: StoredGame,
        event: Callable[[StoredGame, Visibility], bytes],
        visibilities: Iterable[Visibility] = (),
    ) -> None:
        self._game, self._event = game, event
        self._told = {visibility: event(game, visibility) for visibility in visibilities}

    def has(self, visibility: Visibility) -> bool:
        """Whether the event is already rendered for this visibility."""
        return visibility in self._told

    def told(self, visibility: Visibility) -> bytes:
        """The event, ready to send."""
        if visibility not in self._told:
            self._told[visibility] = self._event(self._game, visibility)
        return self._told[visibility]


@dataclass(eq=False, slots=True)
class _Viewer:
    token: str
    visibility: Visibility
    waiting: asyncio.Queue[bytes | None] = field(default_factory=lambda: asyncio.Queue(_MOST_BEHIND))

    def tell(self, moment: _Moment | None) -> None:
        """Queue a snapshot; None, or a full queue, ends the stream."""
        self.send(moment.told(self.visibility) if moment else None)

    def send(self, event: bytes | None) -> None:
        """Queue an event as it is sent."""
        try:
            self.waiting.put_nowait(event)
        except asyncio.QueueFull:
            while not self.waiting.empty():
                self.waiting.get_nowait()
            self.waiting.put_nowait(None)


@dataclass(eq=False, slots=True)
class _Channel:
    game: StoredGame
    now: _Moment
    camera: int
    viewers: set[_Viewer] = field(default_factory=set)

    @property
    def visibilities(self) -> set[Visibility]:
        """The different visibilities of its viewers."""
        return {viewer.visibility for viewer in self.viewers}

    def admit_again(self, valid: Mapping[str, StoredToken]) -> None:
        """End the streams of revoked tokens, and update the visibility of the others."""
        for viewer in [*self.viewers]:
            if viewer.token in valid:
                viewer.visibility = Visibility.of(valid[viewer.token])
            else:
                viewer.tell(None)

    def tell_camera(self, news: int) -> None:
        """Notify the viewers if the game's camera has news; players request the details."""
        if news != self.camera:
            self.camera = news
            for viewer in self.viewers:
                viewer.send(_CAMERA)

    def publish(self, game: StoredGame, moments: list[_Moment]) -> None:
        """Send to every viewer, and keep the last event for new ones."""
        self.game = game
        for self.now in moments:
            for viewer in self.viewers:
                viewer.tell(self.now)


class Feed:
    """The event streams of all games. Create it in the event loop it serves."""

    def __init__(self, table: LiveGames) -> None:
        self._table = table
        self._loop = asyncio.get_running_loop()
        self._threads = CapacityLimiter(_MOST_GAMES)
        self._channels: dict[str, _Channel] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._joining: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._closing = False
        self._of_game: Counter[str] = Counter()
        self._of_client: Counter[str] = Counter()

    @property
    def viewers(self) -> int:
        """Number of open streams."""
        return sum(len(channel.viewers) for channel in self._channels.values())

    async def join(self, game: StoredGame, token: StoredToken, client: str = "127.0.0.1") -> Stream:
        """The stream of one viewer, until they leave or the server stops. It is counted from this moment.

        Args:
            game: to watch.
            token: of the viewer.
            client: the address of the viewer.

        Raises:
            Full: too many viewers.
        """
        self._check_room(game.id, client)
        self._of_game[game.id] += 1
        self._of_client[client] += 1
        viewer = _Viewer(token.id, Visibility.of(token))
        try:
            # Many viewers who join at one moment share one snapshot.
            async with self._joining.setdefault(game.id, asyncio.Lock()):
                channel = await self._with(game, viewer)
        except BaseException:
            self.forget(game.id, client)
            raise
        return Stream(self, channel, viewer, client)

    async def _with(self, game: StoredGame, viewer: _Viewer) -> _Channel:
        """The channel of a game, with one more viewer who has its last event."""
        channel = self._channels.get(game.id)
        now = channel.now if channel else _Moment(game, self._event)
        if not now.has(viewer.visibility):
            await run_sync(now.told, viewer.visibility)
        # No await before the viewer is in the channel, or the channel could end in between.
        channel = self._channels.get(game.id) or self._open(game, now)
        viewer.tell(channel.now)
        channel.viewers.add(viewer)
        return channel

    def _check_room(self, game_id: str, client: str) -> None:
        games = game_id not in self._channels and len(self._channels) >= _MOST_GAMES
        if games or self._of_game.total() >= _MOST_VIEWERS or self._of_game[game_id] >= _MOST_OF_GAME:
            raise Full("Too many people are watching. Try again later.")
        if not is_loopback(client) and self._of_client[client] >= _MOST_OF_CLIENT:
            raise Full("Too many pages of yours are watching: close some.")

    def forget(self, game_id: str, client: str) -> None:
        """Remove a viewer who has left."""
        self._of_game -= Counter([game_id])
        self._of_client -= Counter([client])

    @property
    def ending(self) -> bool:
        """Whether all streams are ending."""
        return self._closing

    def close(self) -> None:
        """End every stream; callable from any thread or a signal handler."""
        self._loop.call_soon_threadsafe(self._end)

    async def closed(self) -> None:
        """End every stream and wait for the tasks."""
        self._end()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _end(self) -> None:
        self._closing = True
        for channel in self._channels.values():
            for viewer in channel.viewers:
                viewer.tell(None)

    # One game

    def _open(self, game: StoredGame, now: _Moment) -> _Channel:
        channel = self._channels[game.id] = _Channel(game, now, self._table.store.changes.camera(game.id))
        task = self._loop.create_task(self._follow(channel))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return channel

    async def _follow(self, channel: _Channel) -> None:
        """Publish a game's changes until it has had no viewers for a while."""
        try:
            while not self._closing:
                await self._hear(channel)
                if not channel.viewers:
                    return
        finally:
            del self._channels[channel.game.id]
            for viewer in channel.viewers:
                viewer.tell(None)

    async def _hear(self, channel: _Channel) -> None:
        try:
            changed = await self._waited(channel)
            channel.admit_again(await run_sync(self._valid, channel.game.id))
            if changed:
                channel.tell_camera(self._table.store.changes.camera(channel.game.id))
                channel.publish(*await run_sync(self._since, channel.game, channel.visibilities))
            else:
                await run_sync(self._table.store.changes.look_again, channel.game.id)
        except StoreError as error:
            log.warning("Cannot read the changes of a game, retrying: %s", error)
            await asyncio.sleep(_PAUSE)

    async def _waited(self, channel: _Channel) -> bool:
        game, changes = channel.game, self._table.store.changes
        return await self._in_thread(partial(changes.since, game.id, len(game.record.lines), _LISTEN, channel.camera))

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        return await run_sync(work, limiter=self._threads, abandon_on_cancel=True)

    def _valid(self, game_id: str) -> dict[str, StoredToken]:
        return {token.id: token for token in self._table.store.tokens.of(game_id) if not token.revoked}

    def _since(self, old: StoredGame, visibilities: set[Visibility]) -> tuple[StoredGame, list[_Moment]]:
        """The current game, and an event for every line since the old state."""
        game = self._table.game(old.id)
        return game, [_Moment(each, self._event, visibilities) for each in _steps(old, game)]

    def _event(self, game: StoredGame, visibility: Visibility) -> bytes:
        told = self._table.shown(game, visibility)
        return f"id: {told['lines']}\nevent: snapshot\ndata: {_dumped(told)}\n\n".encode()


class Stream:
    """What one viewer is sent: events, ready to send. Its owner calls `leave`."""

    def __init__(self, feed: Feed, channel: _Channel, viewer: _Viewer, client: str) -> None:
        self._feed, self._channel, self._viewer, self._client = feed, channel, viewer, client

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        event = None if self._feed.ending else await _next(self._viewer)
        if event is None:
            self.leave()
            raise StopAsyncIteration
        return event

    def leave(self) -> None:
        """Stop counting this viewer; idempotent."""
        if self._viewer in self._channel.viewers:
            self._channel.viewers.discard(self._viewer)
            self._feed.forget(self._channel.game.id, self._client)


async def _next(viewer: _Viewer) -> bytes | None:
    try:
        return await asyncio.wait_for(viewer.waiting.get(), HEARTBEAT)
    except TimeoutError:
        return _ALIVE


def _steps(old: StoredGame, new: StoredGame) -> Iterator[StoredGame]:
    """The game after each added line; a closing line comes with the move before it."""
    record = old.record
    for entry in new.record.entries[len(record.entries) :]:
        if entry.move is None:
            record = record.undo(at=entry.at, by=entry.by)
        else:
            record = record.play(entry.move, at=entry.at, seen=entry.seen, corrected=entry.corrected, by=entry.by)
        yield replace(new, record=record)


def _dumped(told: dict[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
