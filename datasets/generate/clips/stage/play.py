"""Two players at a game of Crib Dice, move by move: dice are thrown on the table, all other moves are chosen.

Pure: `Hands` decides which of the seven dice are thrown and which are frozen, for either player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from scorer.engine.game import Legal, Move, throw
from scorer.engine.record import Header, Record
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.state import State
from scorer.games.crib_dice.throws import DICE

PLAYERS = ("Ann", "Ben")
DATE = "2026-11-21T20:15:00+00:00"
_ENOUGH = 9  # points of a turn at which a careful player stops

Dice = tuple[int, ...]
Throw = Callable[[Dice], Mapping[int, int]]


@dataclass
class Hands:
    """The frozen dice, by number."""

    frozen: list[int] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)

    def to_throw(self, state: State) -> Dice:
        """The dice to throw now. Six frozen dice leave one loose: for a piddle one of the frozen joins it."""
        if state.phase in ("throw", "seven"):
            self.frozen = []
        loose = [die for die in range(DICE) if die not in self.frozen]
        if state.phase in ("piddle", "again"):
            loose = [*loose, *self.frozen][:2]
        return tuple(sorted(loose))

    def freeze(self, state: State) -> Dice:
        """Freeze dice until the count matches the state; returns the newly frozen ones."""
        matching = [die for die in range(DICE) if self.values.get(die) == state.turn.point and die not in self.frozen]
        joining = matching[: max(0, state.turn.frozen - len(self.frozen))]
        self.frozen += joining
        return tuple(joining)


def game(finish: int) -> Record:
    """A game before its first move: the basic game to a low finish, player 0 leads."""
    rules = Rules(finish=finish, opening_roll=False)
    return Record.begin(Header("crib-dice", rules, PLAYERS, DATE))


def played(record: Record, cast: Throw, set_aside: Callable[[Dice], None]) -> Iterator[Record]:
    """The record after each move until the game is over.

    Args:
        record: `game`.
        cast: throws these dice and returns their values.
        set_aside: is called with the dice that have just been frozen.
    """
    hands = Hands()
    while record.result is None:
        move = choice(record.state, record.game.legal_moves(record.state))
        if move is None:
            thrown = hands.to_throw(record.state)
            shown = cast(thrown)
            hands.values |= shown
            verb = "piddle" if record.state.phase in ("piddle", "again") else "throw"
            move = throw([shown[die] for die in thrown], verb)
        record = record.play(move)
        if record.state.turn.frozen and (joining := hands.freeze(record.state)):
            set_aside(joining)
        yield record


def choice(state: State, legal: Legal) -> Move | None:
    """The move of a careful player; None: throw."""
    if state.phase == "choose":
        return _best_point(state, legal)
    if Move("stop") not in legal.choices:
        return None
    total = state.turn.total
    wins = state.own.hole + total >= state.rules.goal
    return Move("stop") if wins or total >= _ENOUGH or state.phase in ("piddle", "seven") else None


def _best_point(state: State, legal: Legal) -> Move:
    """The point that most dice show, the highest of these: with few dice left to throw no point makes the next throw safer."""
    count = Counter(state.turn.dice)
    return max(legal.choices, key=lambda move: (count[move.numbers[0]], move.numbers[0]))
