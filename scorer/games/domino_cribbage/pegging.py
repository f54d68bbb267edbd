"""What a tile scores as it is played.

Source: the Domino Cribbage text, "Scores made during play"; RULINGS, "Domino Cribbage". Indices of melds count into the
tiles played since the reset. The running total, and so fifteen and thirty-one, are always both players' together, as
"The Play" has them announce it; `play_scope="own"` takes pairs and runs over the tiles of the one who plays alone. At
thirty-one the count is reset before the next tile, so 0-0 is never played on it. Between two tiles it breaks a
pair, as any other tile would, and it is the lowest of a run 0, 1, 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from scorer.games.domino_cribbage.state import LIMIT, PLAYERS, State
from scorer.pieces.melds import FIFTEEN, SHORTEST_RUN, Indices, Meld, meld_at
from scorer.pieces.text import in_words

_ALIKE = {2: ("pair", 2), 3: ("triplet", 6), 4: ("fourth", 12)}
Found = tuple[str, Indices, int]


def made(state: State) -> tuple[Meld[str], ...]:
    """What the last tile played makes with those before it."""
    names = [str(play.tile) for play in state.series]
    return tuple(meld_at(name, names, indices, worth) for name, indices, worth in _found(state))


def closing(state: State) -> tuple[Meld[str], ...]:
    """The point for the last tile of all or for the go, if the tile just played was that; never beside thirty-one."""
    if state.count == LIMIT or not stuck(state):
        return ()
    name = "go" if any(state.left(player) for player in range(PLAYERS)) else "last tile"
    return (Meld(name, (str(state.series[-1].tile),), (len(state.series) - 1,), 1),)


def stuck(state: State) -> bool:
    """Can neither player lay another tile?"""
    return not any(state.fitting(player) for player in range(PLAYERS))


def _found(state: State) -> Iterator[Found]:
    plays = state.series
    everything = tuple(range(len(plays)))
    last = plays[-1]
    if state.count == FIFTEEN and (last.tile.pips or state.rules.blank_rescore):
        yield "fifteen", everything, 2
    yield from _combined([play.tile.pips for play in plays], _scope(state))
    if state.count == LIMIT:
        yield "thirty-one", everything, 2


def _scope(state: State) -> list[int]:
    """The indices of the tiles that pairs and runs are made of."""
    plays = state.series
    shared = state.rules.play_scope == "shared"
    return [index for index, play in enumerate(plays) if shared or play.player == plays[-1].player]


def _combined(totals: Sequence[int], scope: Sequence[int]) -> Iterator[Found]:
    """The pair, triplet, fourth or run that ends the tiles in scope: at most one of them is possible."""
    back = [totals[index] for index in reversed(scope)]
    alike = len(list(takewhile(back[0].__eq__, back)))
    if alike > 1:
        name, worth = _ALIKE[alike]
        yield name, tuple(scope[-alike:]), worth
    run = _longest_run(back)
    if run:
        yield f"run of {in_words(run)}", tuple(scope[-run:]), run


def _longest_run(totals: Sequence[int]) -> int:
    """How many of the first totals are in sequence, in any order; 0 for fewer than three."""
    for length in range(len(totals), SHORTEST_RUN - 1, -1):
        values = set(totals[:length])
        if len(values) == length == max(values) - min(values) + 1:
            return length
    return 0
