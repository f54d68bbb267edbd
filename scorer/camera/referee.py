"""The referee: maps what is on the table, in a state of a game, to moves, a question, or a doubt with its reason.

Source: RULINGS, "What a photo means in a game". A throw that fits is played. A choice that only the player can make is
asked, never guessed. What the rules do not allow is a doubt: nothing is scored, and the players decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.engine.game import Event, Move, Offer, Seen, Throws, Unclear
from scorer.engine.record import Record
from scorer.engine.worth import Piece
from scorer.errors import IllegalMove
from scorer.games.registry import AnyGame
from scorer.pieces.dice import dice_counted

_NOTHING_THROWN = "The dice lie as before, so nothing may have been thrown yet: throw, then show the dice again."
_NOTHING_DRAWN = "The tiles lie as before, so nothing may have been drawn yet: draw, then show the tile."
_UNCHANGED = f"{_NOTHING_THROWN} If they were thrown and came up the same, confirm it."
_UNCHANGED_TILES = f"{_NOTHING_DRAWN} If the same one was drawn again, confirm it."


@dataclass(frozen=True, slots=True)
class Question:
    """What a player has to decide now.

    Attributes:
        player: whom it is put to.
        text: what is asked, "{0}" being the name of player 0.
        offers: the legal choices, with what each is worth.
        may_throw: throwing is another answer, given with the dice.
    """

    player: int | None
    text: str
    offers: tuple[Offer, ...]
    may_throw: bool

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        offers = [{"move": str(offer.move), "text": offer.text, "points": offer.points} for offer in self.offers]
        return {"player": self.player, "text": self.text, "offers": offers, "may_throw": self.may_throw}


@dataclass(frozen=True, slots=True)
class RulingDoubt:
    """Why nothing was scored.

    Attributes:
        code: stable kebab-case name of the reason.
        message: a sentence that names the trouble and the way out.
        moves: what would be played if a person confirms what was seen; empty if nothing could.
    """

    code: str
    message: str
    moves: tuple[Move, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {"code": self.code, "message": self.message, "moves": [str(move) for move in self.moves]}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the referee says.

    Attributes:
        moves: the moves that were seen, in order; empty when there is a doubt.
        state: the state after them; the old one when there is a doubt.
        events: what followed from them.
        question: what is to be chosen next, if there is a choice.
        doubt: why nothing was played.
    """

    moves: tuple[Move, ...]
    state: Any
    events: tuple[Event, ...]
    question: Question | None
    doubt: RulingDoubt | None = None


Shown = tuple[Any, Move]
"""A move that put something on the table, and the state before it."""


def last_shown(record: Record) -> tuple[Shown, ...]:
    """The last move whose pieces are on the table, and those before it whose pieces may still be; empty where there are none."""
    shown = list[Shown]()
    for move, before in zip(reversed(record.moves), reversed(record.history[:-1]), strict=True):
        if record.game.laid_by(move):
            shown.append((before, move))
            if not record.game.leaves_lying(before, move):
                break
    return tuple(shown)


def rule(game: AnyGame, state: Any, seen: Seen, last: Sequence[Shown] = ()) -> Ruling:
    """What was seen, as moves of the game; or a doubt, with the state unchanged.

    Args:
        game: the game that is played.
        state: how it stands.
        seen: the values on the table.
        last: what was thrown or drawn last (`last_shown`), where the input is a photo: an unchanged table is no throw.
    """
    try:
        if seen.typed:
            _check_count(game, state, seen.dice)
        unchanged = any(Counter(_pieces(seen)) in _as_it_lay(game, state, *shown) for shown in last)
        moves = _recognised(game, state, seen, unchanged=unchanged)
        if unchanged:
            raise Unclear("nothing-thrown", _UNCHANGED_TILES if seen.tiles else _UNCHANGED, moves)
        after, events = _played(game, state, moves)
    except Unclear as trouble:
        return Ruling((), state, (), question(game, state), RulingDoubt(trouble.code, trouble.message, trouble.moves))
    except IllegalMove as trouble:
        return Ruling(
            (), state, (), question(game, state), RulingDoubt(trouble.code, f"{trouble.message} ({trouble.rule})")
        )
    return Ruling(moves, after, events, question(game, after))


def _recognised(game: AnyGame, state: Any, seen: Seen, *, unchanged: bool) -> tuple[Move, ...]:
    """The moves that were seen; on an unchanged table, a wrong count means that nothing was thrown.

    Raises:
        Unclear: what was seen is no move.
    """
    try:
        return game.recognise(state, seen)
    except Unclear as trouble:
        if unchanged and trouble.code == "wrong-count":
            raise Unclear("nothing-thrown", _NOTHING_DRAWN if seen.tiles else _NOTHING_THROWN) from trouble
        raise


def _check_count(game: AnyGame, state: Any, typed: Sequence[int]) -> None:
    """Refuse too few or too many typed dice; for photos, and for values that no die has, the game reports the error.

    Raises:
        Unclear: "wrong-count".
    """
    due, fitting = game.legal_moves(state).chance, game.on_table(state).counts
    if not isinstance(due, Throws) or any(not 1 <= value <= due.faces for value in typed):
        return
    if fitting and len(typed) not in fitting:
        named = f"{dice_counted(len(typed))} {'was' if len(typed) == 1 else 'were'} typed"
        text = f"This throw is {dice_counted(due.count)}, but {named}. Type just the dice that were thrown."
        raise Unclear("wrong-count", text)


def _pieces(seen: Seen) -> list[Piece]:
    return [*seen.dice, *map(str, seen.tiles)]


def _as_it_lay(game: AnyGame, state: Any, before: Any, move: Move) -> list[Counter[Piece]]:
    """The pieces that an unchanged table may show: all of the last throw, those thrown, and those not set aside since."""
    thrown = Counter(game.laid_by(move))
    ways = list[Counter[Piece]]()
    # Where tables set aside differently, it is unknown which way this one did.
    for beside in (game.lay_before(before, move), *game.set_aside(before)[1:]):
        everything = thrown + Counter(beside)
        aside = (Counter[Piece](each) for each in game.set_aside(state))
        ways += [everything, *(everything - each for each in aside if each <= everything)]
    return [thrown, *ways]


def question(game: AnyGame, state: Any) -> Question | None:
    """What is to be chosen in this state; None where only dice or tiles decide what comes next, or the game is over."""
    offers = game.offers(state)
    if not offers:
        return None
    return Question(state.to_act, game.prompt(state), offers, game.legal_moves(state).chance is not None)


def _played(game: AnyGame, state: Any, moves: tuple[Move, ...]) -> tuple[Any, tuple[Event, ...]]:
    events: tuple[Event, ...] = ()
    for move in moves:
        step = game.apply(state, move)
        state, events = step.state, (*events, *step.events)
    return state, events
