"""What a picture of the table means: mostly one throw, sometimes the keep before it, or a doubt with its reason.

Source: RULINGS, "What a photo means in a game". A keep is only inferred where it cannot matter: two keeps that leave
the same dice on the table lead to the same state, unless dice once kept stay kept and another roll may follow.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NoReturn

from scorer.engine.expected import Expected, pieces
from scorer.engine.game import Move, Seen, Unclear, throw
from scorer.engine.photographed import Completed, Photographed
from scorer.engine.worth import Piece
from scorer.errors import ThrowError
from scorer.games.cribbage_dice.legal import first_throw, keep_moves
from scorer.games.cribbage_dice.state import ROLLS, State, without
from scorer.games.cribbage_dice.throws import FACES, HAND, WITH_EXTRAS
from scorer.pieces.dice import check_values, dice_counted, take_out, were_read
from scorer.pieces.text import dice_in_a_row, listed

_WAY_OUT = "Show these and nothing else, or type the throw."
_SAME = "The dice lie as before, so nothing may have been thrown yet: throw, or stop."
_SAME_KEEP_KNOWN = f"{_SAME} If they were thrown, confirm it, or say what you kept."
_SAME_KEEP_UNKNOWN = f"{_SAME} If they were thrown, say what you kept."

PIECES = pieces("d12", at_most=WITH_EXTRAS, substitutes=("d6",))
"""Six-sided dice are counted by the same chart, for tables without d12."""


def on_table(state: State) -> Expected:
    """How many dice a photo taken now should show: the thrown ones alone, or all."""
    if state.phase == "over":
        return PIECES
    if state.phase in ("opening", "roll-off"):
        return PIECES.showing({state.to_throw})
    return PIECES.showing({state.rules.dice, state.to_throw})


def in_photo(**_: Any) -> Expected:
    """How many dice a photo of a throw shows: a hand, or one with the two extra dice."""
    return PIECES.showing({HAND, WITH_EXTRAS})


def view(state: State) -> str:
    """The dice that the prompt does not name."""
    turn = state.turn
    kept = f", kept {dice_in_a_row(turn.others)}" if turn.others else ""
    return f"starter {turn.starter}{kept}" if state.phase == "rethrow" else ""


def recognise(state: State, seen: Seen) -> tuple[Move, ...]:
    """The moves that a picture of the table shows.

    Raises:
        Unclear: "game-over", "tiles-seen", "wrong-count", "value-out-of-range", "starter-unknown", "starter-not-there",
            "starter-changed", "starter-thrown", "set-aside-not-there", "nothing-thrown" or "choice-first".
    """
    _check(state, seen)
    if state.phase in ("opening", "roll-off"):
        _check_count(seen, 1)
        return (throw(seen.dice, state.phase),)
    if state.phase == "throw":
        return (_first(state, seen),)
    if state.phase == "rethrow":
        return (_later(state, seen),)
    return _after_unsaid_keep(state, seen)


def _check(state: State, seen: Seen) -> None:
    if state.phase == "over":
        raise Unclear("game-over", "The game is over, so no throw counts: start another game.")
    if seen.tiles:
        raise Unclear("tiles-seen", f"There are no tiles in this game, but {seen.tiles[0]} was read: take it away.")
    try:
        check_values(seen.dice, FACES)
    except ThrowError as error:
        raise Unclear(error.code, error.message) from error
    if seen.starter is not None and seen.starter not in seen.dice:
        raise Unclear("starter-not-there", f"None of the dice read shows {seen.starter}, as the starter should.")
    if state.phase == "discard":
        raise Unclear("choice-first", "No throw is due: say first which two dice you discard.")


def _check_count(seen: Seen, *counts: int) -> None:
    if len(seen.dice) not in counts:
        raise Unclear("wrong-count", f"{_wanted(counts)} here, but {were_read(len(seen.dice))}. {_WAY_OUT}")


def _wanted(counts: tuple[int, ...]) -> str:
    if len(counts) == 1:
        return f"{dice_counted(counts[0]).capitalize()} must lie"
    return f"The {dice_counted(counts[0])} thrown must lie alone, or all {counts[1]},"


def _first(state: State, seen: Seen) -> Move:
    _check_count(seen, state.to_throw)
    values = sorted(set(seen.dice))
    if seen.starter is None and len(values) > 1:
        which = listed([str(value) for value in values])
        raise Unclear("starter-unknown", f"Which die is the starter? The dice show {which}; name the odd one's value.")
    starter = values[0] if seen.starter is None else seen.starter
    return first_throw((starter, *without(seen.dice, (starter,))))


def _later(state: State, seen: Seen) -> Move:
    """The throw after an announced keep: the picture shows the thrown dice alone, or all."""
    _check_count(seen, state.to_throw, state.rules.dice)
    if len(seen.dice) == state.rules.dice:
        _check_starter(state, seen, _throw_if_it_stayed(state, seen.dice))
        return throw(_beside(seen.dice, state.turn.table))
    if seen.starter is not None:
        text = f"The starter is never thrown again, but one of the dice looks like it, showing {seen.starter}."
        hint = "Show the thrown dice alone, or all; or confirm that these are the thrown dice."
        raise Unclear("starter-thrown", f"{text} {hint}", (throw(seen.dice),))
    return throw(seen.dice)


def _throw_if_it_stayed(state: State, dice: tuple[int, ...]) -> tuple[Move, ...]:
    """The throw if a die that shows the starter's value is the starter; empty where that is impossible."""
    return (throw(without(dice, state.turn.table)),) if Counter(state.turn.table) <= Counter(dice) else ()


def _after_unsaid_keep(state: State, seen: Seen) -> tuple[Move, ...]:
    """The keep and the throw, where all dice are on the table and the keep was not announced."""
    if 0 < len(seen.dice) < state.rules.dice:
        whole = f"show all {state.rules.dice} dice"
        raise Unclear("choice-first", f"{were_read(len(seen.dice)).capitalize()}: say first what you keep, or {whole}.")
    _check_count(seen, state.rules.dice)
    if sorted(seen.dice) == sorted((state.turn.starter, *state.turn.others)):
        # The values are the same as before, whichever die was taken for the starter.
        inferred = _inferred(state, state.turn.others)
        raise Unclear("nothing-thrown", _SAME_KEEP_KNOWN if inferred else _SAME_KEEP_UNKNOWN, inferred)
    _check_starter(state, seen, _if_the_starter_stayed(state, seen.dice))
    others = tuple(sorted(_beside(seen.dice, (state.turn.starter,))))
    _beside(others, state.turn.locked)
    return _inferred(state, others) or _ask_for_the_keep(state, others)


def _inferred(state: State, others: tuple[int, ...]) -> tuple[Move, ...]:
    """The keep and the throw that led to these dice; empty where more than one keep fits."""
    keep, *more = _keeps(state, others)
    return () if more else (keep, throw(without(others, keep.numbers)))


def _keeps(state: State, others: tuple[int, ...]) -> tuple[Move, ...]:
    """The keeps that may have led to these dice; among those that lead to the same state, the one with most dice."""
    keeps = tuple(keep for keep in keep_moves(state) if Counter(keep.numbers) <= Counter(others))
    another_roll_follows = state.turn.rolls + 1 < ROLLS
    return keeps if state.rules.once_kept and another_roll_follows else keeps[:1]


def _ask_for_the_keep(state: State, others: tuple[int, ...]) -> NoReturn:
    kept = [dice_in_a_row(keep.numbers) or "nothing" for keep in _keeps(state, others)]
    text = f"What is kept stays kept, so say first what you kept. These dice fit keeping {' or '.join(kept)}."
    raise Unclear("choice-first", text)


def _if_the_starter_stayed(state: State, dice: tuple[int, ...]) -> tuple[Move, ...]:
    """The keep and the throw if a die that shows the starter's value is the starter; empty where that is impossible."""
    if not Counter((state.turn.starter, *state.turn.locked)) <= Counter(dice):
        return ()
    return _inferred(state, tuple(sorted(without(dice, (state.turn.starter,)))))


def _check_starter(state: State, seen: Seen, likely: tuple[Move, ...]) -> None:
    starter = state.turn.starter
    if starter in seen.dice and seen.starter in (None, starter):
        return
    now = f"now it seems to show {seen.starter}" if seen.starter else "no die shows that now"
    confirm = f" If a die on {starter} is the starter still, confirm it." if likely else ""
    text = f"The starter showed {starter} and is never thrown again, but {now}. Turn it back, or correct the reading."
    raise Unclear("starter-changed", text + confirm, likely)


def _beside(dice: tuple[int, ...], set_aside: tuple[int, ...]) -> tuple[int, ...]:
    """The values without those that were set aside before."""
    try:
        return tuple(dice[index] for index in take_out(dice, set_aside))
    except ThrowError as error:
        raise Unclear(error.code, error.message) from error


# A photo that is only scored


def complete(photo: Photographed, starter: Piece | None) -> Completed:
    """The starter by its colour, where nobody has named it."""
    if photo.odd is None and starter is None and _starter_due(photo):
        return Completed(["No die has another colour, so the starter is unknown. Name it."])
    if photo.odd is None or str(starter) == str(photo.odd):
        return Completed()
    if starter is not None:
        return Completed([f"The starter is {starter} as named, not the odd-coloured {photo.odd}."])
    return Completed(options={"starter": photo.odd})


def _starter_due(photo: Photographed) -> bool:
    """Whether this is a whole throw of twelve-sided dice: one is the starter, and the values do not show which."""
    return photo.own_kind and len(photo.values) in (HAND, WITH_EXTRAS) and len(set(photo.values)) > 1
