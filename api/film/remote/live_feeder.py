"""Feeds a live game on a server with what a camera sees, as photos, like a player's phone.

    feeder = LiveFeeder(Link.parse("http://localhost:8000/table/ID#TOKEN"), print)
    watcher = FeedingWatcher(Watcher(reader), feeder)           takes every frame in place of the watcher

Referee and record are on the server. An open choice is answered when the next throw reveals it (`scorer.camera.follower`): a
throw of four dice next to three 5s means "point 5", a throw of all dice means "stop". Anything else, and any photo the server
doubts, is left to the phones; their moves are picked up as they come. For a choice answered by the camera the record names
the roll that revealed it, and whether it is inferred because that roll fits other choices too.

Nothing is played twice: the record is fetched before anything is sent, and every request names its known length, so the
effect of a lost response, or of a phone, is seen first. A roll waits until somebody has played it, so a server that is
unreachable for a while receives all rolls in order.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import takewhile

from PIL import Image

from api.evidence.place import without_place
from api.film.analysis import Watches
from api.film.event_log import Event
from api.film.game_tracker import beside, observation_of
from api.film.remote.game_client import CannotJoin, GameClient, Link, Refused, ServerGone, StaleState
from scorer.camera.follower import Followed, Follower, Observation
from scorer.engine.record import Entry, Record
from scorer.engine.snapshot import named
from scorer.engine.worth import Piece
from vision.photo import Pixels
from vision.watch.events import Frame, Roll

SURE = 0.95
"""Minimum probability for answering a choice on behalf of a player."""
LISTENS = 1.0
"""Seconds between polls while something waits for the phones."""
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts to reach the server."""
AT_THE_END = 30.0
"""Seconds to wait at the end for a server to take the remaining rolls."""
_QUALITY = 95
_LOOKED_AT = 3
"""Frames kept after reading: a roll is reported with the frame it was read from, or with the next one."""

Say = Callable[[str], None]


@dataclass(eq=False, slots=True)
class _Waiting:
    """A roll that is not yet in the record.

    Attributes:
        roll: the roll.
        observation: what it shows.
        photo: JPEG of the last frame it was read from.
        sha256: of the photo as the server stores it.
        shown_at: length of the record when the server doubted it; 0: not yet.
        asked_at: length of the record when the phones were asked for a choice; 0: not yet.
    """

    roll: Roll
    observation: Observation
    photo: bytes
    sha256: str
    shown_at: int = 0
    asked_at: int = 0

    @property
    def name(self) -> str:
        """Its name in messages."""
        return f"Roll {self.roll.number}"


class LiveFeeder:
    """Plays a camera's rolls in a game on a server."""

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
        try:
            self._client.sit()
            self._record = self._client.record()
        except (ServerGone, CannotJoin) as error:
            self._client.close()
            if isinstance(error, CannotJoin):
                raise
            raise CannotJoin(f"No server responds at {link.origin}. Start it with muggins serve. ({error})") from error
        self._waiting: deque[_Waiting] = deque()
        self._failures = 0
        self._next = 0.0

    @property
    def record(self) -> Record:
        """The record as last fetched."""
        return self._record

    @property
    def waiting(self) -> int:
        """Number of rolls that are not yet in the record."""
        return len(self._waiting)

    def saw(self, roll: Roll, pixels: Pixels) -> None:
        """Add a roll.

        Args:
            roll: counted by the watcher.
            pixels: frame it was read from, H x W x 3 RGB.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        try:
            observation = observation_of(roll, self._record.header.game)
        except ValueError as error:
            self._say(f"Roll {roll.number}: {error}. Not played.")
            return
        photo = _jpeg(pixels)
        stored = hashlib.sha256(without_place(photo)).hexdigest()
        self._waiting.append(_Waiting(roll, observation, photo, stored))
        if not self._failures:
            self._next = 0.0
        self.look()

    def look(self) -> None:
        """Retry what waits and pick up moves from phones; call this regularly.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        if not self._waiting or self._clock() < self._next:
            return
        try:
            self._hear()
            while self._waiting and self._step():
                self._hear()
        except ServerGone:
            self._wait()
            return
        if self._failures:
            self._say("Connected again.")
        self._failures, self._next = 0, self._clock() + LISTENS

    def finish(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Finish: deliver the waiting rolls if the server returns in time, and report the rest.

        Raises:
            CannotJoin: the link is no longer valid.
        """
        until = self._clock() + AT_THE_END
        self.look()
        while self._failures and self._clock() < until:
            sleep(max(0.0, self._next - self._clock()))
            self.look()
        for left in self._waiting:
            self._say(f"{left.name} was not played. Play it on a phone.")
        self.close()

    def close(self) -> None:
        """Disconnect; the game stays as it is."""
        self._client.close()

    # Moves from phones

    def _hear(self) -> None:
        known, self._record = self._record, self._client.record()
        for entry in self._record.entries[len(known.entries) :]:
            if entry.move and self._record.game.laid_by(entry.move):
                self._answered(entry)

    def _answered(self, entry: Entry) -> None:
        """Handle a new throw in the record, which may be the first waiting roll."""
        if not self._waiting:
            return
        first = self._waiting[0]
        laid = self._record.game.laid_by(entry.move) if entry.move else ()
        same = (entry.seen or {}).get("sha256") == first.sha256 or _is(first.observation, laid)
        if same or first.shown_at:
            self._waiting.popleft()
        if first.shown_at and not same:
            self._say(f"{first.name}: a phone played {entry.move}.")

    # The next step

    def _step(self) -> bool:
        """Take one step if there is anything to do."""
        first, lines = self._waiting[0], len(self._record.lines)
        if self._record.result is not None:
            return self._leave_out(first, "the game is over")
        follower = Follower(self._record.game, self._record.state)
        for each in self._waiting:
            follower.observe(each.observation)
        if any(trouble.observation == 0 for trouble in follower.unexplained):
            return self._leave_out(first, self._named(follower.unexplained[0].text))
        if first.shown_at == lines:
            return False
        planned = next(_sure(follower.moves), None)
        if planned is None:
            return self._ask(first, lines)
        try:
            return (
                self._play(planned, lines)
                if not self._record.game.laid_by(planned.move)
                else self._show(first, planned, lines)
            )
        except StaleState:
            return True
        except Refused as error:
            return self._leave_out(first, str(error))

    def _leave_out(self, first: _Waiting, why: str) -> bool:
        self._waiting.popleft()
        self._say(f"{first.name} was not played: {why}")
        return True

    def _ask(self, first: _Waiting, lines: int) -> bool:
        """Ask the phones for a choice that this throw does not reveal."""
        if first.asked_at != lines:
            first.asked_at = lines
            asked = self._named(self._record.game.prompt(self._record.state))
            self._say(f"{first.name} is waiting for a choice the camera cannot see. Answer on a phone: {asked}")
        return False

    def _play(self, planned: Followed, lines: int) -> bool:
        told_by = self._waiting[planned.observation].roll
        self._client.play(lines, str(planned.move), beside(planned, told_by))
        self._say(f"{'Inferred' if planned.inferred else 'Seen'}: {planned.move}")
        return True

    def _show(self, first: _Waiting, planned: Followed, lines: int) -> bool:
        told = self._client.show(lines, first.photo)
        ruling, first.sha256 = told["ruling"], told["reading"]["reading"]["sha256"]
        if ruling["outcome"] == "doubt":
            first.shown_at = lines
            self._say(f"{first.name}: please check on a phone: {ruling['doubt']['message']}")
            return False
        if str(planned.move) not in ruling["moves"]:
            played = ", ".join(ruling["moves"])
            self._say(f"{first.name}: the server read {played}, the camera {planned.move}. Please check.")
        return True

    def _wait(self) -> None:
        """The server is unreachable: retry later."""
        if not self._failures:
            self._say("Connection lost. Rolls are kept until the server responds. Reconnecting…")
        self._next = self._clock() + PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1

    def _named(self, text: str) -> str:
        return named(text, self._record.header.players)


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


def _sure(moves: tuple[Followed, ...]) -> Iterator[Followed]:
    return takewhile(lambda each: each.chance >= SURE, moves)


def _is(observation: Observation, laid: Sequence[Piece]) -> bool:
    """Whether these pieces, which a move put on the table, are those observed."""
    return sorted(map(str, observation.tiles or observation.thrown)) == sorted(map(str, laid))


def _jpeg(pixels: Pixels) -> bytes:
    data = BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=_QUALITY)
    return data.getvalue()
