"""Farkle as a game; the other modules of this folder implement its parts.

Moves: `opening 4`, `throw 1 2 3 3 3 6`, `keep 1 3 3 3` (the dice set aside), `stop`; dice lowest first. A throw in which
nothing scores ends the turn.
"""

from __future__ import annotations

from typing import Any

from scorer.engine.advice import Advice
from scorer.engine.game import Move
from scorer.engine.options import Preset
from scorer.engine.worth import Worth
from scorer.games.farkle import legal, play, questions, refusals, state, worth
from scorer.games.farkle.rules import Rules
from scorer.games.farkle.state import State
from scorer.games.registry import register
from scorer.games.set_aside_game import SetAsideGame


class Farkle(SetAsideGame[Rules, State]):
    """Six dice, set aside and thrown on, for two players or more."""

    name = worth.GAME
    title = "Farkle"
    summary = "Six dice: set aside what scores, throw on or stop; the most points win once somebody has 10,000."
    in_short = (
        "Throw six dice and set aside at least one that scores: a 1 is 100, a 5 is 50, and three of a kind are more.",
        "Then stop and bank your points, or throw the dice that are left.",
        "If nothing scores, it is a farkle: the points of the turn are lost. If all six score, throw all six again.",
        "Once somebody has 10,000 points, all others have one last turn. The most points win.",
    )
    rules = Rules
    contest_dice = legal.CONTEST_DICE
    moment = questions.FarkleMoment
    whole_turn = questions.FarkleTurn
    presets = (
        Preset("Basic", "1s, 5s and three of a kind score."),
        Preset(
            "All scores",
            "Four to six of a kind, straight, three pairs, two triplets; 500 to get on the board.",
            ("of_a_kind=thousands", "straight=1500", "three_pairs=1500", "two_triplets=2500", "opening_score=500"),
        ),
        Preset("Short", "To 5,000 points.", ("target=5000",)),
    )

    start = staticmethod(state.start)
    legal_moves = staticmethod(legal.legal_moves)
    offers = staticmethod(legal.offers)
    prompt = staticmethod(legal.prompt)
    board = staticmethod(state.sheet)
    why_not = staticmethod(refusals.why_not)
    follow = staticmethod(play.follow)

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        """What a throw is worth, see `worth.worth`."""
        return worth.worth(pieces, rules, **options)

    def advise(self, state: State, *, hands: bool) -> Advice | None:  # noqa: ARG002 - nothing is hidden
        """The best decision now."""
        from scorer.games.farkle import odds

        return odds.advise(state)

    def choice_worths(self, state: State) -> dict[Move | None, float]:
        """The worths of stopping and of going on."""
        from scorer.games.farkle import odds

        return odds.choice_worths(state)


register(Farkle())
