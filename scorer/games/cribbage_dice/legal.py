"""The legal moves: the choices of a player, and the throws that may come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb
from random import Random

from scorer.engine.game import Chance, Legal, Move, Throws
from scorer.games.cribbage_dice.state import State, without
from scorer.games.cribbage_dice.throws import FACES, Keep, keeps
from scorer.pieces.tiles import Tile

STOP = Move("stop")


@dataclass(frozen=True, slots=True)
class FirstThrows(Chance):
    """Every first throw of a turn: the starter's value first, then the others sorted."""

    count: int
    """Dice thrown, the starter among them."""

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and move == first_throw(move.numbers) and self._fits(move.numbers)

    def _fits(self, dice: tuple[int, ...]) -> bool:
        return len(dice) == self.count and all(1 <= value <= FACES for value in dice)

    def __iter__(self) -> Iterator[Move]:
        for starter, others in product(range(1, FACES + 1), Throws(self.count - 1, FACES)):
            yield Move("throw", (starter, *others.numbers))

    def __len__(self) -> int:
        return FACES * comb(FACES + self.count - 2, self.count - 1)

    def shown_by(self, dice: tuple[int, ...], starter: int | None, tiles: tuple[Tile, ...]) -> Iterator[Move]:  # noqa: ARG002
        """The throw of these dice, for every die that may be the starter."""
        for value in sorted(set(dice) if starter is None else {starter} & set(dice)):
            yield first_throw((value, *without(dice, (value,))))

    def sample(self, random: Random) -> Move:
        """One throw, as real dice bring it."""
        return first_throw(tuple(random.randint(1, FACES) for _ in range(self.count)))


def first_throw(dice: tuple[int, ...]) -> Move:
    """The move of throwing all dice, the starter's value given first, the others in any order."""
    return Move("throw", (*dice[:1], *sorted(dice[1:])))


def legal_moves(state: State) -> Legal:
    """Everything that may be done next; `keep` names the dice beside the starter, `discard` any two of the seven."""
    if state.phase == "decide":
        return Legal((STOP, *keep_moves(state)))
    if state.phase == "discard":
        return Legal(tuple(discard_move(state, hand) for hand in hands_of_seven(state)))
    return Legal(chance=_chance(state))


def _chance(state: State) -> Chance | None:
    if state.phase == "over":
        return None
    if state.phase == "throw":
        return FirstThrows(state.rules.dice)
    verb = "throw" if state.phase == "rethrow" else state.phase
    return Throws(state.to_throw, FACES, verb)


def keep_moves(state: State) -> tuple[Move, ...]:
    """Every keep except that of all dice, which means to stop; most dice first."""
    return _keep_moves(state.turn.others, state.turn.locked)


@lru_cache(maxsize=4096)
def _keep_moves(others: tuple[int, ...], locked: tuple[int, ...]) -> tuple[Move, ...]:
    free = without(others, locked)
    added = {some for size in range(len(free)) for some in combinations(free, size)}
    kept = (tuple(sorted(locked + some)) for some in added)
    return tuple(Move("keep", dice) for dice in sorted(kept, key=lambda dice: (-len(dice), dice)))


def hands_of_seven(state: State) -> tuple[Keep, ...]:
    """Every hand that discarding two of the seven dice may leave, best first."""
    starter = state.turn.starter if state.starter_index is not None else None
    return _hands(state.turn.table, starter, state.rules.sub_runs)


@lru_cache(maxsize=1024)
def _hands(table: tuple[int, ...], starter: int | None, sub_runs: bool) -> tuple[Keep, ...]:
    return keeps(table, starter, sub_runs=sub_runs)


def discard_move(state: State, hand: Keep) -> Move:
    """The move that leaves this hand.

    Dice are discarded by value. Which of two equal dice goes, the starter or another, makes no difference: nothing but
    values scores, and the turn is over. So a starter that may be discarded is named by its value like any other die.
    """
    return Move("discard", tuple(sorted(state.turn.table[index] for index in hand.discarded)))
