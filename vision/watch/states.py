"""What the watcher does when: its phases, what a frame can signal, and every transition between them in one table.

A phase is what the watcher is busy with. It is not the state of the table that viewers see (`events.State`), which changes
only when something has been read.

    IDLE        everything lies as it did when it was counted last; the networks sleep
    MOVING      something moves; now and then one fast sample
    SETTLING    nothing moves and the table has changed: samples are taken until they suffice
    COVERED     the same, but a hand lies on the table: samples are fewer, and it takes more to count

A still frame before the next sample is due signals nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple


class Phase(Enum):
    """What the watcher is busy with."""

    IDLE = auto()
    MOVING = auto()
    SETTLING = auto()
    COVERED = auto()


class Signal(Enum):
    """What a frame, or the samples taken so far, say."""

    MOTION = auto()
    """Something moves."""
    UNCHANGED = auto()
    """Nothing moves, and the table looks as when it was counted last."""
    CHANGED = auto()
    """Nothing moves, and the table has changed."""
    HAND = auto()
    """The same, and a hand lies on the table."""
    HAND_JUST_NOW = auto()
    """The same, but the hand may still be on its way."""
    ENOUGH = auto()
    """The samples of a still table suffice."""
    OVERDUE = auto()
    """Pieces have lain still for long, though something moves beside them."""


class Action(Enum):
    """What a transition does; `Watcher` has a method for each."""

    BEGIN_MOTION = auto()
    """Count what was sampled enough before the motion, forget the rest, and sample the motion."""
    SAMPLE_MOTION = auto()
    SAMPLE = auto()
    WAIT = auto()
    REFRESH = auto()
    """Remember how the table looks now: daylight changes slowly."""
    COUNT = auto()
    COUNT_BESIDE_MOTION = auto()


class Step(NamedTuple):
    """A transition: the phase it leads to, and what is done on the way."""

    to: Phase
    action: Action


_I, _M, _S, _C = Phase
_STILL: Final = {
    Signal.UNCHANGED: Step(_I, Action.REFRESH),
    Signal.CHANGED: Step(_S, Action.SAMPLE),
    Signal.HAND: Step(_C, Action.SAMPLE),
    Signal.HAND_JUST_NOW: Step(_C, Action.WAIT),
}
"""The same from every phase: what a still table looks like depends on nothing else."""
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
"""Every transition there is: from a phase, by a signal. Any other pair is an error of the watcher."""
