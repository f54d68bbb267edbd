"""Settings of the watcher: when it samples a table, and how long it waits before it counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Times in seconds; sizes as shares of a picture."""

    lag: float = 0.1
    """A thing that has not moved for this long lies still."""
    sample_every: float = 0.06
    """Time between two samples of a still table."""
    min_samples: int = 3
    """Least number of samples before a table is counted."""
    max_samples: int = 6
    """Number of samples after which a table is counted even with a doubt."""
    slow_sample_every: float = 0.3
    """Time between two samples while something moves, or with a hand on the table, where the first ones take half of it."""
    min_rest_maybe_in_hand: float = 1.0
    """How long an unlikely piece must lie still to be counted where it may lie in a hand."""
    min_rest_beside_hand: float = 1.0
    """How long new pieces must lie still to be counted beside something as large as a hand."""
    patience: float = 3.0
    """How long a hand may lie on the table, or move beside still pieces, before they are counted anyway."""
    resting: tuple[float, float] = (1.5, 4.0)
    """An apparent hand that lay in the same place this long ago (from, to) is light, or part of the table."""
    min_motion_area: float = 0.15
    """Least change that is motion, over a piece's area."""
    change: float = 0.08
    """Least change of a still table that counts, over a piece's area: of a die of the table's colour only edges and pips show."""
    piece: float = 0.05
    """Initial guess of a piece's side over the picture's longer side."""


DEFAULT_SETTINGS = WatchSettings()
