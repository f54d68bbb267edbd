"""What a camera over the table sees of a game, and which move of a state that may be.

An observation is one roll: the dice that were thrown, and those that lay still meanwhile, like dice that were set aside. Tables
differ: some sweep what is set aside away, then nothing lies still. RULINGS, "What a photo means in a game".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from scorer.engine.game import Chance, Dice, Legal, Move, Throws
from scorer.games.registry import AnyGame
from scorer.pieces.tiles import Tile


@dataclass(frozen=True, slots=True)
class Observation:
    """What one roll shows.

    Attributes:
        thrown: the values of the dice that were thrown.
        still: of those that were there before.
        starter: the value of the die that is unlike the others, wherever it lies; None: cannot tell.
        tiles: the tiles that were laid down face up.
    """

    thrown: Dice = ()
    still: Dice = ()
    starter: int | None = None
    tiles: tuple[Tile, ...] = ()


class Trust(IntEnum):
    """How freely an observation is interpreted; the strictest way that explains it is taken."""

    AS_SEEN = 0
    """What lay still is just what was set aside, or nothing, where that is swept away."""
    WITH_OTHERS = 1
    """Dice that do not take part may be on the table, too."""
    BY_COUNT = 2
    """Which dice were thrown may be mistaken: all on the table are what was set aside and the throw."""


def matching_moves(game: AnyGame, state: Any, observation: Observation, trust: Trust) -> Iterator[Move]:
    """The legal moves of this very state that the observation may be: a throw, or a tile that was laid down."""
    legal = game.legal_moves(state)
    if observation.tiles and not observation.thrown:
        moves = _laid(game, legal, tuple(sorted(observation.tiles)))
    elif isinstance(legal.chance, Chance):
        moves = _thrown(legal.chance, observation, _cast(game.set_aside(state), observation, trust))
    else:
        return
    yield from (move for move in moves if move in legal)


def _laid(game: AnyGame, legal: Legal, tiles: tuple[Tile, ...]) -> Iterator[Move]:
    """The tiles as chance may bring them, or as a player may lay them."""
    if legal.chance is not None:
        yield from legal.chance.shown_by((), None, tiles)
    yield from (move for move in legal.choices if game.laid_by(move) == tuple(map(str, tiles)))


def _thrown(chance: Chance, observation: Observation, casts: Iterator[Dice]) -> Iterator[Move]:
    for dice in casts:
        if not isinstance(chance, Throws) or _starter_lies(chance, observation):
            yield from chance.shown_by(dice, observation.starter, ())


def _starter_lies(chance: Throws, observation: Observation) -> bool:
    """The starter is never thrown again; in a roll of one die each it may be any."""
    return observation.starter is None or chance.verb != "throw" or observation.starter in observation.still


def _cast(asides: Sequence[Dice], observation: Observation, trust: Trust) -> Iterator[Dice]:
    """The dice that were thrown, as far as what lay still bears it out."""
    still = tuple(sorted(observation.still))
    if trust is Trust.BY_COUNT:
        everything = (*observation.thrown, *observation.still)
        yield from (_without(everything, aside) for aside in asides if _holds(everything, aside))
        return
    as_seen = not still or still in asides
    if as_seen if trust is Trust.AS_SEEN else any(_holds(still, aside) for aside in asides):
        yield observation.thrown


def _holds(dice: Dice, some: Dice) -> bool:
    return Counter(some) <= Counter(dice)


def _without(dice: Dice, some: Dice) -> Dice:
    return tuple(sorted((Counter(dice) - Counter(some)).elements()))
