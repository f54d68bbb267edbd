"""Draws of tiles from a pool, as chance moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random

from scorer.engine.game import Chance, Move
from scorer.pieces.tiles import Tile


@dataclass(frozen=True, slots=True)
class Draw(Chance):
    """Every draw of some tiles from a pool, sorted.

    Attributes:
        verb, numbers: of the moves.
        pool: the tiles that may come, lowest first.
        count: how many are drawn.
    """

    verb: str
    pool: tuple[Tile, ...]
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

    def shown_by(self, dice: tuple[int, ...], starter: int | None, tiles: tuple[Tile, ...]) -> Iterator[Move]:  # noqa: ARG002
        """The draw of these tiles."""
        if tiles:
            yield Move(self.verb, self.numbers, tuple(sorted(tiles)))

    def sample(self, random: Random) -> Move:
        """One random draw, as from a shuffled set."""
        return Move(self.verb, self.numbers, tuple(sorted(random.sample(self.pool, self.count))))
