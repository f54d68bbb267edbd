"""What has happened since the table was counted last: one motion, the rest after it, and the samples of both."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.watch.consensus import Sample
from vision.watch.motion import Mask, Thumbnail


@dataclass(slots=True)
class Episode:
    """From one motion to the next, or to the count between them.

    Attributes:
        moved: the picture in which the motion began; None: nothing has moved since the table was counted.
        rested: the picture from which nothing has moved; None: something moves.
        samples: of the still table.
        motion_samples: of pieces that lie still while something moves beside them, or a single one of the motion.
        cover: where a hand lies on the still table.
        blind: whether so much of the still picture has changed that the camera may see something else.
    """

    moved: Thumbnail | None = None
    rested: Thumbnail | None = None
    samples: list[Sample] = field(default_factory=list)
    motion_samples: list[Sample] = field(default_factory=list)
    cover: Mask | None = None
    blind: bool = False

    def settle(self, since: Thumbnail) -> None:
        """A frame in which nothing moves."""
        self.motion_samples = []
        self.rested = self.rested or since

    def close(self) -> None:
        """The table lies as counted; how long it has rested is remembered until it moves."""
        self.samples, self.moved = [], None

    def rested_for(self, now: Thumbnail) -> float:
        """Seconds without motion."""
        return now.time - (self.rested or now).time
