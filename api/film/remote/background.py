"""Feeds a live game in a thread of its own: the camera goes on, and no frame waits for a slow or unreachable server."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread

from api.film.event_log import Event
from api.film.remote.game_client import Link
from api.film.remote.live_feeder import LiveFeeder, Say
from scorer.engine.expected import Expected
from vision.photo import Pixels
from vision.watch.events import Roll

_WHILE = 0.2
"""Seconds between checks for something to send or receive."""
_ENDING = 2.0
"""Seconds to wait for the thread when watching is aborted; what it sends then is kept, and sent again."""


class BackgroundFeeder:
    """A `LiveFeeder` whose requests are made in a thread (implements `api.film.pipeline.Feeds`).

    Its messages are passed on, and its errors raised, in the thread that calls these methods.
    """

    def __init__(self, link: Link, say: Say) -> None:
        """Join the game.

        Args:
            link: a camera's link, or the players'.
            say: receives messages for the user.

        Raises:
            CannotJoin: the link is invalid, or no server responds.
        """
        self._say = say
        self._said: SimpleQueue[str] = SimpleQueue()
        self._feeder = LiveFeeder(link, self._said.put)
        self._ends, self._wakes = Flag(), Flag()
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)

    @property
    def pieces(self) -> Expected:
        """The pieces that the game is played with."""
        return self._feeder.pieces

    def resume(self, events: Path, rolls: Sequence[Roll]) -> None:
        """Begin, as `LiveFeeder.resume`."""
        self._feeder.resume(events, rolls)
        self._pass_on()
        self._thread.start()

    def keep(self, roll: Roll, pixels: Pixels) -> None:
        """Keep a roll on disk, as `LiveFeeder.keep`."""
        self._feeder.keep(roll, pixels)

    def on_disk(self, found: Sequence[Event]) -> None:
        """Let the thread send the rolls among these events, which are in the event log now.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        self._feeder.add(found)
        if found:
            self._wakes.set()
        self._pass_on()
        if self._error:
            raise self._error

    def finish(self) -> None:
        """Deliver the remaining rolls, as `LiveFeeder.finish`."""
        self._end(None)
        if self._error:
            raise self._error
        self._feeder.finish()
        self._pass_on()

    def close(self) -> None:
        """Disconnect, and name the rolls that were not sent."""
        self._end(_ENDING)
        self._feeder.close()
        self._pass_on()

    def _run(self) -> None:
        try:
            while not self._ends.is_set():
                self._feeder.look()
                self._wakes.wait(_WHILE)
                self._wakes.clear()
        except BaseException as error:  # raised again in the other thread
            self._error = error

    def _end(self, patience: float | None) -> None:
        self._ends.set()
        self._wakes.set()
        if self._thread.is_alive():
            self._thread.join(patience)
        self._pass_on()

    def _pass_on(self) -> None:
        with suppress(Empty):
            while True:
                self._say(self._said.get_nowait())
