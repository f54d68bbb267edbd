"""Why a move is refused: the reason as a player understands it, and the rule that it breaks."""

from __future__ import annotations

from collections.abc import Callable

from scorer.engine.game import Move, Throws, throw
from scorer.errors import IllegalMove
from scorer.games.crib_dice.legal import legal_moves, prompt
from scorer.games.crib_dice.rules import (
    BOMB,
    FREEZING,
    GAME_END,
    OPENING,
    PIDDLE,
    PLAY,
    ROLLING,
    SEVEN,
    TIES,
    TITLE,
)
from scorer.games.crib_dice.state import BOMB_POINT, PIDDLES, State
from scorer.games.crib_dice.throws import FACES
from scorer.pieces.dice import dice_counted
from scorer.pieces.text import in_words, listed, one_of, several

Reason = tuple[str, str, str]
"""A code, a sentence, and the rule."""


def why_not(state: State, move: Move) -> IllegalMove:
    """The reason why this move is not legal here."""
    if state.phase == "over":
        return IllegalMove("game-over", f"{move} comes too late: the game is over.", GAME_END)
    if Move(move.verb) in legal_moves(state).choices:
        return IllegalMove("surplus", f"{move.verb} is written alone, with nothing after it.", TITLE)
    find = _REASONS.get(move.verb)
    return IllegalMove(*(find(state, move) if find else _no_such_move(state, move)))


def _due(state: State) -> str:
    """What is to be done instead, without the player's name."""
    return prompt(state).split(": ", 1)[1]


def _no_such_move(_: State, move: Move) -> Reason:
    known = listed(sorted(_REASONS))
    return "unknown-move", f"Crib Dice has no move {move.verb!r}: there are {known}.", TITLE


def _not_now(state: State, move: Move, rule: str) -> Reason:
    return "not-now", f"{move.verb!r} is not a move here. Due now: {_due(state)}.", rule


# Dice


def _no_throw(state: State, move: Move) -> Reason:
    if state.phase == "choose":
        return "point-first", "Choose a point of the seven dice before throwing on.", PLAY
    if state.phase in ("piddle", "again") and not (state.phase == "piddle" and state.rules.roll_at_five_or_six):
        frozen = several(state.turn.frozen, state.turn.point)
        return "piddle-instead", f"With {frozen} frozen the rest is not thrown: {_due(state)}.", PIDDLE
    return _bad_dice(state, move, PLAY)


def _no_piddle(state: State, move: Move) -> Reason:
    if state.phase == "safe":
        have = several(state.turn.frozen, state.turn.point)
        return "too-few-to-piddle", f"A piddle takes five or six frozen dice, and there are {have}.", PIDDLE
    if state.phase == "seven":
        return "already-rolled-over", "Seven of a kind rolls over by itself: throw all seven, or stop.", SEVEN
    return _bad_dice(state, move, PIDDLE)


def _no_opening(state: State, move: Move) -> Reason:
    if state.phase != "opening":
        return "already-opened", f"Who goes first is decided: {_due(state)}.", OPENING
    return _bad_dice(state, move, OPENING)


def _no_roll_off(state: State, move: Move) -> Reason:
    return _bad_dice(state, move, TIES)


def _bad_dice(state: State, move: Move, rule: str) -> Reason:
    chance = legal_moves(state).chance
    if not isinstance(chance, Throws) or chance.verb != move.verb:
        return _not_now(state, move, rule)
    if len(move.numbers) != chance.count:
        due = f"{in_words(chance.count)} {'die' if chance.count == 1 else 'dice'}"
        return "wrong-count", f"This throw is {due}, not {dice_counted(len(move.numbers))}: {_due(state)}.", rule
    if not all(1 <= value <= FACES for value in move.numbers):
        return "value-out-of-range", f"Dice show 1 to {FACES}: correct {move}.", rule
    written = throw(move.numbers, move.verb)
    return (
        "unsorted",
        f"A throw is written with its dice in order, lowest first, and nothing after them: {written}.",
        rule,
    )


# Choices


def _no_stop(state: State, move: Move) -> Reason:
    if state.phase == "throw" and state.turn.banked:
        return "must-roll-over", "After a won piddle the seven dice must be thrown before you may stop.", PIDDLE
    if state.phase == "throw":
        return "nothing-to-peg", "Throw all seven dice before you may stop: the turn has no points yet.", PLAY
    if state.phase == "choose":
        return "point-first", "Choose a point before you may stop.", PLAY
    if state.phase == "again":
        return "piddle-again", "Doubles of the point are thrown again before you may stop.", PIDDLE
    if state.phase == "bombing":
        return "bomb-announced", "The bomb is announced: throw the two dice.", BOMB
    return _not_now(state, move, PLAY)


def _no_point(state: State, move: Move) -> Reason:
    if state.phase != "choose":
        return _point_stands(state, move)
    dice, value = state.turn.dice, move.numbers[0] if move.numbers else 0
    if dice.count(value) < 2:
        return "no-pair", f"A point is two or more matching dice: choose {_values(state)}.", PLAY
    if state.rules.freeze_all:
        return "freeze-all", f"Every die of the point is frozen: write the move as point {value}.", FREEZING
    most = dice.count(value)
    return "bad-frozen", f"Say how many {value}s you freeze, 2 to {most}: point {value} {most}.", FREEZING


def _values(state: State) -> str:
    dice = state.turn.dice
    return one_of([str(value) for value in range(1, FACES + 1) if dice.count(value) > 1])


def _point_stands(state: State, move: Move) -> Reason:
    if state.turn.point:
        stands = f"The point is {state.turn.point} and may not be changed: {_due(state)}."
        return "point-stands", stands, PLAY
    return _not_now(state, move, PLAY)


def _no_freeze(state: State, move: Move) -> Reason:
    if state.rules.freeze_all:
        return "freeze-all", f"Every die that matches the point is frozen by itself: {_due(state)}.", FREEZING
    if state.phase != "freeze":
        return _not_now(state, move, FREEZING)
    most = state.turn.dice.count(state.turn.point)
    return "bad-frozen", f"Freeze at least one of the matching dice and at most {most}: freeze {most}.", FREEZING


def _no_roll(state: State, move: Move) -> Reason:
    if not state.rules.roll_at_five_or_six:
        return "no-roll", f"With five or six frozen the rest is not rolled: {_due(state)}.", ROLLING
    return _not_now(state, move, ROLLING)


def _no_bomb(state: State, move: Move) -> Reason:
    turn = state.turn
    if not state.rules.bomb:
        return "no-bomb", "The bomb is not played in this game: switch the option bomb on for it.", BOMB
    if state.phase == "again":
        return "bomb-not-announced", "A piddle without the announcement is never a bomb: throw both dice again.", BOMB
    if turn.point and turn.point != BOMB_POINT:
        return "not-1s", f"Only 1s are a bomb, and the point is {turn.point}.", BOMB
    if state.phase == "safe":
        few = f"The bomb takes {in_words(PIDDLES)} 1s or more, and there are {in_words(turn.frozen)}."
        return "too-few-to-bomb", few, BOMB
    if state.phase in ("piddle", "seven") and not state.rivals:
        return "nothing-to-exchange", "No peg on the board is ahead of yours: there is nothing to exchange.", BOMB
    return _not_now(state, move, BOMB)


def _no_exchange(state: State, move: Move) -> Reason:
    if state.phase != "exchange":
        return _not_now(state, move, BOMB)
    pegs = one_of([str(state.members(side)[0]) for side in state.rivals])
    return "not-a-leader", f"The bomb takes one of the leading pegs: exchange with player {pegs}.", BOMB


_REASONS: dict[str, Callable[[State, Move], Reason]] = {
    "opening": _no_opening,
    "throw": _no_throw,
    "point": _no_point,
    "freeze": _no_freeze,
    "stop": _no_stop,
    "piddle": _no_piddle,
    "bomb": _no_bomb,
    "roll": _no_roll,
    "exchange": _no_exchange,
    "roll-off": _no_roll_off,
}
