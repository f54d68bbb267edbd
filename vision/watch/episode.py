"""The time since the table was last counted: one motion, the rest after it, and the samples of both."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.watch.consensus import Sample
from vision.watch.motion import Mask, Thumbnail


@dataclass(slots=True)
class Episode:
    """The time from one motion to the next, or to the count between them.

    Attributes:
        moved: the thumbnail in which the motion began; None: nothing has moved since the table was counted.
        rested: the thumbnail since which nothing has moved; None: something moves.
        samples: samples of the still table.
        motion_samples: samples of pieces that lie still while something moves beside them, or a single one of the motion.
        cover: the mask of a hand that lies on the still table; None: no hand.
        blind: whether so much of the still picture has changed that the camera may be blocked or moved.
    """

    moved: Thumbnail | None = None
    rested: Thumbnail | None = None
    samples: list[Sample] = field(default_factory=list)
    motion_samples: list[Sample] = field(default_factory=list)
    cover: Mask | None = None
    blind: bool = False

    def settle(self, since: Thumbnail) -> None:
        """Record a frame in which nothing moves."""
        self.motion_samples = []
        self.rested = self.rested or since

    def close(self) -> None:
        """Record that the table looks as counted; `rested` is kept until something moves."""
        self.samples, self.moved = [], None

    def rested_for(self, now: Thumbnail) -> float:
        """Seconds without motion."""
        return now.time - (self.rested or now).time
