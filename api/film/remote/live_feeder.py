"""Feeds a live game on a server with the rolls that a camera here has seen.

    feeder = LiveFeeder(Link.parse("http://localhost:8000/table/ID#TOKEN"), print)
    watcher = FeedingWatcher(Watcher(reader), feeder)           takes every frame in place of the watcher

Referee, record and the queue of rolls are on the server (`api.http.cameras`): it reads the photo of each roll itself, plays what
is sure, and asks on every phone of the game what is not. What it does with each roll is told here.

While this program runs, no roll is lost or played twice: those that the server has not confirmed are kept and sent again, each
under the number that this camera gave it, and a number that the server has taken is not taken again. They are kept in memory
only. Those that are left at the end are named, to be played on a phone, as is a roll that the server refuses for good; a watch
that was killed names none. So one that is resumed sends no roll that its event log knows, and says so.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image

from api.film.analysis import Watches
from api.film.event_log import Event
from api.film.remote.game_client import CannotJoin, GameClient, Link, Refused, ServerGone, TryLater
from scorer.engine.expected import Expected
from scorer.games.registry import game_named
from vision.photo import Pixels
from vision.reading import Die, middle_of
from vision.watch.events import Frame, Piece, Roll

LISTENS = 1.0
"""Seconds between polls while something waits for the phones."""
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts to reach the server."""
AT_THE_END = 30.0
"""Seconds to wait at the end for a server to take the remaining rolls."""
_LOST = "Connection lost. Rolls are kept until the server responds. Reconnecting…"
_QUALITY = 95
_LOOKED_AT = 3
"""Frames kept after reading: a roll is reported with the frame it was read from, or with the next one."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Unsent:
    """A roll that the server has not confirmed: its number, what it is sent as, and the JPEG of the frame it was read from."""

    number: int
    roll: dict[str, Any]
    photo: bytes


class LiveFeeder:
    """Sends a camera's rolls to a game on a server."""

    def __init__(self, link: Link, say: Say, clock: Callable[[], float] = time.monotonic) -> None:
        """Join the game.

        Args:
            link: a camera's link, or the players'.
            say: receives messages for the user.
            clock: time in seconds.

        Raises:
            CannotJoin: the link is invalid, or no server responds.
        """
        self._say, self._clock = say, clock
        self._client = GameClient(link)
        self._source = secrets.token_urlsafe(12)
        try:
            self._client.sit()
            self._game = game_named(self._client.game())
            status = self._client.status()
        except (ServerGone, CannotJoin) as error:
            self._client.close()
            if isinstance(error, CannotJoin):
                raise
            raise CannotJoin(_no_start(link, error)) from error
        self._unsent: deque[_Unsent] = deque()
        self._queued = int(status["waiting"])
        self._heard = max((each["number"] for each in status["said"]), default=0)
        self._failures = 0
        self._why = ""
        self._next = 0.0

    @property
    def pieces(self) -> Expected:
        """What the game is played with."""
        return self._game.pieces

    @property
    def waiting(self) -> int:
        """Number of rolls that are not yet in the record."""
        return len(self._unsent) + self._queued

    def resume(self, rolls: Sequence[Roll]) -> None:
        """Say that the rolls of an earlier watch are not sent: which of them the server or a phone has played is not known."""
        if rolls:
            known, lacking = ("Roll 1 is", "it") if len(rolls) == 1 else (f"Rolls 1 to {rolls[-1].number} are", "one")
            self._say(f"{known} known from before and not sent again. If the game lacks {lacking}, play it on a phone.")

    def saw(self, roll: Roll, pixels: Pixels) -> None:
        """Add a roll.

        Args:
            roll: counted by the watcher.
            pixels: frame it was read from, H x W x 3 RGB.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        self._unsent.append(_Unsent(roll.number, _as_seen(roll), _jpeg(pixels)))
        if not self._failures:
            self._next = 0.0
        self.look()

    def look(self) -> None:
        """Send what is left, and hear what became of the rolls that wait; call this regularly.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        if not self.waiting or self._clock() < self._next:
            return
        try:
            self._deliver()
        except ServerGone as error:
            self._wait(error)
            return
        if self._failures:
            self._say("Connected again." if self._why == _LOST else "The server takes rolls again.")
        self._failures, self._why, self._next = 0, "", self._clock() + LISTENS

    def finish(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Finish: deliver the remaining rolls if the server returns in time, and report the rest.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        until = self._clock() + AT_THE_END
        self.look()
        while self._failures and self._clock() < until:
            sleep(max(0.0, self._next - self._clock()))
            self.look()
        if self._queued:
            self._say(f"Rolls that wait for an answer on a phone: {self._queued}.")
        self.close()

    def close(self) -> None:
        """Disconnect, and name the rolls that were not sent; the game stays as it is."""
        while self._unsent:
            self._say(f"Roll {self._unsent.popleft().number} was not sent. Play it on a phone.")
        self._client.close()

    def _deliver(self) -> None:
        if not self._unsent:
            self._hear(self._client.status())
        while self._unsent:
            first = self._unsent[0]
            try:
                self._hear(self._client.send(self._source, first.roll, first.photo))
            except Refused as error:
                self._say(f"Roll {first.number} was not taken: {error}")
            self._unsent.popleft()

    def _hear(self, status: Mapping[str, Any]) -> None:
        """Tell what the server has done since; one that was started again counts its sentences anew."""
        self._queued = status["waiting"]
        last = max((each["number"] for each in status["said"]), default=0)
        heard = self._heard if last >= self._heard else 0
        for each in status["said"]:
            if each["number"] > heard:
                self._say(each["text"])
        self._heard = last

    def _wait(self, error: ServerGone) -> None:
        """The server is unreachable or cannot take it now: say why, once, and retry later."""
        why = f"{error} Rolls are kept and sent again." if isinstance(error, TryLater) else _LOST
        if why != self._why:
            self._say(why)
        self._why = why
        self._next = self._clock() + PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1


class FeedingWatcher:
    """A watcher that feeds its rolls into a live game (implements `api.film.analysis.Watches`)."""

    def __init__(self, watcher: Watches, driver: LiveFeeder) -> None:
        self._watcher, self._driver = watcher, driver
        self._looked_at: deque[Frame] = deque(maxlen=_LOOKED_AT)

    @property
    def seen(self) -> int:
        """Number of frames received."""
        return self._watcher.seen

    @property
    def read(self) -> int:
        """Number of frames read by the networks."""
        return self._watcher.read

    def prepared(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames with what the watcher can say of them ahead."""
        return self._watcher.prepared(frames)

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """The events found with this frame; its roll is played."""
        read = self._watcher.read
        found = self._watcher.see(frame)
        if self._watcher.read > read:
            self._looked_at.append(frame)
        self._drive(found)
        return found

    def finish(self) -> tuple[Event, ...]:
        """The events still pending at the end; delivers the remaining rolls or reports what is missing."""
        found = self._watcher.finish()
        self._drive(found)
        self._driver.finish()
        return found

    def _drive(self, found: tuple[Event, ...]) -> None:
        rolls = [event for event in found if isinstance(event, Roll)]
        for roll in rolls:
            self._driver.saw(roll, self._read_from(roll))
        if not rolls:
            self._driver.look()

    def _read_from(self, roll: Roll) -> Pixels:
        """The last frame read for a roll; the frame in which it is reported may already show a hand."""
        return min(self._looked_at, key=lambda frame: abs(frame.number - roll.counted_frame)).pixels


def _no_start(link: Link, error: ServerGone) -> str:
    if isinstance(error, TryLater):
        return f"The server at {link.origin} cannot begin now. Try again later. ({error})"
    return f"No server responds at {link.origin}. {link.hint} ({error})"


def _as_seen(roll: Roll) -> dict[str, Any]:
    """The roll as `api.http.cameras.schemas.SeenRoll`."""
    names = [str(each.piece.value) if isinstance(each.piece, Die) else each.piece.name for each in roll.pieces]
    places = {new: [_middle(each) for each in roll.pieces if each.thrown == new] for new in (True, False)}
    when = {"number": roll.number, "frame": roll.frame, "time": roll.time}
    return {**when, "pieces": names, "thrown": places[True], "still": places[False]}


def _middle(piece: Piece) -> tuple[float, float]:
    """Of its box, in the picture: a piece that is cut off has corners outside."""
    x, y = middle_of(piece.piece.box)
    return max(0.0, x), max(0.0, y)


def _jpeg(pixels: Pixels) -> bytes:
    data = BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=_QUALITY)
    return data.getvalue()
