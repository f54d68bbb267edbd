"""The watcher's state machine: its phases, the signals of frames, and every transition in one table.

A phase is what the watcher is doing. It is not the state of the table that viewers see (`events.State`), which changes
only when something has been read.

    IDLE        the table looks as at the last count; the networks do not run
    MOVING      something moves; an occasional fast sample
    SETTLING    nothing moves and the table has changed: samples are taken until there are enough
    COVERED     as SETTLING, but a hand lies on the table: fewer samples, and counting takes longer

A still frame before the next sample is due signals nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple


class Phase(Enum):
    """What the watcher is doing."""

    IDLE = auto()
    MOVING = auto()
    SETTLING = auto()
    COVERED = auto()


class Signal(Enum):
    """What a frame, or the samples taken so far, indicate."""

    MOTION = auto()
    """Something moves."""
    UNCHANGED = auto()
    """Nothing moves, and the table looks as at the last count."""
    CHANGED = auto()
    """Nothing moves, and the table has changed."""
    HAND = auto()
    """Nothing moves, the table has changed, and a hand lies on it."""
    HAND_JUST_NOW = auto()
    """As HAND, but the hand may only be pausing."""
    ENOUGH = auto()
    """There are enough samples of a still table."""
    OVERDUE = auto()
    """Pieces have lain still for long while something moves beside them."""


class Action(Enum):
    """What a transition does; `Watcher` has a method for each."""

    BEGIN_MOTION = auto()
    """Count the samples from before the motion if there are enough, otherwise drop them, and sample the motion."""
    SAMPLE_MOTION = auto()
    SAMPLE = auto()
    WAIT = auto()
    REFRESH = auto()
    """Remember how the table looks now: daylight changes slowly."""
    COUNT = auto()
    COUNT_BESIDE_MOTION = auto()


class Step(NamedTuple):
    """A transition: the phase it leads to, and its action."""

    to: Phase
    action: Action


_I, _M, _S, _C = Phase
_STILL: Final = {
    Signal.UNCHANGED: Step(_I, Action.REFRESH),
    Signal.CHANGED: Step(_S, Action.SAMPLE),
    Signal.HAND: Step(_C, Action.SAMPLE),
    Signal.HAND_JUST_NOW: Step(_C, Action.WAIT),
}
"""The transitions that are the same from every phase: those of a still table."""
TRANSITIONS: Final[Mapping[tuple[Phase, Signal], Step]] = {
    **{(phase, signal): step for phase in Phase for signal, step in _STILL.items()},
    (_I, Signal.MOTION): Step(_M, Action.BEGIN_MOTION),
    (_S, Signal.MOTION): Step(_M, Action.BEGIN_MOTION),
    (_C, Signal.MOTION): Step(_M, Action.BEGIN_MOTION),
    (_M, Signal.MOTION): Step(_M, Action.SAMPLE_MOTION),
    (_M, Signal.OVERDUE): Step(_I, Action.COUNT_BESIDE_MOTION),
    (_S, Signal.ENOUGH): Step(_I, Action.COUNT),
    (_C, Signal.ENOUGH): Step(_I, Action.COUNT),
}
"""All transitions, by phase and signal. Any other pair is a bug in the watcher."""
