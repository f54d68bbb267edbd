"""Prior probabilities of the choices that no camera sees: the better a choice, the likelier.

A choice is worth the expected value of the turn after it (`scorer.odds`). A player first decides to stop or to go on; then what
to freeze or set aside, whatever serves that intention best. So a player who stops takes the most points, even if another
choice would have been better for going on. Each step is a softmax with a floor, for people do not always choose the best.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import exp, log
from types import MappingProxyType
from typing import Any

from scorer.engine.game import GO_ON as GO_ON
from scorer.engine.game import Move
from scorer.games.registry import AnyGame, game_named

WHAT_FOR = 2.0
"""Temperature of the intention: a worth lower by this many points makes it e times less likely."""
HOW = 0.75
"""Temperature of the choice that serves the intention."""
TO_STOP = 0.25
"""Temperature of that choice where the intention is to stop: then only fewer points are worse."""
AT_RANDOM = 0.03
"""Share of choices made at random, whatever their worth: the floor of each is an equal part of it."""
TO_WIN = 12.0
"""Points added to stopping where that wins, and subtracted from stopping behind a player who has finished."""
_STOP = Move("stop")
_LEAD_ON = ("point", "freeze", "keep")
"""Choices after which the same player stops or goes on; except the keep of Cribbage Dice, which means to go on."""

Worths = dict[Move | None, float]
Chances = Mapping[Move | None, float]


def choice_priors(game: AnyGame, state: Any, before: tuple[Any, Move] | None = None) -> Chances:
    """The natural logarithm of the probability of each choice, and under `GO_ON` of throwing, where that is legal, too.

    Args:
        game: which is played.
        state: with something to choose.
        before: the state and choice that led here, if nothing was thrown in between: both were made at once.
    """
    if before and before[1].verb in _LEAD_ON:
        return _then(game.name, *before)
    return _first(game.name, state)


@lru_cache(maxsize=8192)
def _first(name: str, state: Any) -> Chances:
    game = game_named(name)
    if not any(_leads_on(game, state, move) for move in game.legal_moves(state).choices):
        return _logs(_worths(game, state), game.weighs_points)
    return MappingProxyType({move: log(sum(map(exp, then.values()))) for move, then in _both(name, state).items()})


@lru_cache(maxsize=8192)
def _then(name: str, state: Any, move: Move) -> Chances:
    both = _both(name, state)[move]
    first = _first(name, state)[move]
    return MappingProxyType({then: chance - first for then, chance in both.items()})


@lru_cache(maxsize=4096)
def _both(name: str, state: Any) -> Mapping[Move, Chances]:
    """The joint log probability of each choice and what follows it."""
    game = game_named(name)
    worths = {move: _after(game, state, move) for move in game.legal_moves(state).choices}
    intended = {then for after in worths.values() for then in after}
    ways = {then: {move: after[then] for move, after in worths.items() if then in after} for then in intended}
    wants = _logs({then: max(served.values()) for then, served in ways.items()}, WHAT_FOR)
    how = {then: _logs(served, TO_STOP if then == _STOP else HOW) for then, served in ways.items()}
    return {move: {then: wants[then] + how[then][move] for then in after} for move, after in worths.items()}


def _after(game: AnyGame, state: Any, move: Move) -> Worths:
    """The choices that may follow this one, with their worths; the choice itself, where nothing follows."""
    if _leads_on(game, state, move):
        return _worths(game, game.follow(state, move).state)
    return {move: _worths(game, state)[move]}


def _leads_on(game: AnyGame, state: Any, move: Move) -> bool:
    return move.verb in _LEAD_ON and bool(game.legal_moves(game.follow(state, move).state).choices)


def _logs(worths: Mapping[Any, float], temper: float) -> Mapping[Any, float]:
    most = max(worths.values(), default=0.0)
    weights = {move: exp((worth - most) / temper) for move, worth in worths.items()}
    total, least = sum(weights.values()), AT_RANDOM / max(len(weights), 1)
    return MappingProxyType({move: log(max(weight / total, least)) for move, weight in weights.items()})


# Worths, in points of the turn


def _worths(game: AnyGame, state: Any) -> Worths:
    """The worth of each choice, and of going on; 0 where none is known."""
    legal = game.legal_moves(state)
    known = game.choice_worths(state)
    if _STOP in known:
        known[_STOP] += _by_the_end(game, state)
    wanted = [*legal.choices, *([GO_ON] if legal.chance is not None else [])]
    return {move: known.get(move, 0.0) for move in wanted}


def _by_the_end(game: AnyGame, state: Any) -> float:
    """What stopping is worth beyond its points, where it ends the game or the game is about to end."""
    after = game.follow(state, _STOP).state
    if after.result is not None:
        return TO_WIN if state.to_act in after.result.winners else -TO_WIN
    board = game.board(after)
    mine = max(pegs.back for pegs in board.pegs if state.to_act in pegs.players)
    others = max((pegs.back for pegs in board.pegs if state.to_act not in pegs.players), default=0)
    if getattr(state.rules, "find_a_loser", False) or not board.off(max(mine, others)):
        return TO_WIN if board.off(mine) else 0.0
    return TO_WIN if mine >= others else -TO_WIN
