from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from scorer.engine.game import Event, Move, Step
from scorer.games.domino_cribbage.game import DominoCribbage
from scorer.games.domino_cribbage.rules import Rules
from scorer.games.domino_cribbage.state import State
from scorer.pieces.tiles import Tile

GAME = DominoCribbage()


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(sorted(Tile.parse(word) for word in text.split()))


@pytest.fixture
def game() -> DominoCribbage:
    return GAME


@pytest.fixture
def run() -> Callable[..., Step[State]]:
    """Apply moves in their text form; all events together."""

    def applied(state: State, *texts: str) -> Step[State]:
        events: tuple[Event, ...] = ()
        for text in texts:
            step = GAME.apply(state, Move.parse(text))
            state, events = step.state, (*events, *step.events)
        return Step(state, events)

    return applied


@pytest.fixture
def dealt(run: Callable[..., Step[State]]) -> Callable[..., State]:
    """A hand before the starter, player 0 dealing: four tiles and two for the crib each, reached by legal moves."""

    def state(non_dealer: str, dealer: str, scores: Sequence[int] = (0, 0), **rules: object) -> State:
        start = replace(GAME.start(Rules(opening_roll=False, **rules), 2), scores=tuple(scores))
        hands = (non_dealer.split(" / "), dealer.split(" / "))
        deals = [f"deal {1 - at} {' '.join(map(str, tiles(' '.join(hand))))}" for at, hand in enumerate(hands)]
        discards = [f"discard {' '.join(map(str, tiles(crib)))}" for _, crib in hands]
        return run(start, *deals, *discards).state

    return state


@pytest.fixture
def pegged() -> Callable[..., list[tuple[int | None, int, list[str]]]]:
    """Who pegged what in the play, and for which melds."""

    def told(events: Sequence[Event]) -> list[tuple[int | None, int, list[str]]]:
        return [
            (event.player, event.points, [item.name for item in event.items])
            for event in events
            if event.name == "pegged"
        ]

    return told
