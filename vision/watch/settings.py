"""When the watcher samples a table, and how long it waits before it counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Times in seconds; sizes as shares of a picture."""

    lag: float = 0.1
    """What has not moved for this long lies still."""
    sample_every: float = 0.06
    """Between two samples of a still table."""
    min_samples: int = 3
    """Before a table is counted."""
    max_samples: int = 6
    """While a doubt remains."""
    slow_sample_every: float = 0.3
    """Between two samples while something moves or a hand may lie on the table; the first of a hand come in half the time."""
    hesitation: float = 1.0
    """How long a hardly believed piece must lie still to be counted where it may lie in a hand."""
    respite: float = 1.0
    """How long new pieces must lie still to be counted beside something as large as a hand."""
    patience: float = 3.0
    """How long a hand may lie on the table, or move beside pieces that lie still, before they are counted all the same."""
    resting: tuple[float, float] = (1.5, 4.0)
    """What looks like a hand and lay in the same place this long ago is light, or part of the table."""
    twitch: float = 0.15
    """Share of a piece's area: a smaller change is no motion."""
    change: float = 0.08
    """The same of a still table: what has changed less lies as it did. Of a die of its colour only edges and pips show."""
    piece: float = 0.05
    """A piece's side over the picture's longer side, until one has been read."""


DEFAULT_SETTINGS = WatchSettings()
