"""The legal moves: tiles drawn, tiles discarded, tiles played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random

from scorer.engine.game import Chance, Legal, Move
from scorer.games.domino_cribbage.state import DEALT, TO_CRIB, State, Tiles
from scorer.pieces.tiles import FULL_SET, Tile


@dataclass(frozen=True, slots=True)
class Draw(Chance):
    """Every draw of some tiles from a pool, sorted.

    Attributes:
        verb, numbers: of the moves.
        pool: the tiles that may come, lowest first.
        count: how many are drawn.
    """

    verb: str
    pool: Tiles
    count: int = 1
    numbers: tuple[int, ...] = ()

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Move)
            and (move.verb, move.numbers) == (self.verb, self.numbers)
            and len(move.tiles) == self.count
            and move.tiles == tuple(sorted(set(move.tiles)))
            and set(move.tiles) <= set(self.pool)
        )

    def __iter__(self) -> Iterator[Move]:
        for tiles in combinations(self.pool, self.count):
            yield Move(self.verb, self.numbers, tiles)

    def __len__(self) -> int:
        return comb(len(self.pool), self.count)

    def shown_by(self, dice: tuple[int, ...], starter: int | None, tiles: Tiles) -> Iterator[Move]:  # noqa: ARG002
        """The draw of these tiles."""
        if tiles:
            yield Move(self.verb, self.numbers, tuple(sorted(tiles)))

    def sample(self, random: Random) -> Move:
        """One draw, as a mixed set brings it."""
        return Move(self.verb, self.numbers, tuple(sorted(random.sample(self.pool, self.count))))


def legal_moves(state: State) -> Legal:
    """Everything that may be done next."""
    if state.phase == "discard":
        return Legal(tuple(discard(two) for two in combinations(state.hands[state.turn], TO_CRIB)))
    if state.phase == "play":
        return Legal(tuple(play(tile) for tile in state.fitting(state.turn)))
    return Legal(chance=_drawn(state))


def _drawn(state: State) -> Draw | None:
    if state.phase == "opening":
        return Draw("opening", tuple(tile for tile in FULL_SET if tile not in state.drawn))
    if state.phase == "deal":
        return Draw("deal", state.unseen, DEALT, (state.turn,))
    return Draw("starter", state.unseen) if state.phase == "starter" else None


def deal(player: int, tiles: Iterable[Tile]) -> Move:
    """The move of drawing these six tiles, in any order."""
    return Move("deal", (player,), tuple(sorted(tiles)))


def discard(tiles: Iterable[Tile]) -> Move:
    """The move of laying these two tiles in the crib, in any order."""
    return Move("discard", tiles=tuple(sorted(tiles)))


def play(tile: Tile) -> Move:
    """The move of playing this tile."""
    return Move("play", tiles=(tile,))
