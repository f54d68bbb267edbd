"""A filmed table watched: frames in, rolls out, each once and when it has settled.

Every frame is looked at small and grey (`vision.watch.motion`), which costs little. The networks run when all has come to lie
still and something is otherwise than when it lay still last, a few times (`vision.watch.consensus`); while much moves, now and
then. What lies there then is compared with what lay there before (`vision.watch.tracker`): pieces that came by themselves are
a roll (`vision.watch.history`). Nothing else is one.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from vision.candidate import Candidate
from vision.detect.boxes import overlap
from vision.photo import Photo, of_frame
from vision.reader import TableReader
from vision.reading import Die, Doubt, Point, Reading, Tile
from vision.select import suppress_overlaps
from vision.watch.consensus import Sample, apart, median
from vision.watch.events import Change, Frame, Piece, Roll, State
from vision.watch.history import Moment, MotionHistory, is_hand, thumbnail_box
from vision.watch.motion import Blob, Mask, MotionGate, Thumbnail, blobs, camera_shift, changed_mask, is_global_change
from vision.watch.piece_size import PieceSize
from vision.watch.tracker import BELIEVED, DOUBTLESS, PieceTracker
from vision.watch.unread import unread

__all__ = ["Change", "Frame", "Piece", "Roll", "State", "WatchSettings", "Watcher"]

Event = Change | Roll


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """When to look, and what to wait for; in seconds, and in shares of a picture."""

    lag: float = 0.1
    """What has not moved for so long lies still."""
    detect_fast: float = 0.06
    """Between two looks at a table that lies still."""
    looks: int = 3
    """How often a table is looked at, at least, before it is counted."""
    most_looks: int = 6
    """And at most, while a doubt remains."""
    peek: float = 0.3
    """Between two looks while something moves, or while a hand may lie there; half of it for the first ones then."""
    hesitation: float = 1.0
    """How long something hardly believed must lie there to be counted where it may lie in a hand."""
    respite: float = 0.6
    """How long new pieces must lie there to be counted though something as large as a hand lies there, too."""
    patience: float = 3.0
    """How long a hand may lie on the table, or move beside pieces that lie still, before they are counted all the same."""
    resting: tuple[float, float] = (1.5, 4.0)
    """What looks like a hand and lay there so long ago, too, is rather light, or as good as a part of the table."""
    twitch: float = 0.15
    """Of a piece's area: what moves less than that lies still."""
    piece: float = 0.05
    """A piece's side over the picture's longer side, as long as none has been seen."""


DEFAULT_SETTINGS = WatchSettings()
_SAME = 0.5
"""Share of the smaller of two detections that the other covers, from which on they are of one thing."""
_SELDOM = 3
"""Under a hand that moves there is little to see: so many times less is looked."""
_TABLES = 6
"""Pictures of the settled table that are remembered: a hand may have lain in one of them."""
_MUCH = 0.15
"""Share of the picture that has changed, from which on the camera may have been pushed farther than it shakes."""


class Watcher:
    """Watches one table. It is shown every frame, in their order, and says what has happened.

    `seen` counts the frames, `read` those on which the networks ran; `pieces` is what lay there when all lay still last.
    """

    def __init__(self, reader: TableReader, settings: WatchSettings = DEFAULT_SETTINGS) -> None:
        """Begin with a table of which nothing is known: dice that lie there already are the first roll, if none is in doubt."""
        self.seen = self.read = 0
        self.state: State = "empty"
        self.pieces: tuple[Piece, ...] = ()
        self._reader, self._settings = reader, settings
        self._gate, self._tracker = MotionGate(settings.lag), PieceTracker()
        self._rolls = 0
        self._piece_size = PieceSize(settings.piece)
        self._settled: Thumbnail | None = None
        self._tables: deque[Thumbnail] = deque(maxlen=_TABLES)
        self._covered: deque[Thumbnail] = deque(maxlen=_TABLES)
        self._stirred: Thumbnail | None = None
        self._rested: Thumbnail | None = None
        self._cover: Mask | None = None
        self._blind = False
        self._doubtless: list[Candidate] = []
        self._hidden: Mask | None = None
        self._looks: list[Sample] = []
        self._next_look = self._next_peek = -math.inf
        self._peeks: list[Sample] = []

    @classmethod
    def resumed(cls, reader: TableReader, rolls: Sequence[Roll], settings: WatchSettings = DEFAULT_SETTINGS) -> Self:
        """Go on after an interruption: the pieces of the last roll are known, and its number is counted on from."""
        watcher = cls(reader, settings)
        if rolls:
            watcher.state, watcher.pieces, watcher._rolls = "counted", rolls[-1].pieces, rolls[-1].number
            watcher._tracker = PieceTracker(rolls[-1].pieces)
        return watcher

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What this frame brings to an end: changes of state, and a roll that is now counted.

        Raises:
            vision.photo.PhotoError: the frame is too small or too large to be a picture of a table.
        """
        self.seen += 1
        now = Thumbnail.of(frame.pixels, frame.number, frame.time)
        stir = self._gate.see(now)
        if self._moves(stir):
            return tuple(self._while_it_moves(frame, now, stir))
        self._peeks, self._rested = [], self._rested or self._gate.before
        if now.time < self._next_look:
            return ()
        changed = self._changed(now)
        if not self._moves(changed):
            return tuple(self._as_before(now))
        self._cover = self._covering(now, changed) if self._settled else None
        self._blind = self._settled is not None and is_global_change(changed)
        if self._cover is not None and not self._looks:
            self._next_look = self._rested.time + self._settings.peek
            if now.time < self._next_look:
                return ()
        return tuple(self._while_it_lies(frame, now))

    def finish(self) -> tuple[Event, ...]:
        """The source has ended: what was looked at, though not as often as it might have been, is counted."""
        return tuple(self._count(self._looks)) if self._looks else ()

    # What moves, what has changed

    def _moves(self, mask: Mask) -> bool:
        limit = self._settings.twitch * (self._piece_size.usual * max(mask.shape)) ** 2
        return any(thing.area > limit for thing in blobs(mask)[:1])

    def _changed(self, now: Thumbnail) -> Mask:
        """What is otherwise than when all lay still last."""
        if self._settled is None:
            return np.ones(now.picture.shape, bool)
        return _since(self._settled, now)

    def _covering(self, now: Thumbnail, changed: Mask) -> Mask | None:
        """A hand, or something as large, where none lay in any picture of the settled table, nor a while ago.

        A hand that lies where it lay before something moved is of no account; rather it is light on the table.
        """
        least, most = self._settings.resting
        long_ago = [rest for rest in self._covered if least <= now.time - rest.time <= most]
        if not self._handed(changed) or not all(
            self._handed(_since(table, now)) for table in (*self._tables, *long_ago)
        ):
            return None
        if self._cover is None:
            self._covered.appendleft(now)
        return _all_of(self._hands(changed))

    def _handed(self, changed: Mask) -> bool:
        return bool(self._hands(changed))

    def _hands(self, changed: Mask) -> list[Blob]:
        piece = (self._piece_size.largest * max(changed.shape)) ** 2
        return [] if is_global_change(changed) else [thing for thing in blobs(changed) if is_hand(thing, piece)]

    # Looking

    def _while_it_moves(self, frame: Frame, now: Thumbnail, stir: Mask) -> Iterator[Event]:
        if self._rested is not None or self._stirred is None:
            if self._might_count():
                yield from self._count(self._looks)
            self._looks, self._rested, self._stirred, self._cover = [], None, now, None
            self._next_look = -math.inf
        if now.time < self._next_peek:
            return
        settings = self._settings
        pause = settings.peek * (_SELDOM if self._handed(stir) else 1)
        peek = (
            self._sample(frame, now)
            if self._to_be_counted(now, settings.looks * pause)
            else self._sample_fast(frame, now)
        )
        self._next_peek = now.time + pause
        self._peeks = [*(self._peeks if self._beside(stir, peek) else []), peek]
        if any(not self._tracker.knows(piece.detection.corners) for piece in peek.pieces):
            yield from self._turn("rolling", self._stirred)
        if self._to_be_counted(now):
            self._rested = self._peeks[0].thumbnail
            yield from self._count(self._peeks[-settings.looks :])
            self._peeks = []

    def _to_be_counted(self, now: Thumbnail, soon: float = 0.0) -> bool:
        """Whether pieces have lain there long enough though something moves beside them, or will so many seconds later."""
        return bool(self._peeks) and now.time + soon >= self._peeks[0].thumbnail.time + self._settings.patience

    def _beside(self, stir: Mask, peek: Sample) -> bool:
        """Whether there are pieces, and what moves is nowhere near them."""
        scale = max(stir.shape) / max(peek.photo.width, peek.photo.height)
        boxes = [piece.detection.scaled(scale) for piece in peek.pieces]
        near = (stir[_reach(box.top, box.bottom), _reach(box.left, box.right)] for box in boxes)
        return bool(boxes) and not any(part.any() for part in near)

    def _as_before(self, now: Thumbnail) -> Iterator[Event]:
        """All lies as it lay when it was counted. Daylight changes slowly, so what is known of the table goes with it."""
        self._looks, self._stirred = [], None
        self._settled = now
        self._gate.begin(now)
        yield from self._turn(self._at_rest, now)

    def _while_it_lies(self, frame: Frame, now: Thumbnail) -> Iterator[Event]:
        self._looks.append(self._sample(frame, now))
        self._next_look = now.time + self._pause()
        if self._cover is not None and self._explained(self._cover):
            self._cover = None
        if self.state == "rolling" and self._rested and self._cover is None:
            yield from self._turn("settled", self._rested)
        if self._enough(now):
            yield from self._count(self._looks)

    def _pause(self) -> float:
        """Until the next look at a table that lies still."""
        settings = self._settings
        if self._cover is not None:
            return settings.peek / (2 if len(self._looks) < settings.looks else 1)
        return settings.detect_fast if len(self._looks) < settings.most_looks else settings.peek

    def _might_count(self) -> bool:
        """Whether what was seen before something moved again may be counted."""
        enough = len(self._looks) >= self._settings.looks and self._cover is None
        return enough and not (self._perhaps_in_a_hand(self._looks) or self._lost_sight(self._looks))

    def _enough(self, now: Thumbnail) -> bool:
        """Whether no further look would help, or there have been so many."""
        settings, lain = self._settings, now.time - (self._rested or now).time
        if len(self._looks) < settings.looks:
            return False
        looks = self._looks[-settings.most_looks :]
        if self._cover is not None and lain < (settings.respite if self._news(looks) else settings.patience):
            return False
        if self._lost_sight(looks):
            return lain >= settings.patience
        if self._reading(looks).sure:
            return True
        if self._perhaps_in_a_hand(looks):
            return lain >= settings.hesitation
        return len(self._looks) >= settings.most_looks

    def _news(self, looks: Sequence[Sample]) -> bool:
        """Whether there are pieces to be believed that nobody knew."""
        new = (piece for piece in pieces_of(self._reading(looks)) if not self._tracker.knows(piece.box))
        return any(piece.confidence >= DOUBTLESS for piece in new)

    def _lost_sight(self, looks: Sequence[Sample]) -> bool:
        """Whether all is otherwise and no piece is left: rather something lies before the camera than that all were taken."""
        if not (self._blind and self.pieces):
            return False
        return all(piece.confidence < BELIEVED for piece in pieces_of(self._reading(looks)))

    def _explained(self, cover: Mask) -> bool:
        """Whether what seems to be a hand is rather a few large pieces with their shadows."""
        reading = self._reading(self._looks)
        scale = max(cover.shape) / max(reading.width, reading.height)
        rest, largest = cover.copy(), self._piece_size.largest * max(cover.shape)
        for piece in pieces_of(reading):
            if piece.confidence >= DOUBTLESS:
                left, top, right, bottom = thumbnail_box(piece.box, scale, cover.shape)
                rest[_reach(top, bottom), _reach(left, right)] = False
                largest = max(largest, right - left, bottom - top)
        return not any(is_hand(thing, largest**2) for thing in blobs(rest))

    def _perhaps_in_a_hand(self, looks: Sequence[Sample]) -> bool:
        """Whether something hardly believed lies on something larger that has come in from the edge, to be gone with it."""
        now, reading = looks[-1].thumbnail, self._reading(looks)
        moment = Moment(now, self._settled or now, self._changed(now))
        scale = max(moment.mask.shape) / max(reading.width, reading.height)
        return any(
            piece.confidence < BELIEVED
            and not self._tracker.knows(piece.box)
            and moment.reached(thumbnail_box(piece.box, scale, moment.mask.shape))
            for piece in pieces_of(reading)
        )

    def _sample(self, frame: Frame, now: Thumbnail) -> Sample:
        photo, before = self._photo(frame), self._looks[-1:]
        reader = self._reader
        seen = reader.candidates_near(photo, before[0].candidates) if before else reader.candidates(photo)
        return self._measured(Sample(now, photo, tuple(seen)))

    def _sample_fast(self, frame: Frame, now: Thumbnail) -> Sample:
        """Something moves; what is believed now need not be right."""
        photo = self._photo(frame)
        return self._measured(Sample(now, photo, tuple(self._reader.candidates_fast(photo, self.read))))

    def _photo(self, frame: Frame) -> Photo:
        self.read += 1
        return of_frame(frame.pixels, f"frame {frame.number}")

    def _measured(self, look: Sample) -> Sample:
        if not self._rolls:
            self._piece_size.measure([(piece.detection.corners, piece.confidence) for piece in look.pieces], look.photo)
        return look

    # Counting

    def _reading(self, looks: Sequence[Sample]) -> Reading:
        return self._reader.reading(looks[-1].photo, median(looks))

    def _count(self, looks: Sequence[Sample]) -> Iterator[Event]:
        """What lies there, compared with what lay there before; a roll if any of it was thrown."""
        last = looks[-1].thumbnail
        scale = max(last.picture.shape) / max(looks[-1].photo.width, looks[-1].photo.height)
        evidence = MotionHistory(
            self._gate.history(last),
            last,
            scale,
            (self._piece_size.largest * max(last.picture.shape)) ** 2,
            self._hidden,
        )
        reading = self._without_lookalikes(looks[-self._settings.most_looks :], evidence)
        before = self._tracker.on_table
        self.pieces = self._tracker.count(pieces_of(reading), evidence, self._bump(last, scale))
        reading = replace(reading, doubts=(*reading.doubts, *self._unread(last, [*before, *pieces_of(reading)], scale)))
        rested = self._rested or last
        if thrown := [(each.piece.box, each.piece.confidence) for each in self.pieces if each.thrown]:
            self._piece_size.measure(thrown, looks[-1].photo)
            if self.state != "settled":
                yield from self._turn("rolling", self._stirred or rested)
            yield from self._turn("settled", rested)
            self._rolls += 1
            yield Roll(self._rolls, rested.frame, rested.time, last.frame, last.time, reading, self.pieces)
        yield from self._turn(self._at_rest, last)
        self._settled, self._looks, self._stirred = last, [], None
        self._hidden, self._cover = self._cover, None
        self._tables.appendleft(last)
        self._gate.begin(last)

    def _unread(self, last: Thumbnail, pieces: Sequence[Die | Tile], scale: float) -> Iterator[Doubt]:
        if self._settled is not None and self._hidden is None and self._cover is None:
            shape = last.picture.shape
            places = [thumbnail_box(piece.box, scale, shape) for piece in pieces]
            yield from unread(_since(self._settled, last), places, self._piece_size.usual * max(shape))

    def _without_lookalikes(self, looks: Sequence[Sample], evidence: MotionHistory) -> Reading:
        """The looks together, without what was there all the time and is rather part of the table."""
        photo = looks[-1].photo
        candidates = self._with_unseen(median(looks), evidence)
        reading = self._reader.reading(photo, candidates)
        seen = pieces_of(reading)
        misfits = self._piece_size.misfits(seen, photo, guessed=not self._rolls)
        furniture = [seen[j].box for j in {*self._tracker.lookalikes(seen, evidence), *misfits}]
        detections = [each.detection for each in candidates if each.detection.corners in furniture]
        rest = [
            each
            for each in candidates
            if not any(overlap(each.detection, detection) > _SAME for detection in detections)
        ]
        reading = self._reader.reading(photo, rest) if furniture else reading
        if not (self._tracker.begun or reading.sure):
            # Nobody saw them come: where a doubt remains, they are rather printed on the table than the first roll.
            return self._reader.reading(photo, [])
        self._doubtless = [each for each in suppress_overlaps(rest) if each.is_piece and each.confidence >= DOUBTLESS]
        return reading

    def _with_unseen(self, candidates: list[Candidate], evidence: MotionHistory) -> list[Candidate]:
        """What was found, and what was beyond doubt before, lay there all the time and was not found this time."""
        found = [each.detection for each in suppress_overlaps(candidates) if each.is_piece]
        unseen = [
            each
            for each in self._doubtless
            if evidence.still(each.detection.corners)
            and not any(apart(each.detection, detection) < _SAME for detection in found)
        ]
        return [*candidates, *unseen]

    def _bump(self, now: Thumbnail, scale: float) -> Point:
        """By how much the picture seems to have been moved since all lay still last, in pixels of the frame."""
        if self._settled is None or self._settled.picture.shape != now.picture.shape:
            return 0.0, 0.0
        x, y = camera_shift(self._settled.picture, now.picture)
        return x / scale, y / scale

    # States

    @property
    def _at_rest(self) -> State:
        """The state of a table on which all lies still and has been counted."""
        if self.pieces:
            return "counted"
        return "cleared" if self._rolls else "empty"

    def _turn(self, state: State, when: Thumbnail) -> Iterator[Change]:
        if state != self.state:
            self.state = state
            yield Change(state, when.frame, when.time)


def pieces_of(reading: Reading) -> tuple[Die | Tile, ...]:
    """The dice, then the tiles."""
    return (*reading.dice, *reading.tiles)


def _since(then: Thumbnail, now: Thumbnail) -> Mask:
    """What has changed between two pictures of a table on which all lies still."""
    if then.picture.shape != now.picture.shape:
        return np.ones(now.picture.shape, bool)
    changed = changed_mask(then, now)
    if changed.mean() < _MUCH:
        return changed
    pushed_back = changed_mask(then, now, camera_shift(then.picture, now.picture))
    return pushed_back if 2 * pushed_back.mean() < changed.mean() else changed


def _all_of(things: Sequence[Blob]) -> Mask:
    return np.asarray(np.any([thing.mask for thing in things], axis=0))


def _reach(low: float, high: float) -> slice:
    """The pixels of a piece and a little on either side, from its edges in one direction."""
    more = (high - low) / 4
    return slice(max(0, int(low - more)), int(high + more) + 1)
