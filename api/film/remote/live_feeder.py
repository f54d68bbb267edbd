"""Feeds a live game on a server with the rolls that a camera here has seen.

    feeder = LiveFeeder(Link.parse("http://localhost:8000/table/ID#TOKEN"), print)
    watcher = FeedingWatcher(Watcher(reader), feeder)           takes every frame in place of the watcher

Referee, record and the queue of rolls are on the server (`api.http.cameras`): it reads the photo of each roll itself, plays what
is sure, and asks on every phone of the game about the rest. Its answers are reported here.

No roll is lost or played twice: unconfirmed rolls are kept on disk (`outbox`) and sent again, each under the number that this
camera gave it, and the server takes each number once. A roll is sent once it is in the event log, so that no other gets its
number. Rolls left at the end are listed; a resumed watch sends them. Where others have played since the last answer of the
server, it asks a player whether such a roll is still the next. A roll that the server refuses for good is reported, to be
played on a phone.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from PIL import Image

from api.film.analysis import Watches
from api.film.event_log import Event
from api.film.remote.game_client import CannotJoin, GameClient, Link, Refused, ServerGone, TryLater
from api.film.remote.outbox import Outbox, Unsent
from scorer.engine.expected import Expected
from scorer.games.registry import game_named
from scorer.pieces.text import listed
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


class LiveFeeder:
    """Sends a camera's rolls to a game on a server (implements `api.film.pipeline.Feeds`).

    `look` may run in another thread than `keep` and `add` (`background`).
    """

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
        self._game_id = link.game
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
        self._events: Path | None = None
        self._outbox: Outbox | None = None
        self._found: dict[int, Unsent] = {}
        self._unsent: deque[Unsent] = deque()
        self._late: set[int] = set()
        self._queued = int(status["waiting"])
        self._others = int(status.get("others", 0))
        self._heard = max((each["number"] for each in status["said"]), default=0)
        self._failures = 0
        self._why = ""
        self._next = 0.0

    @property
    def pieces(self) -> Expected:
        """The pieces that the game is played with."""
        return self._game.pieces

    @property
    def waiting(self) -> int:
        """Number of rolls that are not yet in the record."""
        return len(self._unsent) + self._queued

    def resume(self, events: Path, rolls: Sequence[Roll]) -> None:
        """Begin with an event log, and send those of its rolls that the server has not confirmed.

        Args:
            events: path of the event log; unconfirmed rolls are kept beside it.
            rolls: those in it.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        self._events, self._outbox = events, Outbox(events)
        kept = self._outbox.unsent(rolls)
        own = [each for each in kept if each.game == self._game_id]
        others = [each for each in kept if each.game != self._game_id]
        sent = len(rolls) - len(kept)
        if sent:
            # The log does not say whether it was watched for a game; photos are kept for that only.
            known, lacking = ("1 roll is", "it") if sent == 1 else (f"{sent} rolls are", "one")
            self._say(
                f"{known} known from before and not sent now: taken by the server then, or watched without --serve, which "
                f"keeps no photos to send. If the game lacks {lacking}, play it on a phone."
            )
        if others:
            self._say(f"{_named(others)} found for another game and not sent to this one.")
        if own:
            self._say(f"{_named(own)} not sent before. Sending now.")
            self._source = own[-1].camera
        self._unsent += own
        self._mark_late()
        self.look()

    def keep(self, roll: Roll, pixels: Pixels) -> None:
        """Keep a roll on disk until the server has confirmed it; it is sent once it is in the event log (`on_disk`).

        Args:
            roll: counted by the watcher.
            pixels: frame it was read from, H x W x 3 RGB.

        Raises:
            EventLogError: it cannot be written.
        """
        seen = Unsent(self._game_id, self._source, roll.number, roll.frame, self._others, _as_seen(roll))
        self._box.put(seen, _jpeg(pixels))
        self._found[roll.number] = seen

    def on_disk(self, found: Sequence[Event]) -> None:
        """Send the rolls among these events, which are in the event log now, and what is left; call this regularly.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        self.add(found)
        self.look()

    def add(self, found: Sequence[Event]) -> None:
        """Queue the rolls among these events, which are in the event log now, for the next `look`."""
        rolls = [self._found.pop(each.number) for each in found if isinstance(each, Roll)]
        self._unsent += rolls
        if rolls and not self._failures:
            self._next = 0.0

    def look(self) -> None:
        """Send what is left, and poll the status of the waiting rolls; call this regularly.

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
        """Disconnect, and list the rolls that were not sent; the game stays as it is."""
        # Ctrl-C may come after a roll is in the event log and before `add`.
        left = (*self._unsent, *self._found.values())
        if left:
            it = "it" if len(left) == 1 else "them"
            again = f"The same command with --events {self._events} sends {it}; or play {it} on a phone."
            self._say(f"{_named(left)} not sent. {again}")
        self._unsent.clear()
        self._found.clear()
        self._client.close()

    @property
    def _box(self) -> Outbox:
        assert self._outbox, "`resume` names the event log first"
        return self._outbox

    def _deliver(self) -> None:
        if self._failures or not self._unsent:
            self._hear(self._client.status())
            self._mark_late()
        while self._unsent:
            self._send(self._unsent[0])
            self._box.drop(self._unsent.popleft().number)

    def _send(self, unsent: Unsent) -> None:
        photo = self._box.photo(unsent.number)
        if photo is None:
            self._say(f"Roll {unsent.number} was not sent: its photo is gone. Play it on a phone.")
            return
        late = {"late": True} if unsent.number in self._late else {}
        try:
            self._hear(self._client.send(unsent.camera, {**unsent.roll, **late}, photo))
        except Refused as error:
            self._say(f"Roll {unsent.number} was not taken: {error}")

    def _mark_late(self) -> None:
        """Mark the rolls that others may have played by hand: the server knows of other throws since they were found."""
        self._late |= {each.number for each in tuple(self._unsent) if each.others != self._others}

    def _hear(self, status: Mapping[str, Any]) -> None:
        """Report what the server has done since; one that was restarted numbers its sentences anew."""
        self._queued = status["waiting"]
        self._others = int(status.get("others", self._others))
        last = max((each["number"] for each in status["said"]), default=0)
        heard = self._heard if last >= self._heard else 0
        for each in status["said"]:
            if each["number"] > heard:
                self._say(each["text"])
        self._heard = last

    def _wait(self, error: ServerGone) -> None:
        """The server is unreachable or cannot take it now: report why, once, and retry later."""
        why = f"{error} Rolls are kept and sent again." if isinstance(error, TryLater) else _LOST
        if why != self._why:
            self._say(why)
        self._why = why
        self._next = self._clock() + PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1


class Keeps(Protocol):
    """Keeps rolls for a game: `LiveFeeder`, or one in the background."""

    def keep(self, roll: Roll, pixels: Pixels) -> None:
        """Keep a roll and the frame it was read from."""


class FeedingWatcher:
    """A watcher that keeps rolls for a live game (implements `api.film.analysis.Watches`)."""

    def __init__(self, watcher: Watches, driver: Keeps) -> None:
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
        """The frames, with what the watcher can compute ahead."""
        return self._watcher.prepared(frames)

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """The events found with this frame; its roll is kept for the game."""
        read = self._watcher.read
        found = self._watcher.see(frame)
        if self._watcher.read > read:
            self._looked_at.append(frame)
        return self._kept(found)

    def finish(self) -> tuple[Event, ...]:
        """The events still pending at the end."""
        return self._kept(self._watcher.finish())

    def _kept(self, found: tuple[Event, ...]) -> tuple[Event, ...]:
        for event in found:
            if isinstance(event, Roll):
                self._driver.keep(event, self._read_from(event))
        return found

    def _read_from(self, roll: Roll) -> Pixels:
        """The last frame read for a roll; the frame in which it is reported may already show a hand."""
        return min(self._looked_at, key=lambda frame: abs(frame.number - roll.counted_frame)).pixels


def _named(rolls: Iterable[Unsent]) -> str:
    """The rolls as the beginning of a sentence."""
    numbers = [str(each.number) for each in rolls]
    return f"Roll {numbers[0]} was" if len(numbers) == 1 else f"Rolls {listed(numbers)} were"


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
    """The centre of the piece's box, within the picture: a piece at the edge has corners outside."""
    x, y = middle_of(piece.piece.box)
    return max(0.0, x), max(0.0, y)


def _jpeg(pixels: Pixels) -> bytes:
    data = BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=_QUALITY)
    return data.getvalue()
