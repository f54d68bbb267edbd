"""What a photo means in a game of Crib Dice: which dice of it were thrown.

Source: RULINGS, "What a photo means in a game": the thrown dice alone, or all the dice; the count tells which, and
set-aside dice are taken out by value. `scorer.games.crib_dice.throws` says which counts fit a point. A choice is never read
off the table: it is asked for.
"""

from __future__ import annotations

from functools import partial

from scorer.engine.expected import Expected, pieces
from scorer.engine.game import Dice, Move, Seen, Unclear, throw
from scorer.errors import ThrowError
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.state import PIDDLE_DICE, PIDDLES, Side, State
from scorer.games.crib_dice.throws import DICE, FACES, counts_that_fit, throw_on
from scorer.pieces.dice import check_values, were_read
from scorer.pieces.text import dice_in_a_row, in_a_row, in_words, several

_ASKED = {
    "choose": "choose the point first",
    "freeze": "say first how many dice join the point",
    "exchange": "say first whose peg is taken",
}

PIECES = pieces("d6", at_most=DICE + 1)
"""With six frozen, the second die of a piddle may be an eighth."""


def on_table(state: State) -> Expected:
    """How many dice a photo taken now should show: the thrown ones alone, or all."""
    turn = state.turn
    if state.phase in ("opening", "roll-off"):
        return PIECES.showing({PIDDLE_DICE})
    if state.phase in ("safe", "rolling", "piddle", "again", "bombing"):
        rolls_on = state.phase == "rolling"
        counts = counts_that_fit(turn.point, turn.frozen, piddle_points=state.rules.piddle_points, rolls_on=rolls_on)
        return PIECES.showing(counts)
    if state.phase in ("throw", "choose", "freeze", "seven"):
        # While a choice about thrown dice is open, those dice are on the table.
        return PIECES.showing({DICE, len(turn.dice)})
    return PIECES


def in_photo(rules: Rules, point: int | None = None, frozen: int | None = None) -> Expected:
    """How many dice a photo of a throw shows: all seven of the first, later the thrown ones alone or all.

    Raises:
        ThrowError: "bad-point", "bad-frozen" or "already-rolled-over".
    """
    if point is None or frozen is None:
        return PIECES.showing({DICE})
    fitting = partial(counts_that_fit, point, frozen, piddle_points=rules.piddle_points)
    may_roll = rules.roll_at_five_or_six and PIDDLES <= frozen < DICE
    return PIECES.showing({*fitting(), *(fitting(rolls_on=True) if may_roll else ())})


def view(state: State) -> str:
    """The dice that the prompt does not name."""
    turn = state.turn
    if state.phase == "over":
        return ""
    frozen = f"{several(turn.counted, turn.point)} frozen" if turn.counted else ""
    thrown = f"thrown {dice_in_a_row(turn.dice)}" if turn.dice else ""
    return ", ".join(filter(None, (frozen, thrown)))


def set_aside(state: State) -> tuple[Dice, ...]:
    """The frozen dice, where the next throw is made beside them."""
    turn = state.turn
    if state.phase in ("safe", "rolling"):
        return ((turn.point,) * turn.frozen,)
    if state.phase in ("piddle", "again", "bombing"):
        # With six frozen the second die of a piddle is one of them, or an eighth.
        return tuple((turn.point,) * count for count in dict.fromkeys((turn.frozen, PIDDLES)))
    return ((),)


def leaves_lying(state: State, move: Move) -> bool:
    """Whether the seven dice stay where they are: with piddle points a piddle uses two extra dice, which are picked up again."""
    return state.rules.piddle_points and move.verb == "piddle"


def streaks(state: State) -> tuple[tuple[int, str], ...]:
    """The wipeouts of every side in a row, and whether it is fuchled."""
    return tuple((number, _streak(side)) for number, side in enumerate(state.sides))


def _streak(side: Side) -> str:
    fuchled = "fuchled" if side.fuchled and not side.out else ""
    return ", ".join(filter(None, (in_a_row(side.streak, "wipeout"), fuchled)))


def recognise(state: State, seen: Seen) -> tuple[Move, ...]:
    """The one throw that the dice show.

    Raises:
        Unclear: "choice-first", "game-over", "nothing-thrown", "tiles-there", or what makes the dice no throw here.
    """
    if state.phase == "over":
        raise Unclear("game-over", "The game is over: start another one to throw on.")
    if state.phase in _ASKED:
        raise Unclear("choice-first", f"No throw is due: {_ASKED[state.phase]}, then throw.")
    try:
        move = _thrown(state, seen.dice)
    except Unclear:
        raise
    except ThrowError as error:
        raise Unclear(error.code, error.message) from error
    if seen.tiles:
        raise Unclear("tiles-there", "Crib Dice has no dominoes: clear them away, or confirm the dice.", (move,))
    return (move,)


def _thrown(state: State, dice: tuple[int, ...]) -> Move:
    check_values(dice, FACES)
    if state.phase in ("opening", "roll-off"):
        return throw(_exactly(dice, PIDDLE_DICE), state.phase)
    if state.phase in ("throw", "seven"):
        return _all_seven(state, dice)
    turn = state.turn
    points, rolls_on = state.rules.piddle_points, state.phase == "rolling"
    found = throw_on(dice, turn.point, turn.frozen, piddle_points=points, rolls_on=rolls_on).thrown
    return throw((dice[index] for index in found), "throw" if state.phase in ("safe", "rolling") else "piddle")


def _all_seven(state: State, dice: tuple[int, ...]) -> Move:
    move = throw(_exactly(dice, DICE))
    if state.phase == "seven" and set(dice) == {state.turn.point}:
        raise Unclear(
            "nothing-thrown",
            f"{several(DICE, state.turn.point).capitalize()} are still on the table: stop, or throw them. "
            "If they were thrown and came up the same again, confirm it.",
            (move,),
        )
    return move


def _exactly(dice: tuple[int, ...], count: int) -> tuple[int, ...]:
    if len(dice) != count:
        raise ThrowError(
            "wrong-count",
            f"This throw is {in_words(count)} dice; {were_read(len(dice))}{_shown(dice)}. "
            "Show just the dice that were thrown, or type the throw.",
        )
    return dice


def _shown(dice: tuple[int, ...]) -> str:
    return f" ({dice_in_a_row(dice)})" if dice else ""
