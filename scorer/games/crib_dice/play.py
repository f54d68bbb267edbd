"""A turn of Crib Dice, move by move: the throw of seven, the point, throwing on, the piddle, the bomb.

Source: the Crib Dice text, "Play", "Piddle and Rollover", "Automatic Rollover", "Piddle Points", "The Bomb"; RULINGS.
Every function takes a move that is legal and leads to the next state and what happened.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from scorer.engine.game import Event, Move, Step
from scorer.games.crib_dice.pegging import bank, exchange, no_score
from scorer.games.crib_dice.rounds import rolled
from scorer.games.crib_dice.rules import BOMB, PIDDLE, PIDDLE_POINTS, PLAY, ROLLING, SEVEN
from scorer.games.crib_dice.state import BOMB_POINT, PIDDLES, Phase, State, Turn
from scorer.games.crib_dice.throws import DICE, SAFE, Throw, chart, points_to_choose, throw_on
from scorer.pieces.melds import Meld, meld_at, of_a_kind
from scorer.pieces.text import dice_in_a_row, points, several

Dice = tuple[int, ...]


def follow(state: State, move: Move) -> Step[State]:
    """What a legal move leads to."""
    if move.verb == "throw":
        return _throw(state, move.numbers)
    if move.verb == "point":
        return _freeze(replace(state, turn=_with_point(state.turn, move.numbers)), _count(state, move), ())
    if move.verb == "freeze":
        return _freeze(state, move.numbers[0], ())
    if move.verb == "piddle":
        return _bomb_throw(state, move.numbers) if state.phase == "bombing" else _piddle(state, move.numbers)
    if move.verb == "bomb":
        return _bomb(state)
    if move.verb == "roll":
        rolls = Event("rolls-on", f"{{{state.player}}} rolls the remaining dice", state.player, rule=ROLLING)
        return Step(replace(state, phase="rolling"), (rolls,))
    if move.verb == "exchange":
        return exchange(state, state.side_of(move.numbers[0]))
    return bank(state) if move.verb == "stop" else rolled(state, move.numbers)


@lru_cache(maxsize=4096)
def points_offered(dice: Dice, freeze_all: bool) -> tuple[Meld[int], ...]:
    """Every point that a throw of seven offers, best first; with fewer dice frozen than match, where that is allowed."""
    whole = points_to_choose(dice)
    if freeze_all:
        return whole
    some = [_part(meld, count) for meld in whole for count in range(2, len(meld.pieces) + 1)]
    return tuple(sorted(some, key=lambda meld: (meld.points, len(meld.pieces), meld.pieces), reverse=True))


def _part(meld: Meld[int], count: int) -> Meld[int]:
    value = meld.pieces[0]
    return Meld(of_a_kind(count), meld.pieces[:count], meld.indices[:count], chart(value, count))


# Throwing


def _throw(state: State, dice: Dice) -> Step[State]:
    if state.phase not in ("safe", "rolling"):
        turn = Turn(banked=state.turn.total, dice=dice)
        thrown = Event("thrown", f"{{{state.player}}} throws {dice_in_a_row(dice)}", state.player, rule=PLAY)
        return Step(replace(state, phase="choose", turn=turn), (thrown,))
    throw = throw_on(dice, state.turn.point, state.turn.frozen, rolls_on=state.phase == "rolling")
    thrown = _thrown_on(state, dice, throw)
    if throw.outcome == "wipeout":
        return no_score(state, thrown, counts=True)
    if not throw.joined:
        return Step(replace(state, phase=_phase_of(state.turn)), (thrown,))
    if len(throw.joined) > 1 and not state.rules.freeze_all:
        return Step(replace(state, phase="freeze", turn=replace(state.turn, dice=dice)), (thrown,))
    return _freeze(state, len(throw.joined), (thrown,))


def _thrown_on(state: State, dice: Dice, throw: Throw) -> Event:
    point = state.turn.point
    text = f"{{{state.player}}} throws {dice_in_a_row(dice)}"
    if throw.outcome == "wipeout":
        missing = "no 1" if point == SAFE else f"no {point} and no 1"
        lost = f"{text}: {missing}, a wipeout; {_given_up(state)}"
        return Event("wipeout", lost, state.player, -state.turn.total, rule=PLAY)
    saving = several(len(throw.joined), point) if throw.joined else several(dice.count(SAFE), SAFE)
    return Event("safe", f"{text}: safe with {saving}", state.player, rule=PLAY)


def _given_up(state: State) -> str:
    return f"the turn's {points(state.turn.total)} {'is' if state.turn.total == 1 else 'are'} lost"


# Freezing


def _with_point(turn: Turn, numbers: tuple[int, ...]) -> Turn:
    return replace(turn, point=numbers[0])


def _count(state: State, move: Move) -> int:
    """How many dice a point move freezes: what it names, or all that match."""
    return move.numbers[1] if len(move.numbers) > 1 else state.turn.dice.count(move.numbers[0])


def _freeze(state: State, count: int, events: tuple[Event, ...]) -> Step[State]:
    before = state.turn
    turn = replace(before, frozen=before.frozen + count, dice=())
    froze = Event(
        "frozen",
        f"{{{state.player}}} has {several(turn.frozen, turn.point)} frozen, {points(turn.total)} this turn",
        state.player,
        turn.total - (before.total if before.frozen else before.banked),
        (_frozen_meld(turn),),
        PLAY,
    )
    rollover = (Event("rollover", f"seven of a kind: {{{state.player}}} rolls over", state.player, rule=SEVEN),)
    events = (*events, froze, *(rollover if turn.frozen == DICE else ()))
    return Step(replace(state, phase=_phase_of(turn), turn=turn), events)


def _phase_of(turn: Turn) -> Phase:
    if turn.frozen == DICE:
        return "seven"
    return "piddle" if turn.frozen >= PIDDLES else "safe"


def _frozen_meld(turn: Turn) -> Meld[int]:
    dice = (turn.point,) * turn.counted
    return meld_at(of_a_kind(turn.counted), dice, range(turn.counted), chart(turn.point, turn.counted))


# The piddle


def _piddle(state: State, dice: Dice) -> Step[State]:
    rules, turn = state.rules, state.turn
    throw = throw_on(dice, turn.point, turn.counted, piddle_points=rules.piddle_points, doubles=rules.doubles)
    text = f"{{{state.player}}} piddles {dice_in_a_row(dice)}"
    if throw.outcome == "piddle-lost":
        lost = f"{text}: doubles, the piddle is lost; {_given_up(state)}"
        why = Event("piddle-lost", lost, state.player, -turn.total, rule=PIDDLE)
        return no_score(state, why, counts=rules.piddle_fail_counts)
    turn = replace(turn, added=throw.frozen - turn.frozen)
    scored = _piddle_points(state, turn) if throw.joined else ()
    if throw.outcome == "piddle-again":
        again = Event("piddle-again", f"{text}: doubles of the point, both dice again", state.player, rule=PIDDLE)
        return Step(replace(state, phase="again", turn=turn), (again, *scored))
    won = Event("piddle-won", f"{text}: a rollover, seven fresh dice", state.player, rule=PIDDLE)
    phase: Phase = "seven" if rules.stop_after_piddle else "throw"
    return Step(replace(state, phase=phase, turn=Turn(banked=turn.total)), (won, *scored))


def _piddle_points(state: State, turn: Turn) -> tuple[Event, ...]:
    text = f"the piddle makes {several(turn.counted, turn.point)}, {points(turn.total)} this turn"
    gained = turn.total - state.turn.total
    return (Event("piddle-points", text, state.player, gained, (_frozen_meld(turn),), PIDDLE_POINTS),)


# The bomb


def _bomb(state: State) -> Step[State]:
    if state.bomb_ready:
        ready = f"{several(state.turn.frozen, BOMB_POINT)}: {{{state.player}}} bombs"
        return _explode(state, Event("bombed", ready, state.player, rule=BOMB))
    announced = Event("bomb-announced", f"{{{state.player}}} goes for the bomb", state.player, rule=BOMB)
    return Step(replace(state, phase="bombing"), (announced,))


def _bomb_throw(state: State, dice: Dice) -> Step[State]:
    text = f"{{{state.player}}} piddles {dice_in_a_row(dice)}"
    if BOMB_POINT in dice:
        hit = Event("bombed", f"{text}: the bomb goes off", state.player, rule=BOMB)
        return _explode(state, hit)
    why = Event("bomb-failed", f"{text}: no 1, the bomb fails; {_given_up(state)}", state.player, rule=BOMB)
    return no_score(state, why, counts=state.rules.bomb_fail_counts)


def _explode(state: State, bombed: Event) -> Step[State]:
    """One leading peg is taken at once; among several the player chooses."""
    if len(state.rivals) > 1:
        return Step(replace(state, phase="exchange"), (bombed,))
    after = exchange(state, state.rivals[0])
    return Step(after.state, (bombed, *after.events))
