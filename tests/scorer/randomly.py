"""Random rules and random games, from the games' own options and legal moves: for property tests and the long soak."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any

from scorer.engine.game import Move, Seen, Step
from scorer.engine.options import GameRules, Option
from scorer.errors import RulesError
from scorer.games.registry import AnyGame

STOPS = 0.7
"""How often a player stops who may: less, and wipeouts make a game of Crib Dice very long."""
LOADED = 0.05
"""How often all dice of a throw come up alike: bombs and sevens are too rare otherwise."""
DEFAULTS = 0.4
"""How often an option is left at its default; the rest of the time it is any value, the default too."""
MOST_PLAYERS = 12
LONGEST = 10_000
"""Moves after which a game counts as endless; the longest of 40,000 random ones had 1,626."""

# Options that can make a game endless get values at which random players come to an end.
_NUMBERS: dict[str, tuple[int, ...]] = {
    "finish": (2, 21, 31, 61, 90, 121, 130),
    "target": (0, 1, 30, 61, 121),
    "round_limit": (0, 0, 1, 5, 12),
}


@dataclass(frozen=True)
class Setting:
    """What a game is begun with."""

    game: AnyGame
    rules: GameRules
    players: int

    @property
    def start(self) -> Any:
        """The state before the first move."""
        return self.game.start(self.rules, self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """A name for every player."""
        return tuple(f"Player {number}" for number in range(1, self.players + 1))


def random_setting(game: AnyGame, random: Random) -> Setting:
    """Rules and a number of players that fit each other; every option takes every value, if it has not too many."""
    while True:
        players = random.randint(2, MOST_PLAYERS)
        try:
            setting = Setting(game, random_rules(game, random, players), players)
            _ = setting.start
        except RulesError:
            continue
        return setting


def random_rules(game: AnyGame, random: Random, players: int) -> GameRules:
    """Some rules, which may not fit the number of players.

    Raises:
        RulesError: they contradict each other.
    """
    rules: GameRules = game.rules(**{each.name: random_value(each, random, players) for each in game.rules.options()})
    return rules


def random_value(option: Option, random: Random, players: int) -> Any:
    """A value of the option, its default more often than others."""
    return option.default if random.random() < DEFAULTS else _VALUES[option.kind](option, random, players)


def _switch(_: Option, random: Random, __: int) -> bool:
    return random.random() < 0.5


def _word(option: Option, random: Random, _: int) -> str:
    return random.choice(option.words)


def _number(option: Option, random: Random, _: int) -> int:
    return random.choice(_numbers(option))


def _numbers(option: Option) -> tuple[int, ...]:
    values = option.examples or _NUMBERS.get(option.name, (option.default,))
    return tuple(value for value in values if option.allows(value))


def _some(option: Option, random: Random, _: int) -> frozenset[str]:
    return frozenset(word for word in option.words if random.random() < 0.5)


def _lanes(option: Option, random: Random, players: int) -> tuple[int, ...]:
    sides = random.choice((players, players // 2))
    return tuple(random.randint(option.low, min(option.high, random.randrange(players))) for _ in range(sides))


_VALUES: dict[str, Callable[[Option, Random, int], Any]] = {
    "switch": _switch,
    "choice": _word,
    "number": _number,
    "set": _some,
    "numbers": _lanes,
}


def random_move(game: AnyGame, state: Any, random: Random) -> Move:
    """A legal move, chosen so that games end: who may stop mostly does."""
    legal = game.legal_moves(state)
    stop = Move("stop")
    if legal.chance is None:
        return random.choice(legal.choices)
    if not legal.choices or random.random() >= STOPS:
        others = [move for move in legal.choices if move != stop]
        return random.choice(others) if others and random.random() < 0.5 else _brought(legal.chance, random)
    return stop


def _brought(chance: Any, random: Random) -> Move:
    move: Move = chance.sample(random)
    if not move.numbers or random.random() >= LOADED:
        return move
    alike = Move(move.verb, (random.choice(move.numbers),) * len(move.numbers), move.tiles)
    return alike if alike in chance else move


def steps(setting: Setting, random: Random) -> Iterator[tuple[Any, Move, Step[Any]]]:
    """A whole game: every state, the move that is made there, and what it leads to.

    Raises:
        AssertionError: the game does not end.
    """
    state = setting.start
    for _ in range(LONGEST):
        if state.to_act is None:
            return
        move = random_move(setting.game, state, random)
        step = setting.game.apply(state, move)
        yield state, move, step
        state = step.state
    raise AssertionError(f"no end after {LONGEST} moves: {setting}")


def pictures(setting: Setting, state: Any, move: Move) -> tuple[Seen, ...]:
    """Every picture that a legal move may leave on the table: its dice or tiles alone, or with what was on the table before.

    Nothing for what no camera can know: a choice of the player.
    """
    if move.verb != "play" and move in setting.game.legal_moves(state).choices:
        return ()
    return tuple(_PICTURES.get(setting.game.name, _usual)(setting.game, state, move))


def _usual(game: AnyGame, state: Any, move: Move) -> Iterator[Seen]:
    yield Seen(move.numbers, tiles=move.tiles)
    if move.verb == "throw":
        yield Seen((*move.numbers, *game.set_aside(state)[0]))


def _crib_dice(_: AnyGame, state: Any, move: Move) -> Iterator[Seen]:
    yield Seen(move.numbers)
    if state.phase in ("safe", "piddle", "again", "bombing"):
        yield Seen((*move.numbers, *(state.turn.point,) * state.turn.frozen))


def _cribbage_dice(_: AnyGame, state: Any, move: Move) -> Iterator[Seen]:
    if state.phase == "throw":
        yield Seen(move.numbers, move.numbers[0])
    else:
        yield Seen(move.numbers)
    if state.phase == "rethrow":
        yield Seen((*move.numbers, *state.turn.table))
        yield Seen((*move.numbers, *state.turn.table), state.turn.starter)


def _domino_cribbage(_: AnyGame, state: Any, move: Move) -> Iterator[Seen]:
    yield Seen(tiles=move.tiles)
    if state.phase == "opening":
        yield Seen(tiles=(*state.drawn, *move.tiles))
    if state.phase == "play":
        played = [tuple(play.tile for play in plays) for plays in (state.series, state.played)]
        for tiles in ((), *played):
            yield Seen(tiles=(*tiles, *move.tiles))
            yield Seen(tiles=(*tiles, *move.tiles, state.starter))


def _muggins(_: AnyGame, state: Any, move: Move) -> Iterator[Seen]:
    if not move.tiles:
        return
    tile, *beside = move.tiles
    if move.verb == "play":
        touching = tuple((tile, other) for other in beside)
        yield Seen(tiles=move.tiles, touching=touching)
        yield Seen(tiles=(*state.layout.tiles, tile), touching=touching)
        return
    yield Seen(tiles=move.tiles)
    if move.verb == "opening":
        yield Seen(tiles=(*state.drawn, *move.tiles))


_PICTURES: dict[str, Callable[[AnyGame, Any, Move], Iterator[Seen]]] = {
    "crib-dice": _crib_dice,
    "cribbage-dice": _cribbage_dice,
    "domino-cribbage": _domino_cribbage,
    "muggins": _muggins,
}


def shuffled(seen: Seen, random: Random) -> Seen:
    """The same picture, its dice and tiles read in another order."""
    dice, tiles = random.sample(seen.dice, len(seen.dice)), random.sample(seen.tiles, len(seen.tiles))
    return Seen(tuple(dice), seen.starter, tuple(tiles), seen.touching)


def option_values(game: AnyGame) -> set[tuple[str, Any]]:
    """Every option with every value that `random_setting` must come to: a set by its single words."""
    return set(chain.from_iterable(_values(option) for option in game.rules.options()))


def _values(option: Option) -> Iterator[tuple[str, Any]]:
    values: dict[str, tuple[Any, ...]] = {
        "switch": (False, True),
        "choice": option.words,
        "set": (*option.words, "none"),
        "number": _numbers(option),
        "numbers": ("some", "none"),
    }
    return ((option.name, value) for value in values[option.kind])


def values_of(rules: GameRules) -> set[tuple[str, Any]]:
    """The options and their values that these rules have, as `option_values` says them."""
    return set(chain.from_iterable(_set_to(option, getattr(rules, option.name)) for option in rules.options()))


def _set_to(option: Option, value: Any) -> Iterator[tuple[str, Any]]:
    if option.kind == "set":
        return ((option.name, word) for word in (sorted(value) or ["none"]))
    return iter([(option.name, ("some" if value else "none") if option.kind == "numbers" else value)])
