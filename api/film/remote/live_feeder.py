"""A camera that drives a game on a running server: what it sees is shown there as photos, as a player's phone would.

    driver = Driver(Link.parse("http://localhost:8000/table/ID#TOKEN"), print)
    watcher = Driven(Watcher(reader), driver)           is shown every frame, instead of the watcher

The referee and the record are the server's. A choice that was asked is answered when the next throw shows it
(`scorer.camera.follower`): a throw of four beside three 5s says "point 5", one of all dice says "stop". What stays open, and what
the server doubts in a photo, is left to the phones; what they play meanwhile is heard, and waits for nobody. Of a choice
that the camera answers the record says which roll told it, and, where that roll fits another choice too, that it is inferred.

Nothing is played twice. Before anything is sent, the record is asked for, and every request names the lines that were
known: what a lost answer may have brought about, or a phone, stands there already. A roll waits until it is played, by
whomever, so a server that is away for a while gets all of them, in turn.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import takewhile

from PIL import Image

from api.evidence.place import without_place
from api.film.analysis import Watches
from api.film.event_log import Event
from api.film.game_tracker import beside, observation_of
from api.film.remote.game_client import Behind, Gone, Link, NoSeat, Refused, Seat
from scorer.camera.follower import Followed, Follower, Observation
from scorer.camera.observation import VISIBLE_VERBS
from scorer.engine.record import Entry, Record
from scorer.engine.snapshot import named
from vision.photo import Pixels
from vision.watch.events import Frame, Roll

SURE = 0.95
"""How likely a choice must be to be answered for a player."""
LISTENS = 1.0
"""Seconds after which the phones are listened to again, while something waits for them."""
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds until a server that does not answer is asked again."""
AT_THE_END = 30.0
"""Seconds that a server has at the end to come back for what still waits."""
_QUALITY = 95
_LOOKED_AT = 3
"""Frames that the networks read and that are kept: a roll is told with the one it was read from, or when the next is read."""

Say = Callable[[str], None]


@dataclass(eq=False, slots=True)
class _Waiting:
    """A roll that is not in the record yet.

    Attributes:
        roll: the roll.
        observation: what it showed.
        photo: the frame that it was read from last, JPEG.
        sha256: as the server will know it.
        shown_at: how many lines the record had when the server doubted it; 0 before.
        asked_at: the same when the phones were asked for a choice before it.
    """

    roll: Roll
    observation: Observation
    photo: bytes
    sha256: str
    shown_at: int = 0
    asked_at: int = 0

    @property
    def name(self) -> str:
        """What a person knows it by."""
        return f"Roll {self.roll.number}"


class Driver:
    """Plays a game on a server by what a camera sees."""

    def __init__(self, link: Link, say: Say, clock: Callable[[], float] = time.monotonic) -> None:
        """Sit down at the game.

        Args:
            link: of the game's players.
            say: is told what a person should know.
            clock: seconds.

        Raises:
            NoSeat: the link is not good, or no server answers there.
        """
        self._say, self._clock = say, clock
        self._seat = Seat(link)
        try:
            self._record = self._seat.record()
        except (Gone, NoSeat) as error:
            self._seat.close()
            if isinstance(error, NoSeat):
                raise
            raise NoSeat(f"No server answers at {link.origin}: start it with muggins serve. ({error})") from error
        self._waiting: deque[_Waiting] = deque()
        self._failures = 0
        self._next = 0.0

    @property
    def record(self) -> Record:
        """The record as it was heard last."""
        return self._record

    @property
    def waiting(self) -> int:
        """How many rolls are not in the record yet."""
        return len(self._waiting)

    def saw(self, roll: Roll, pixels: Pixels) -> None:
        """One roll more.

        Args:
            roll: that was counted.
            pixels: the frame it was read from, H x W x 3 RGB.

        Raises:
            NoSeat: the link is no longer good.
        """
        try:
            observation = observation_of(roll, self._record.header.game)
        except ValueError as error:
            self._say(f"Roll {roll.number}: {error}. It is not played.")
            return
        photo = _jpeg(pixels)
        stored = hashlib.sha256(without_place(photo)).hexdigest()
        self._waiting.append(_Waiting(roll, observation, photo, stored))
        if not self._failures:
            self._next = 0.0
        self.look()

    def look(self) -> None:
        """To be called now and then: what waits is tried again, and what phones played meanwhile is heard.

        Raises:
            NoSeat: the link is no longer good.
        """
        if not self._waiting or self._clock() < self._next:
            return
        try:
            self._hear()
            while self._waiting and self._step():
                self._hear()
        except Gone:
            self._wait()
            return
        if self._failures:
            self._say("The server is back.")
        self._failures, self._next = 0, self._clock() + LISTENS

    def finish(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """No roll more: what waits for the server is delivered, if it comes back in time; the rest is told.

        Raises:
            NoSeat: the link is no longer good.
        """
        until = self._clock() + AT_THE_END
        self.look()
        while self._failures and self._clock() < until:
            sleep(max(0.0, self._next - self._clock()))
            self.look()
        for left in self._waiting:
            self._say(f"{left.name} was not played: play it on a phone.")
        self.close()

    def close(self) -> None:
        """Leave the game as it is."""
        self._seat.close()

    # What others have done

    def _hear(self) -> None:
        known, self._record = self._record, self._seat.record()
        for entry in self._record.entries[len(known.entries) :]:
            if entry.move and entry.move.verb in VISIBLE_VERBS:
                self._answered(entry)

    def _answered(self, entry: Entry) -> None:
        """A throw that came into the record: is it the one that waits first?"""
        if not self._waiting:
            return
        first = self._waiting[0]
        same = (entry.seen or {}).get("sha256") == first.sha256 or _is(first.observation, entry)
        if same or first.shown_at:
            self._waiting.popleft()
        if first.shown_at and not same:
            self._say(f"{first.name}: on a phone it is {entry.move}.")

    # What is done next

    def _step(self) -> bool:
        """Do one thing, if something is to be done before anybody says more."""
        first, lines = self._waiting[0], len(self._record.lines)
        if self._record.result is not None:
            return self._leave_out(first, "the game is over")
        follower = Follower(self._record.game, self._record.state)
        for each in self._waiting:
            follower.observe(each.observation)
        if any(trouble.observation == 0 for trouble in follower.troubles):
            return self._leave_out(first, self._named(follower.troubles[0].text))
        if first.shown_at == lines:
            return False
        planned = next(_sure(follower.moves), None)
        if planned is None:
            return self._ask(first, lines)
        try:
            return (
                self._play(planned, lines)
                if planned.move.verb not in VISIBLE_VERBS
                else self._show(first, planned, lines)
            )
        except Behind:
            return True
        except Refused as error:
            return self._leave_out(first, str(error))

    def _leave_out(self, first: _Waiting, why: str) -> bool:
        self._waiting.popleft()
        self._say(f"{first.name} is not played: {why}")
        return True

    def _ask(self, first: _Waiting, lines: int) -> bool:
        """Nothing tells what was chosen before this throw: a phone has to."""
        if first.asked_at != lines:
            first.asked_at = lines
            asked = self._named(self._record.game.prompt(self._record.state))
            self._say(f"{first.name} waits, for the camera cannot tell. On a phone, please: {asked}")
        return False

    def _play(self, planned: Followed, lines: int) -> bool:
        told_by = self._waiting[planned.observation].roll
        self._seat.play(lines, str(planned.move), beside(planned, told_by))
        self._say(f"{'Inferred' if planned.inferred else 'Seen'}: {planned.move}")
        return True

    def _show(self, first: _Waiting, planned: Followed, lines: int) -> bool:
        told = self._seat.show(lines, first.photo)
        ruling, first.sha256 = told["ruling"], told["reading"]["reading"]["sha256"]
        if ruling["outcome"] == "doubt":
            first.shown_at = lines
            self._say(f"{first.name}, please look on a phone: {ruling['doubt']['message']}")
            return False
        if str(planned.move) not in ruling["moves"]:
            played = ", ".join(ruling["moves"])
            self._say(f"{first.name}: the server reads {played}, the camera saw {planned.move}. Please look.")
        return True

    def _wait(self) -> None:
        """The server is gone: later, and not so often."""
        if not self._failures:
            self._say("The server does not answer. What is rolled meanwhile is kept for it.")
        self._next = self._clock() + PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1

    def _named(self, text: str) -> str:
        return named(text, self._record.header.players)


class Driven:
    """A watcher whose rolls drive a game; in its place (`api.film.analysis.Watches`)."""

    def __init__(self, watcher: Watches, driver: Driver) -> None:
        self._watcher, self._driver = watcher, driver
        self._looked_at: deque[Frame] = deque(maxlen=_LOOKED_AT)

    @property
    def seen(self) -> int:
        """How many frames came."""
        return self._watcher.seen

    @property
    def read(self) -> int:
        """How many of them the networks read."""
        return self._watcher.read

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What this frame brought about; its roll is played."""
        read = self._watcher.read
        found = self._watcher.see(frame)
        if self._watcher.read > read:
            self._looked_at.append(frame)
        self._drive(found)
        return found

    def finish(self) -> tuple[Event, ...]:
        """What was still to be told at the end; the server has all of it, or it is said what is missing."""
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
        """The frame that the networks read last for it; the one in which it is told may show a hand already."""
        return min(self._looked_at, key=lambda frame: abs(frame.number - roll.counted_frame)).pixels


def _sure(moves: tuple[Followed, ...]) -> Iterator[Followed]:
    return takewhile(lambda each: each.chance >= SURE, moves)


def _is(observation: Observation, entry: Entry) -> bool:
    """Whether the move of a line is what the observation shows."""
    assert entry.move is not None, "an undo shows nothing"
    if observation.tiles:
        return sorted(observation.tiles) == sorted(entry.move.tiles)
    return sorted(observation.thrown) == sorted(entry.move.numbers)


def _jpeg(pixels: Pixels) -> bytes:
    data = BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=_QUALITY)
    return data.getvalue()
