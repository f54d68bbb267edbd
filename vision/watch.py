"""A filmed table watched: frames in, rolls out, each once and when it has settled.

Every frame is looked at small and grey (`vision.watch_motion`), which costs little. The networks run when all has come to lie
still and something is otherwise than when it lay still last, a few times (`vision.watch_evidence`); while much moves, now and
then. What lies there then is compared with what lay there before (`vision.watch_ledger`): pieces that came by themselves are
a roll (`vision.watch_past`). Nothing else is one.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from vision.doubt import covered
from vision.locate import Find
from vision.photo import Photo, of_frame
from vision.reader import TableReader
from vision.reading import Die, Point, Reading, Tile
from vision.watch_events import Change, Frame, Piece, Roll, State
from vision.watch_evidence import Look, median
from vision.watch_ledger import BELIEVED, Ledger
from vision.watch_motion import Eye, Glimpse, Grey, Mask, blobs, difference, everywhere, moved, pushed, shifted, small
from vision.watch_past import Moment, Past, in_small, is_hand

__all__ = ["Change", "Frame", "Piece", "Roll", "State", "WatchSettings", "Watcher"]

Event = Change | Roll


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """When to look, and what to wait for; in seconds, and in shares of a picture."""

    lag: float = 0.1
    """What has not moved for so long lies still."""
    glance: float = 0.06
    """Between two looks at a table that lies still."""
    looks: int = 3
    """How often a table is looked at, at least, before it is counted."""
    most_looks: int = 6
    """And at most, while a doubt remains."""
    peek: float = 0.3
    """Between two looks while something moves."""
    hesitation: float = 1.0
    """How long something hardly believed must lie there to be counted where it may lie in a hand."""
    patience: float = 3.0
    """How long a hand may lie on the table, or move beside pieces that lie still, before they are counted all the same."""
    twitch: float = 0.15
    """Of a piece's area: what moves less than that lies still."""
    piece: float = 0.05
    """A piece's side over the picture's longer side, as long as none has been seen."""


DEFAULT_SETTINGS = WatchSettings()
_SAME = 0.5
"""Share of the smaller of two finds that the other covers, from which on they are of one thing."""
_SELDOM = 3
"""Under a hand that moves there is little to see: so many times less is looked."""
_LARGEST = 0.3
"""A piece's side over the picture's longer side, at most."""
_TABLES = 6
"""Pictures of the settled table that are remembered: a hand may have lain in one of them."""
_MUCH = 0.15
"""Share of the picture that has changed, from which on the camera may have been pushed farther than it shakes."""


class Watcher:
    """Watches one table. It is shown every frame, in their order, and says what has happened.

    `seen` counts the frames, `read` those on which the networks ran; `pieces` is what lay there when all lay still last.
    """

    def __init__(self, reader: TableReader, settings: WatchSettings = DEFAULT_SETTINGS) -> None:
        """Begin with a table of which nothing is known: dice that lie there already are the first roll."""
        self.seen = self.read = 0
        self.state: State = "empty"
        self.pieces: tuple[Piece, ...] = ()
        self._reader, self._settings = reader, settings
        self._eye, self._ledger = Eye(settings.lag), Ledger()
        self._rolls = 0
        self._side = self._largest = settings.piece
        self._settled: Glimpse | None = None
        self._tables: deque[Grey] = deque(maxlen=_TABLES)
        self._stirred: Glimpse | None = None
        self._rested: Glimpse | None = None
        self._looks: list[Look] = []
        self._peeks: list[Look] = []

    @classmethod
    def resumed(cls, reader: TableReader, rolls: Sequence[Roll], settings: WatchSettings = DEFAULT_SETTINGS) -> Self:
        """Go on after an interruption: the pieces of the last roll are known, and its number is counted on from."""
        watcher = cls(reader, settings)
        if rolls:
            watcher.state, watcher.pieces, watcher._rolls = "counted", rolls[-1].pieces, rolls[-1].number
            watcher._ledger = Ledger(rolls[-1].pieces)
        return watcher

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What this frame brings to an end: changes of state, and a roll that is now counted.

        Raises:
            vision.photo.PhotoError: the frame is too small or too large to be a picture of a table.
        """
        self.seen += 1
        now = Glimpse(frame.number, frame.time, small(frame.pixels))
        stir = self._eye.see(now)
        if self._moves(stir):
            return tuple(self._while_it_moves(frame, now, stir))
        self._peeks, self._rested = [], self._rested or self._eye.before
        changed = self._changed(now)
        if not self._moves(changed):
            return tuple(self._as_before(now))
        if self._settled and self._covered(now, changed) and now.time - self._rested.time < self._settings.patience:
            return ()
        return tuple(self._while_it_lies(frame, now))

    def finish(self) -> tuple[Event, ...]:
        """The source has ended: what was looked at, though not as often as it might have been, is counted."""
        return tuple(self._count(self._looks)) if self._looks else ()

    # What moves, what has changed

    def _moves(self, mask: Mask) -> bool:
        limit = self._settings.twitch * (self._side * max(mask.shape)) ** 2
        return any(thing.area > limit for thing in blobs(mask)[:1])

    def _changed(self, now: Glimpse) -> Mask:
        """What is otherwise than when all lay still last."""
        if self._settled is None:
            return np.ones(now.picture.shape, bool)
        return _since(self._settled.picture, now.picture)

    def _covered(self, now: Glimpse, changed: Mask) -> bool:
        """Whether a hand, or something as large, lies where none lay in any picture of the settled table."""
        return self._handed(changed) and all(self._handed(_since(table, now.picture)) for table in self._tables)

    def _handed(self, changed: Mask) -> bool:
        piece = (self._largest * max(changed.shape)) ** 2
        return not everywhere(changed) and any(is_hand(thing, piece) for thing in blobs(changed))

    # Looking

    def _while_it_moves(self, frame: Frame, now: Glimpse, stir: Mask) -> Iterator[Event]:
        if self._rested is not None or self._stirred is None:
            if len(self._looks) >= self._settings.looks and not self._perhaps_in_a_hand(self._looks):
                yield from self._count(self._looks)
            self._looks, self._rested, self._stirred = [], None, now
        pause = self._settings.peek * (_SELDOM if self._handed(stir) else 1)
        if self._peeks and now.time - self._peeks[-1].glimpse.time < pause:
            return
        peek = self._look(frame, now)
        self._peeks = [*(self._peeks if self._beside(stir, peek) else []), peek]
        if any(not self._ledger.knows(piece.find.corners) for piece in peek.pieces):
            yield from self._turn("rolling", self._stirred)
        if now.time - self._peeks[0].glimpse.time >= self._settings.patience:
            self._rested = self._peeks[0].glimpse
            yield from self._count(self._peeks[-self._settings.most_looks :])
            self._peeks = []

    def _beside(self, stir: Mask, peek: Look) -> bool:
        """Whether there are pieces, and what moves is nowhere near them."""
        scale = max(stir.shape) / max(peek.photo.width, peek.photo.height)
        boxes = [piece.find.scaled(scale) for piece in peek.pieces]
        near = (stir[_reach(box.top, box.bottom), _reach(box.left, box.right)] for box in boxes)
        return bool(boxes) and not any(part.any() for part in near)

    def _as_before(self, now: Glimpse) -> Iterator[Event]:
        """All lies as it lay when it was counted. Daylight changes slowly, so what is known of the table goes with it."""
        self._looks, self._stirred = [], None
        self._settled = now
        self._eye.begin(now)
        yield from self._turn(self._at_rest, now)

    def _while_it_lies(self, frame: Frame, now: Glimpse) -> Iterator[Event]:
        pause = self._settings.glance if len(self._looks) < self._settings.most_looks else self._settings.peek
        if self._looks and now.time - self._looks[-1].glimpse.time < pause:
            return
        self._looks.append(self._look(frame, now))
        if self.state == "rolling" and self._rested:
            yield from self._turn("settled", self._rested)
        if self._enough(now):
            yield from self._count(self._looks)

    def _enough(self, now: Glimpse) -> bool:
        """Whether no further look would help, or there have been so many."""
        settings = self._settings
        if len(self._looks) < settings.looks:
            return False
        looks = self._looks[-settings.most_looks :]
        if self._reading(looks).sure:
            return True
        if self._perhaps_in_a_hand(looks) and self._rested is not None:
            return now.time - self._rested.time >= settings.hesitation
        return len(self._looks) >= settings.most_looks

    def _perhaps_in_a_hand(self, looks: Sequence[Look]) -> bool:
        """Whether something hardly believed lies on something larger that has come in from the edge, to be gone with it."""
        now, reading = looks[-1].glimpse, self._reading(looks)
        moment = Moment(now.time, self._changed(now))
        scale = max(moment.mask.shape) / max(reading.width, reading.height)
        return any(
            piece.confidence < BELIEVED
            and not self._ledger.knows(piece.box)
            and moment.held(in_small(piece.box, scale, moment.mask.shape))
            for piece in pieces_of(reading)
        )

    def _look(self, frame: Frame, now: Glimpse) -> Look:
        self.read += 1
        photo = of_frame(frame.pixels, f"frame {frame.number}")
        look = Look(now, photo, tuple(self._reader.candidates(photo)))
        if not self._rolls:
            self._measure([piece.find for piece in look.pieces if piece.confidence >= BELIEVED], photo)
        return look

    def _measure(self, finds: Sequence[Find], photo: Photo) -> None:
        """How large pieces are on this table, from some that are believed; a thing that fills the picture is none."""
        long = max(photo.width, photo.height)
        sides = [math.sqrt(find.width * find.height) / long for find in finds]
        if sides := [side for side in sides if side < _LARGEST]:
            self._side, self._largest = statistics.median(sides), max(sides)

    # Counting

    def _reading(self, looks: Sequence[Look]) -> Reading:
        return self._reader.reading(looks[-1].photo, median(looks))

    def _count(self, looks: Sequence[Look]) -> Iterator[Event]:
        """What lies there, compared with what lay there before; a roll if any of it was thrown."""
        last = looks[-1].glimpse
        scale = max(last.picture.shape) / max(looks[-1].photo.width, looks[-1].photo.height)
        told = Past(self._eye.past(last), last.picture, scale, (self._largest * max(last.picture.shape)) ** 2)
        reading = self._without_lookalikes(looks[-self._settings.most_looks :], told)
        self.pieces = self._ledger.count(pieces_of(reading), told, self._bump(last, scale))
        rested = self._rested or last
        if any(piece.thrown for piece in self.pieces):
            if self.state != "settled":
                yield from self._turn("rolling", self._stirred or rested)
            yield from self._turn("settled", rested)
            self._rolls += 1
            yield Roll(self._rolls, rested.frame, rested.time, last.frame, last.time, reading, self.pieces)
        yield from self._turn(self._at_rest, last)
        self._settled, self._looks, self._stirred = last, [], None
        self._tables.appendleft(last.picture)
        self._eye.begin(last)

    def _without_lookalikes(self, looks: Sequence[Look], told: Past) -> Reading:
        """The looks together, without what was there all the time and is rather part of the table."""
        candidates, photo = median(looks), looks[-1].photo
        reading = self._reader.reading(photo, candidates)
        seen = pieces_of(reading)
        furniture = [seen[j].box for j in self._ledger.lookalikes(seen, told)]
        finds = [each.find for each in candidates if each.find.corners in furniture]
        rest = [each for each in candidates if not any(covered(each.find, find) > _SAME for find in finds)]
        self._measure([each.find for each in rest if each.is_piece and each.confidence >= BELIEVED], photo)
        return self._reader.reading(photo, rest) if furniture else reading

    def _bump(self, now: Glimpse, scale: float) -> Point:
        """By how much the picture seems to have been moved since all lay still last, in pixels of the frame."""
        if self._settled is None or self._settled.picture.shape != now.picture.shape:
            return 0.0, 0.0
        x, y = pushed(self._settled.picture, now.picture)
        return x / scale, y / scale

    # States

    @property
    def _at_rest(self) -> State:
        """The state of a table on which all lies still and has been counted."""
        if self.pieces:
            return "counted"
        return "cleared" if self._rolls else "empty"

    def _turn(self, state: State, when: Glimpse) -> Iterator[Change]:
        if state != self.state:
            self.state = state
            yield Change(state, when.frame, when.time)


def pieces_of(reading: Reading) -> tuple[Die | Tile, ...]:
    """The dice, then the tiles."""
    return (*reading.dice, *reading.tiles)


def _since(then: Grey, now: Grey) -> Mask:
    """What has changed between two pictures of a table on which all lies still."""
    if then.shape != now.shape:
        return np.ones(now.shape, bool)
    changed = moved(difference(then, now, lamp=True))
    if changed.mean() < _MUCH:
        return changed
    pushed_back = moved(difference(shifted(then, pushed(then, now)), now, lamp=True))
    return pushed_back if 2 * pushed_back.mean() < changed.mean() else changed


def _reach(low: float, high: float) -> slice:
    """The pixels of a piece and a little on either side, from its edges in one direction."""
    more = (high - low) / 4
    return slice(max(0, int(low - more)), int(high + more) + 1)
