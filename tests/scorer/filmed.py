"""Whole games as a camera over the table sees them: players of several tempers, and the rolls without what is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from scorer.camera.follower import Followed, Follower, Observation
from scorer.camera.priors import GO_ON
from scorer.engine.game import Move
from scorer.engine.options import GameRules
from scorer.games.crib_dice import odds as crib_dice
from scorer.games.cribbage_dice import odds as cribbage_dice
from scorer.games.farkle_crib import odds as farkle_crib
from scorer.games.registry import AnyGame
from tests.scorer.randomly import LONGEST, random_move

STOP = Move("stop")
Temper = Callable[[AnyGame, Any, Random], Move]


# Players


def boldly(game: AnyGame, state: Any, random: Random) -> Move:
    """One who always does what brings the most points, stops where that wins, and never where it loses."""
    best, stopped = _BEST[game.name](state), _stopping(game, state)
    if STOP in game.legal_moves(state).choices and stopped:
        best = STOP if stopped > 0 else GO_ON
    return best or _sampled(game, state, random)


def cautiously(game: AnyGame, state: Any, random: Random) -> Move:
    """A player who takes what counts most now and stops as soon as possible, unless that loses."""
    choices = game.legal_moves(state).choices
    if STOP in choices:
        return STOP if _stopping(game, state) >= 0 else _sampled(game, state, random)
    return max(game.offers(state), key=lambda offer: offer.points).move if choices else _sampled(game, state, random)


def at_random(game: AnyGame, state: Any, random: Random) -> Move:
    """One who does anything that is legal."""
    return random_move(game, state, random)


TEMPERS: dict[str, Temper] = {"bold": boldly, "cautious": cautiously, "random": at_random}


def _sampled(game: AnyGame, state: Any, random: Random) -> Move:
    legal = game.legal_moves(state)
    return legal.chance.sample(random) if legal.chance is not None else random.choice(legal.choices[1:])


def _stopping(game: AnyGame, state: Any) -> int:
    """1 where stopping wins or finishes, -1 where it loses, 0 where it does neither yet, or is not legal."""
    if STOP not in game.legal_moves(state).choices:
        return 0
    after = game.follow(state, STOP).state
    if after.result is not None:
        return 1 if state.to_act in after.result.winners else -1
    pegs = next(pegs for pegs in game.board(after).pegs if state.to_act in pegs.players)
    return int(game.board(after).off(pegs.back))


def _best_of_crib_dice(state: Any) -> Move | None:
    turn, turns = state.turn, crib_dice.points_of(state.rules)
    if state.phase == "choose":
        made = crib_dice.decisions(turns, turn.banked, None, turn.dice)
        return _moves(max(made, key=lambda each: each.worth.worth).move)
    if state.phase in ("safe", "piddle", "seven"):
        spot = (turn.banked, turn.point, turn.frozen)
        return STOP if turns.stop(*spot).worth >= turns.go_on(*spot).worth else GO_ON
    return GO_ON


def _best_of_farkle(state: Any) -> Move | None:
    turn, turns = state.turn, farkle_crib.points_of(state.rules)
    if state.phase == "go-on":
        return STOP if turn.points >= turns.throw(turn.points, turn.dice).worth else GO_ON
    if state.phase != "keep":
        return GO_ON
    made = farkle_crib.decisions(turns, turn.points, turn.dice, turn.thrown)
    return _moves(max(made, key=lambda each: each.worth.worth).move.split(",")[0])


def _best_of_cribbage_dice(state: Any) -> Move | None:
    turn = state.turn
    if state.phase != "decide":
        return GO_ON
    return _moves(cribbage_dice.advise(state.rules, turn.starter, turn.others, 3 - turn.rolls, turn.locked).best.move)


def _moves(text: str) -> Move:
    return Move.parse(text)


_BEST: dict[str, Callable[[Any], Move | None]] = {
    "crib-dice": _best_of_crib_dice,
    "farkle-crib": _best_of_farkle,
    "cribbage-dice": _best_of_cribbage_dice,
}


# Games and films


@dataclass(frozen=True)
class Film:
    """A game as it was played, and what a camera saw of it.

    Attributes:
        begin: the state before the first move.
        moves: what was done.
        end: the state after it.
        observations: every roll.
        at: for every roll, the place of its throw in `moves`.
    """

    game: AnyGame
    begin: Any
    moves: tuple[Move, ...]
    end: Any
    observations: tuple[Observation, ...]
    at: tuple[int, ...]

    def followed(self) -> tuple[Follower, tuple[Followed, ...]]:
        """What becomes of it."""
        follower = Follower(self.game, self.begin)
        for observation in self.observations:
            follower.observe(observation)
        follower.finish()
        return follower, follower.moves


def filmed(
    game: AnyGame, rules: GameRules, players: int, temper: Temper, random: Random, *, on_table: bool = True
) -> Film:
    """A whole game.

    Args:
        game: which.
        rules: of it.
        players: how many.
        temper: how all of them play.
        random: for chance.
        on_table: what is set aside stays on the table; else it is swept away.
    """
    begin = state = game.start(rules, players)
    moves: list[Move] = []
    observations: list[Observation] = []
    at: list[int] = []
    for _ in range(LONGEST):
        if state.to_act is None:
            break
        move = temper(game, state, random)
        for observation in _seen(game, state, move, on_table):
            observations.append(observation)
            at.append(len(moves))
        moves.append(move)
        state = game.apply(state, move).state
    return Film(game, begin, tuple(moves), state, tuple(observations), tuple(at))


def _seen(game: AnyGame, state: Any, move: Move, on_table: bool) -> Iterator[Observation]:
    if move.verb != "play" and move in game.legal_moves(state).choices:
        return
    if move.tiles:
        yield Observation(tiles=move.tiles)
        return
    aside = game.lay_before(state, move) if on_table else ()
    first = game.name == "cribbage-dice" and state.phase == "throw"
    starter = move.numbers[0] if first else (int(aside[0]) if game.name == "cribbage-dice" and aside else None)
    yield Observation(tuple(sorted(move.numbers)), tuple(sorted(map(int, aside))), starter)
