"""Watches a table on video: frames in, rolls out, each once and when it has settled.

Every frame becomes a small thumbnail (`motion`), which costs little. The networks run only on a few frames (`consensus`) when
nothing moves and the table has changed since the last count, and occasionally while something moves. The pieces
are then matched with those of the last count (`tracker`): only pieces that came by themselves are a roll (`history`). The
transitions between phases are in one table (`states`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Self

from vision.reader import TableReader
from vision.reading import Die, Doubt, Tile
from vision.watch.consensus import Sample
from vision.watch.counting import PieceCounter, with_doubts
from vision.watch.episode import Episode
from vision.watch.events import Change, Frame, Piece, Roll, State
from vision.watch.history import MotionHistory, thumbnail_box
from vision.watch.motion import Mask, Motion, MotionGate, Recent, Thumbnail, is_global_change
from vision.watch.piece_size import PieceSize
from vision.watch.readiness import Readiness, around
from vision.watch.sampler import Sampler, pieces_of
from vision.watch.settings import DEFAULT_SETTINGS, WatchSettings
from vision.watch.states import TRANSITIONS, Action, Phase, Signal
from vision.watch.table_memory import TableMemory, changed_since
from vision.watch.unread import unread

__all__ = ["Change", "Event", "Frame", "Piece", "Roll", "State", "WatchSettings", "Watcher"]

Event = Change | Roll
_SELDOM = 3
"""Factor on the time between samples under a moving hand, where there is little to see."""


class Watcher:
    """Watches one table. It takes every frame, in order, and returns what has happened.

    `seen` counts the frames; `state` is that of the table as viewers see it.
    """

    def __init__(self, reader: TableReader, settings: WatchSettings = DEFAULT_SETTINGS) -> None:
        """Start with an unknown table: dice already on it are the first roll, if none is in doubt."""
        self.seen = 0
        self.state: State = "empty"
        self._settings = settings
        self._phase = Phase.IDLE
        self._episode = Episode()
        self._interrupted: Episode | None = None
        """Dice that lay still only for a moment before something moved beside them."""
        self._due = self._motion_due = -math.inf
        self._scale: float | None = None  # from a frame to its thumbnail
        size = PieceSize(settings.piece)
        self._gate, self._recent = MotionGate(settings.lag), Recent(settings.lag)
        self._memory, self._sampler = TableMemory(settings, size), Sampler(reader)
        self._size, self._counter = size, PieceCounter(self._sampler, size)
        self._readiness = Readiness(settings, self._sampler, self._memory, self._counter)

    @classmethod
    def resumed(cls, reader: TableReader, rolls: Sequence[Roll], settings: WatchSettings = DEFAULT_SETTINGS) -> Self:
        """Continue after an interruption, with the pieces and the number of the last roll."""
        watcher = cls(reader, settings)
        if rolls:
            watcher.state = "counted"
            watcher._counter.resume(rolls[-1].pieces, rolls[-1].number)
        return watcher

    def read_with(self, reader: TableReader) -> None:
        """Sample the table with another reader from now on, for example with other profiles. Earlier counts stay."""
        self._sampler.reader = reader

    @property
    def read(self) -> int:
        """The number of frames on which the networks ran."""
        return self._sampler.read

    @property
    def idle(self) -> bool:
        """Whether nothing moves and everything has been counted: until something changes, no frame is needed."""
        return self._phase is Phase.IDLE

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces at the last count."""
        return self._counter.pieces

    def prepared(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The frames with `motion` computed, independently of `see`: for a thread that runs ahead of it.

        A watcher must see either all frames prepared, or none.
        """
        gate = MotionGate(self._settings.lag)
        for frame in frames:
            picture = frame.pixels if frame.small is None else frame.picture
            yield replace(frame, picture=picture, motion=gate.see(_thumbnail(frame)))

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """The events of this frame: changes of state, and a roll that is now counted.

        Raises:
            vision.photo.PhotoError: the frame is too small or too large to be a picture of a table.
        """
        self.seen += 1
        moved = frame.motion or self._gate.see(_thumbnail(frame))
        now, motion = moved.now, moved.mask
        self._recent.add(now)
        signal = self._signal(moved)
        return (
            ()
            if signal is None
            else (*self._touched(signal, frame, now, motion), *self._follow(signal, frame, now, motion))
        )

    def finish(self) -> tuple[Event, ...]:
        """The events at the end of the source: the samples taken so far are counted, however few."""
        return tuple(self._count(self._episode.samples)) if self._episode.samples else ()

    # From a frame to a signal, from a signal to an action

    def _signal(self, moved: Motion) -> Signal | None:
        """The signal of a frame; None: it is still, and the next sample is not due."""
        episode, now = self._episode, moved.now
        if self._memory.moves(moved.mask):
            return Signal.MOTION
        episode.settle(moved.before)
        if now.time < self._due:
            return None
        changed = self._memory.changed(now)
        if not self._memory.has_changed(changed):
            return Signal.UNCHANGED
        episode.cover = self._memory.cover(now, changed, episode.cover)
        episode.blind = self._memory.settled is not None and is_global_change(changed)
        if episode.cover is None:
            return Signal.CHANGED
        return (
            Signal.HAND_JUST_NOW if not episode.samples and now.time < self._first_sample_of_a_hand() else Signal.HAND
        )

    def _follow(self, signal: Signal, frame: Frame, now: Thumbnail, motion: Mask) -> Iterator[Event]:
        """Take the transition for a signal, and those that its action leads to."""
        actions: Mapping[Action, Callable[[], Iterator[Event]]] = {
            Action.BEGIN_MOTION: lambda: self._begin_motion(frame, now, motion),
            Action.SAMPLE_MOTION: lambda: self._sample_motion(frame, now, motion),
            Action.SAMPLE: lambda: self._sample(frame, now),
            Action.WAIT: self._wait,
            Action.REFRESH: lambda: self._refresh(now),
            Action.COUNT: lambda: self._count(self._episode.samples),
            Action.COUNT_BESIDE_MOTION: self._count_beside_motion,
        }
        following: Signal | None = signal
        while following is not None:
            self._phase, action = TRANSITIONS[self._phase, following]
            yield from actions[action]()
            following = self._conclusion(action, now)

    def _conclusion(self, action: Action, now: Thumbnail) -> Signal | None:
        """The signal of the samples after an action, if any."""
        if action is Action.SAMPLE and self._readiness.enough(self._episode, now):
            return Signal.ENOUGH
        sampled = any(sample.thumbnail is now for sample in self._episode.motion_samples[-1:])
        if self._phase is Phase.MOVING and sampled and self._readiness.overdue(self._episode, now):
            return Signal.OVERDUE
        return None

    # Actions

    def _begin_motion(self, frame: Frame, now: Thumbnail, motion: Mask) -> Iterator[Event]:
        episode, self._interrupted = self._episode, None
        if self._readiness.enough_if_interrupted(episode):
            yield from self._count(episode.samples)
        elif self._readiness.lacks_one_sample(episode) and self._is_beside(motion, episode.samples[-1]):
            sample = self._sampler.sample(frame, now, episode.samples, always_twice=False)
            episode.samples.append(self._counter.measure(sample))
            self._interrupted = episode
        self._episode = Episode(moved=now)
        self._due = -math.inf
        yield from self._sample_motion(frame, now, motion)

    def _sample_motion(self, frame: Frame, now: Thumbnail, motion: Mask) -> Iterator[Event]:
        if self._interrupted and self._comes_for(self._interrupted, motion):
            yield from self._count_interrupted(self._interrupted)
        if now.time < self._motion_due:
            return
        pause = self._settings.slow_sample_every * (_SELDOM if self._memory.hands(motion) else 1)
        sample = self._counter.measure(self._motion_sample(frame, now, pause))
        self._motion_due = now.time + pause
        before = self._episode.motion_samples if self._is_beside(motion, sample) else []
        self._episode.motion_samples = [*before, sample]
        if any(not self._counter.knows(piece.detection.corners) for piece in sample.pieces):
            yield from self._turn("rolling", self._episode.moved or now)

    def _motion_sample(self, frame: Frame, now: Thumbnail, pause: float) -> Sample:
        """A fast sample, or a full one if the table will soon be counted beside the motion."""
        if self._readiness.overdue(self._episode, now, self._settings.min_samples * pause):
            return self._sampler.sample(frame, now, (), always_twice=True)
        return self._sampler.sample_fast(frame, now)

    def _is_beside(self, motion: Mask, sample: Sample) -> bool:
        """Whether the sample has pieces, and nothing moves near them."""
        scale = max(motion.shape) / max(sample.photo.width, sample.photo.height)
        boxes = [piece.detection.scaled(scale) for piece in sample.pieces]
        near = (motion[around(box.top, box.bottom), around(box.left, box.right)] for box in boxes)
        return bool(boxes) and not any(part.any() for part in near)

    def _touched(self, signal: Signal, frame: Frame, now: Thumbnail, motion: Mask) -> Iterator[Change]:
        """Turn to "touched" when something moves over counted pieces: a hand that takes them is no roll, but they are gone."""
        if signal is not Signal.MOTION or self.state != "counted":
            return
        self._scale = self._scale or max(motion.shape) / max(frame.pixels.shape)
        boxes = (thumbnail_box(each.piece.box, self._scale, motion.shape) for each in self.pieces)
        if any(motion[top:bottom, left:right].any() for left, top, right, bottom in boxes):
            yield from self._turn("touched", now)

    def _sample(self, frame: Frame, now: Thumbnail) -> Iterator[Event]:
        episode = self._episode
        sample = self._sampler.sample(frame, now, episode.samples, always_twice=self._may_have_a_hand)
        episode.samples.append(self._counter.measure(sample))
        self._due = now.time + self._pause()
        if episode.cover is not None and self._readiness.pieces_explain(episode.cover, episode.samples):
            episode.cover = None
        if self.state == "rolling" and episode.rested and episode.cover is None:
            yield from self._turn("settled", episode.rested)

    @property
    def _may_have_a_hand(self) -> bool:
        """Whether a hand may lie on the still table: one was found, or there is no earlier picture to compare with."""
        return self._memory.settled is None or self._episode.cover is not None or self._episode.blind

    def _pause(self) -> float:
        """Seconds until the next sample of a still table."""
        settings, taken = self._settings, len(self._episode.samples)
        if self._episode.cover is not None:
            return settings.slow_sample_every / (2 if taken < settings.min_samples else 1)
        return settings.sample_every if taken < settings.max_samples else settings.slow_sample_every

    def _wait(self) -> Iterator[Event]:
        self._due = self._first_sample_of_a_hand()
        return iter(())

    def _first_sample_of_a_hand(self) -> float:
        """The time, in seconds, from which a hand has lain still for long enough to sample the table beside it."""
        rested = self._episode.rested
        return rested.time + self._settings.slow_sample_every if rested else -math.inf

    def _refresh(self, now: Thumbnail) -> Iterator[Event]:
        self._episode.close()
        self._memory.refresh(now)
        self._recent.begin(now)
        yield from self._turn(self._at_rest, now)

    def _count_beside_motion(self) -> Iterator[Event]:
        samples = self._episode.motion_samples
        self._episode.rested = samples[0].thumbnail
        yield from self._count(samples[-self._settings.min_samples :])
        self._episode.motion_samples = []

    def _comes_for(self, interrupted: Episode, motion: Mask) -> bool:
        """Whether a hand moves over dice that lay still: a blob as large that is only beside them may be more thrown dice."""
        return any(not self._is_beside(hand.mask, interrupted.samples[-1]) for hand in self._memory.hands(motion))

    def _count_interrupted(self, interrupted: Episode) -> Iterator[Event]:
        """Count dice that had just come to rest before a hand takes them: the motion beside them was no further die."""
        episode, self._interrupted = self._episode, None
        if self._readiness.enough_if_interrupted(interrupted) and self._sampler.reading(interrupted.samples).sure:
            self._episode = interrupted
            yield from self._count(interrupted.samples)
            self._episode = episode

    def _count(self, samples: Sequence[Sample]) -> Iterator[Event]:
        """Count the pieces, matched with those of the last count; a roll if any was thrown."""
        last, episode, rolls = samples[-1].thumbnail, self._episode, self._counter.rolls
        scale = self._scale = max(last.picture.shape) / max(samples[-1].photo.width, samples[-1].photo.height)
        piece = self._memory.largest_piece(last.picture.shape)
        history = MotionHistory(self._recent.until(last), last, scale, piece, self._memory.hidden)
        x, y = self._memory.camera_shift(last)
        before = self._counter.on_table
        reading = self._counter.count(samples[-self._settings.max_samples :], history, (x / scale, y / scale))
        reading = with_doubts(reading, self._unread(last, [*before, *pieces_of(reading)], scale))
        if self._counter.rolls > rolls:
            rested = episode.rested or last
            if self.state != "settled":
                yield from self._turn("rolling", episode.moved or rested)
            yield from self._turn("settled", rested)
            yield Roll(
                self._counter.rolls, rested.frame, rested.time, last.frame, last.time, reading, self._counter.pieces
            )
        yield from self._turn(self._at_rest, last)
        self._memory.count(last, episode.cover)
        self._recent.begin(last)
        episode.close()
        episode.cover = None

    def _unread(self, last: Thumbnail, pieces: Sequence[Die | Tile], scale: float) -> Iterator[Doubt]:
        """Doubts about changes of the picture that no piece explains."""
        memory, shape = self._memory, last.picture.shape
        if memory.settled is not None and memory.hidden is None and self._episode.cover is None:
            places = [thumbnail_box(piece.box, scale, shape) for piece in pieces]
            yield from unread(changed_since(memory.settled, last), places, self._size.usual * max(shape))

    # The state of the table

    @property
    def _at_rest(self) -> State:
        """The state of a table on which nothing moves and everything has been counted."""
        if self._counter.pieces:
            return "counted"
        return "cleared" if self._counter.rolls else "empty"

    def _turn(self, state: State, when: Thumbnail) -> Iterator[Change]:
        if state != self.state:
            self.state = state
            yield Change(state, when.frame, when.time)


def _thumbnail(frame: Frame) -> Thumbnail:
    return Thumbnail.of(frame.pixels if frame.small is None else frame.small, frame.number, frame.time)
