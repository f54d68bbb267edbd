"""Farkle Cribbage: why a move is not legal, in words that a player understands, and the rule that it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.farkle_crib.legal import CONTEST_DICE, is_bomb, keeps, rivals
from scorer.games.farkle_crib.state import State
from scorer.games.set_aside_game import Phase
from scorer.pieces.dice import dice_counted
from scorer.pieces.set_asides import DICE, FACES
from scorer.pieces.text import dice_in_a_row, listed, one_of

_PLAY = "Farkle Cribbage, Play"
_BOMB = "Farkle Cribbage, Optional Bonus Scores: The Bomb"
_VERBS = {
    Phase.OPENING: ("opening",),
    Phase.THROW: ("throw",),
    Phase.KEEP: ("keep", "exchange"),
    Phase.GO_ON: ("stop", "throw"),
    Phase.ROLL_OFF: ("roll-off",),
    Phase.OVER: (),
}
_FIRST = {
    Phase.OPENING: ("roll-first", "First everybody rolls two dice for who begins.", _PLAY),
    Phase.THROW: ("throw-first", "The turn begins with a throw of all six dice.", f"{_PLAY} 1"),
    Phase.KEEP: (
        "keep-first",
        "First set aside at least one scoring die of the throw; then stop or throw on.",
        f"{_PLAY} 2",
    ),
    Phase.GO_ON: (
        "nothing-to-choose",
        "The dice are set aside: throw the others before choosing again, or stop.",
        f"{_PLAY} 4",
    ),
    Phase.ROLL_OFF: (
        "roll-first",
        "The pegs are level: those players roll two dice for the win.",
        "Muggins's rulings, All games on a cribbage board: tie",
    ),
    Phase.OVER: ("game-over", "The game is over: nothing more can be played.", "Farkle Cribbage, End"),
}


def why_not(state: State, move: Move) -> IllegalMove:
    """The reason why a move is not among the legal ones."""
    if state.phase is not Phase.OVER and all(move.verb not in verbs for verbs in _VERBS.values()):
        known = listed(sorted({verb for verbs in _VERBS.values() for verb in verbs}))
        return IllegalMove("unknown-move", f"Farkle Cribbage has no move {move.verb!r}: it has {known}.", _PLAY)
    if move.verb not in _VERBS[state.phase]:
        return IllegalMove(*_FIRST[state.phase])
    if move.tiles:
        return IllegalMove("tiles-there", "Farkle Cribbage has no dominoes.", "Farkle Cribbage, Equipment")
    if move.verb == "keep":
        return _no_keep(state, move)
    return _no_exchange(state) if move.verb == "exchange" else _no_throw(state, move)


def _no_throw(state: State, move: Move) -> IllegalMove:
    if move.verb == "stop":
        return IllegalMove("strange-numbers", "Write stop alone: all points of the turn are pegged.", f"{_PLAY} 6")
    count = state.turn.dice if move.verb == "throw" else CONTEST_DICE
    rule = _FIRST[state.phase][2]
    if len(move.numbers) != count:
        text = f"This throw is {dice_counted(count)}, not {len(move.numbers)}."
        return IllegalMove("wrong-count", text, rule)
    wrong = [value for value in move.numbers if not 1 <= value <= FACES]
    if wrong:
        return IllegalMove("value-out-of-range", f"The dice go from 1 to {FACES}, got {wrong[0]}.", rule)
    return _unsorted(move, rule)


def _unsorted(move: Move, rule: str) -> IllegalMove:
    ordered = Move(move.verb, tuple(sorted(move.numbers)))
    return IllegalMove("unsorted", f"Write the dice lowest first: {ordered}.", rule)


def _no_keep(state: State, move: Move) -> IllegalMove:
    thrown = state.turn.thrown
    if not move.numbers:
        text = f"At least one scoring die of {dice_in_a_row(thrown)} is set aside."
        return IllegalMove("nothing-kept", text, f"{_PLAY} 2")
    strange = Counter(move.numbers) - Counter(thrown)
    if strange:
        text = f"{_dice(strange.elements())} cannot be set aside: the throw is {dice_in_a_row(thrown)}."
        return IllegalMove("not-thrown", text, f"{_PLAY} 2")
    idle = _idle(state, move)
    if idle:
        text = f"{_dice(idle)} would not score with the rest, and only scoring dice are set aside."
        return IllegalMove("not-scoring", text, f"{_PLAY} 2; Muggins's rulings, Farkle Crib")
    return _unsorted(move, f"{_PLAY} 2")


def _idle(state: State, move: Move) -> tuple[int, ...]:
    """The dice of a keep that are left over when as many as possible of them score."""
    asked = Counter(move.numbers)
    scoring = [Counter(keep.numbers) for keep in keeps(state.rules, state.turn.thrown)]
    most = max((keep for keep in scoring if keep <= asked), key=Counter.total, default=Counter[int]())
    return tuple((asked - most).elements())


def _dice(values: Iterable[int]) -> str:
    return dice_in_a_row(sorted(values))


def _no_exchange(state: State) -> IllegalMove:
    if "six-of-a-kind" not in state.rules.bonus:
        return IllegalMove("no-bomb", "The Bomb is not played here: its bonus is six-of-a-kind.", _BOMB)
    if not is_bomb(state):
        return IllegalMove("no-bomb", f"Only six of a kind in one throw of all {DICE} dice is a bomb.", _BOMB)
    leaders = rivals(state)
    if not leaders:
        text = "No peg on the board is ahead of yours, so there is nothing to exchange: set the dice aside."
        return IllegalMove("nothing-to-exchange", text, _BOMB)
    text = f"Pegs are exchanged with the leader only: {one_of([f'exchange {leader}' for leader in leaders])}."
    return IllegalMove("not-the-leader", text, "Muggins's rulings, All games on a cribbage board: the leader")
