"""Decides whether the samples of a still table are enough to count it, given hands, doubts or a blocked camera."""

from __future__ import annotations

from collections.abc import Sequence

from vision.watch.consensus import Sample
from vision.watch.counting import PieceCounter
from vision.watch.episode import Episode
from vision.watch.history import MotionMoment, is_hand, thumbnail_box
from vision.watch.motion import Mask, Thumbnail, blobs
from vision.watch.sampler import Sampler, pieces_of
from vision.watch.settings import WatchSettings
from vision.watch.table_memory import TableMemory
from vision.watch.tracker import BELIEVED, DOUBTLESS


class Readiness:
    """Judges the samples of an episode."""

    def __init__(self, settings: WatchSettings, sampler: Sampler, memory: TableMemory, counter: PieceCounter) -> None:
        """Judge by the memory of the table and the pieces counted so far."""
        self._settings, self._sampler, self._memory, self._counter = settings, sampler, memory, counter

    def enough(self, episode: Episode, now: Thumbnail) -> bool:
        """Whether another sample would not help, or enough have been taken."""
        settings, rested = self._settings, episode.rested_for(now)
        if len(episode.samples) < settings.min_samples:
            return False
        samples = episode.samples[-settings.max_samples :]
        if episode.cover is not None and rested < (
            settings.min_rest_beside_hand if self._news(samples) else settings.patience
        ):
            return False
        if self._lost_sight(episode, samples):
            return rested >= settings.patience
        if self._sampler.reading(samples).sure:
            return True
        if self._maybe_in_a_hand(samples):
            return rested >= settings.min_rest_maybe_in_hand
        return len(episode.samples) >= settings.max_samples

    def lacks_one_sample(self, episode: Episode) -> bool:
        """Whether one more sample of a table without a hand would be enough if motion interrupts it."""
        return len(episode.samples) == self._settings.min_samples - 1 and episode.cover is None

    def enough_if_interrupted(self, episode: Episode) -> bool:
        """Whether the samples taken before something moved again may be counted."""
        if len(episode.samples) < self._settings.min_samples or episode.cover is not None:
            return False
        return not (self._maybe_in_a_hand(episode.samples) or self._lost_sight(episode, episode.samples))

    def overdue(self, episode: Episode, now: Thumbnail, soon: float = 0.0) -> bool:
        """Whether pieces have lain still long enough to count them beside a motion, now or `soon` seconds later."""
        samples = episode.motion_samples
        return bool(samples) and now.time + soon >= samples[0].thumbnail.time + self._settings.patience

    def pieces_explain(self, cover: Mask, samples: Sequence[Sample]) -> bool:
        """Whether an apparent hand is really a few large pieces with their shadows."""
        reading = self._sampler.reading(samples)
        scale = max(cover.shape) / max(reading.width, reading.height)
        rest, largest = cover.copy(), self._memory.largest_piece(cover.shape)
        for piece in pieces_of(reading):
            if piece.presence >= DOUBTLESS:
                left, top, right, bottom = thumbnail_box(piece.box, scale, cover.shape)
                rest[around(top, bottom), around(left, right)] = False
                largest = max(largest, (right - left) ** 2, (bottom - top) ** 2)
        return not any(is_hand(thing, largest) for thing in blobs(rest))

    def _news(self, samples: Sequence[Sample]) -> bool:
        """Whether there are new pieces beyond doubt."""
        new = (piece for piece in pieces_of(self._sampler.reading(samples)) if not self._counter.knows(piece.box))
        return any(piece.presence >= DOUBTLESS for piece in new)

    def _lost_sight(self, episode: Episode, samples: Sequence[Sample]) -> bool:
        """Whether everything has changed and no piece is left: more likely the camera is blocked than the table cleared."""
        if not (episode.blind and self._counter.pieces):
            return False
        return all(piece.presence < BELIEVED for piece in pieces_of(self._sampler.reading(samples)))

    def _maybe_in_a_hand(self, samples: Sequence[Sample]) -> bool:
        """Whether an unlikely new piece lies on something larger that came in from the edge, and may leave with it."""
        now, reading = samples[-1].thumbnail, self._sampler.reading(samples)
        moment = MotionMoment(now, self._memory.settled or now, self._memory.changed(now))
        scale = max(moment.mask.shape) / max(reading.width, reading.height)
        return any(
            piece.presence < BELIEVED
            and not self._counter.knows(piece.box)
            and moment.reached(thumbnail_box(piece.box, scale, moment.mask.shape))
            for piece in pieces_of(reading)
        )


def around(low: float, high: float) -> slice:
    """The pixels of a piece with a margin on either side, given its two edges in one direction."""
    more = (high - low) / 4
    return slice(max(0, int(low - more)), int(high + more) + 1)
