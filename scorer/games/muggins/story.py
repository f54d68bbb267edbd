"""One thing after another, until somebody has won."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scorer.engine.game import Event, Step
from scorer.games.muggins.state import State, who
from scorer.pieces.text import listed


def chain(state: State, *actions: Callable[[State], Step[State]]) -> Step[State]:
    """The actions in turn, each on what the one before left; none after the game is won."""
    events: tuple[Event, ...] = ()
    for action in actions:
        if state.to_act is None:
            break
        step = action(state)
        state, events = step.state, (*events, *step.events)
    return Step(state, events)


def names(players: Iterable[int]) -> str:
    """The players in a phrase."""
    return listed([who(player) for player in players])
