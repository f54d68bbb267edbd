"""Farkle: why a move is not legal, in words that a player understands, and the rule that it breaks."""

from __future__ import annotations

from collections import Counter

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.farkle.legal import keeps
from scorer.games.farkle.play import END, OPENING, SET_ASIDE, STOP, THROW
from scorer.games.farkle.state import State
from scorer.games.set_aside_game import Phase
from scorer.pieces.dice import dice_counted
from scorer.pieces.set_asides import DICE, FACES
from scorer.pieces.text import dice_in_a_row, listed

_VERBS = {
    Phase.OPENING: ("opening",),
    Phase.THROW: ("throw",),
    Phase.KEEP: ("keep",),
    Phase.GO_ON: ("stop", "throw"),
    Phase.OVER: (),
}
_FIRST = {
    Phase.OPENING: ("roll-first", "First everybody rolls one die for who begins.", OPENING),
    Phase.THROW: ("throw-first", "The turn begins with a throw of all six dice.", THROW),
    Phase.KEEP: ("keep-first", "First set aside at least one scoring die; then stop or throw on.", SET_ASIDE),
    Phase.GO_ON: (
        "nothing-to-choose",
        "The dice are set aside: throw the others before choosing again, or stop.",
        THROW,
    ),
    Phase.OVER: ("game-over", "The game is over: nothing more can be played.", END),
}
_THROW_ON = ("nothing-to-choose", "The dice are set aside: throw the others before choosing again.", THROW)
"""The refusal in `Phase.GO_ON` where the opening score is not reached yet, so that stopping is not allowed."""


def why_not(state: State, move: Move) -> IllegalMove:
    """The reason why a move is not among the legal ones."""
    known = sorted({verb for verbs in _VERBS.values() for verb in verbs})
    if move.verb not in known and state.phase is not Phase.OVER:
        return IllegalMove("unknown-move", f"Farkle has no move {move.verb!r}: it has {listed(known)}.", THROW)
    if move.verb not in _VERBS[state.phase]:
        return IllegalMove(*(_THROW_ON if state.phase is Phase.GO_ON and not state.may_stop else _FIRST[state.phase]))
    if move.tiles:
        return IllegalMove("tiles-there", "Farkle has no dominoes.", THROW)
    if move.verb == "stop":
        return _no_stop(state, move)
    return _no_keep(state, move) if move.verb == "keep" else _no_throw(state, move)


def _no_stop(state: State, move: Move) -> IllegalMove:
    if move.numbers:
        return IllegalMove("strange-numbers", "Write stop alone: all points of the turn are banked.", STOP)
    least = state.rules.opening_score
    text = f"A player without points needs {least} in one turn to stop, and has {state.turn.points}: throw on."
    return IllegalMove("not-on-the-board", text, STOP)


def _no_keep(state: State, move: Move) -> IllegalMove:
    thrown = state.turn.thrown
    if Counter(move.numbers) - Counter(thrown):
        text = f"{dice_in_a_row(thrown)} was thrown: set aside dice of that, not {dice_in_a_row(move.numbers)}."
        return IllegalMove("not-thrown", text, SET_ASIDE)
    if Move("keep", tuple(sorted(move.numbers))) in keeps(state.rules, thrown):
        return _unsorted(move, SET_ASIDE)
    if not move.numbers:
        return IllegalMove("keep-first", "Set aside at least one scoring die.", SET_ASIDE)
    text = f"Not all of {dice_in_a_row(move.numbers)} score together: set aside scoring dice only."
    return IllegalMove("does-not-score", text, SET_ASIDE)


def _no_throw(state: State, move: Move) -> IllegalMove:
    rule, due = (OPENING, 1) if state.phase is Phase.OPENING else (THROW, state.turn.dice)
    if len(move.numbers) != due:
        return IllegalMove("wrong-count", f"This throw is {dice_counted(due)}, not {len(move.numbers)}.", rule)
    if not all(1 <= value <= FACES for value in move.numbers):
        return IllegalMove("value-out-of-range", f"A die shows 1 to {FACES}; a throw is at most {DICE} of them.", rule)
    return _unsorted(move, rule)


def _unsorted(move: Move, rule: str) -> IllegalMove:
    text = f"Write the dice lowest first: {move.verb} {' '.join(map(str, sorted(move.numbers)))}."
    return IllegalMove("unsorted", text, rule)
