"""Farkle Cribbage as a game; the other modules of this folder implement its parts.

    game = FarkleCrib()
    state = game.start(Rules(bonus=frozenset({"six-of-a-kind"})), players=2)

Moves: `opening 3 4`, `throw 1 2 3 3 3 6`, `keep 1 3 3 3` (the dice set aside), `exchange 1` (six of a kind taken as an
exchange of pegs with player 1), `stop`, `roll-off 3 4`; dice lowest first. A throw that does not score ends the turn.

Source: the Farkle Cribbage text (Howard Fosdick) and RULINGS, "Farkle Crib" and "All games on a cribbage board".
"""

from __future__ import annotations

from typing import Any

from scorer.engine.advice import Advice
from scorer.engine.game import Move
from scorer.engine.options import Preset
from scorer.engine.worth import Worth
from scorer.games.farkle_crib import legal, play, questions, refusals, shapes, state, worth
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.state import State
from scorer.games.registry import register
from scorer.games.set_aside_game import SetAsideGame


class FarkleCrib(SetAsideGame[Rules, State]):
    """Farkle on a cribbage board, for any number of players."""

    name = "farkle-crib"
    title = "Farkle Cribbage"
    rules = Rules
    contest_dice = legal.CONTEST_DICE
    summary = "Six dice: set aside what scores, throw on or stop; the peg furthest off the board wins."
    in_short = (
        "Throw six dice and set aside at least one that scores: a 1 is two points, a 5 is one, and three of a kind are more.",
        "Then stop and peg your points, or throw the dice that are left.",
        "If nothing scores, it is a farkle: the points of the turn are lost. If all six score, throw all six again.",
        "Once a peg is off the board, the round is played out. The furthest peg wins.",
    )
    shapes = (shapes.FarkleCrib,)
    moment = questions.FarkleCribMoment
    whole_turn = questions.FarkleCribTurn
    presets = (
        Preset("Basic", "1s, 5s and three of a kind score."),
        Preset(
            "All bonuses",
            "Four to six of a kind, pairs, straight, full house, and three farkles in a row.",
            ("bonus=all",),
        ),
        Preset("Short", "Half the board: 60 holes.", ("finish=61",)),
    )

    start = staticmethod(state.start)
    legal_moves = staticmethod(legal.legal_moves)
    offers = staticmethod(legal.offers)
    prompt = staticmethod(legal.prompt)
    board = staticmethod(state.board)
    why_not = staticmethod(refusals.why_not)
    follow = staticmethod(play.follow)

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        """What a throw is worth, see `worth.worth`."""
        return worth.worth(pieces, rules, **options)

    def advise(self, state: State, *, hands: bool) -> Advice | None:  # noqa: ARG002 - nothing is hidden
        """The best decision now."""
        from scorer.games.farkle_crib import advice

        return advice.advise(state)

    def choice_worths(self, state: State) -> dict[Move | None, float]:
        """The worths of stopping, of going on, and of exchanges."""
        from scorer.games.farkle_crib import advice

        return advice.choice_worths(state)


register(FarkleCrib())
