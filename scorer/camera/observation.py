"""What a camera over the table sees of a game, and which moves of a state fit it.

An observation is one roll: the dice that were thrown, and those that did not move, like dice that were set aside. Tables
differ: at some, dice that are set aside are taken off the table, so no dice stay still. RULINGS, "What a photo means in a game".
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
        still: the values of the dice that did not move.
        starter: the value of the die that differs from the others, wherever it lies; None: unknown.
        tiles: the tiles that were laid down face up.
    """

    thrown: Dice = ()
    still: Dice = ()
    starter: int | None = None
    tiles: tuple[Tile, ...] = ()


class Trust(IntEnum):
    """How freely an observation is interpreted; the strictest level that explains it is used."""

    AS_SEEN = 0
    """The dice that did not move are exactly those set aside, or none, where they are taken off the table."""
    WITH_OTHERS = 1
    """Dice that do not take part may be on the table, too."""
    BY_COUNT = 2
    """The split into thrown and still dice may be wrong: all dice on the table are those set aside and the throw."""


def matching_moves(game: AnyGame, state: Any, observation: Observation, trust: Trust) -> Iterator[Move]:
    """The legal moves of this state that fit the observation: a throw, or a tile that was laid down."""
    legal = game.legal_moves(state)
    if observation.tiles and not observation.thrown:
        moves = _laid(game, legal, tuple(sorted(observation.tiles)))
    elif isinstance(legal.chance, Chance):
        moves = _thrown(legal.chance, observation, _cast(game.set_aside(state), observation, trust))
    else:
        return
    yield from (move for move in moves if move in legal)


def _laid(game: AnyGame, legal: Legal, tiles: tuple[Tile, ...]) -> Iterator[Move]:
    """The moves that lay these tiles, by chance or by a player's choice."""
    if legal.chance is not None:
        yield from legal.chance.shown_by((), None, tiles)
    yield from (move for move in legal.choices if game.laid_by(move) == tuple(map(str, tiles)))


def _thrown(chance: Chance, observation: Observation, casts: Iterator[Dice]) -> Iterator[Move]:
    for dice in casts:
        if not isinstance(chance, Throws) or _starter_lies(chance, observation):
            yield from chance.shown_by(dice, observation.starter, ())


def _starter_lies(chance: Throws, observation: Observation) -> bool:
    """Whether the starter lies still, for it is never thrown again; in a roll of one die each it may be any die."""
    return observation.starter is None or chance.verb != "throw" or observation.starter in observation.still


def _cast(asides: Sequence[Dice], observation: Observation, trust: Trust) -> Iterator[Dice]:
    """The possible throws, as far as the dice that did not move agree with them."""
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
