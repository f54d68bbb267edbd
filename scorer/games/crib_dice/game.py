"""Crib Dice as a game; the other modules of this folder implement its parts.

    game = CribDice()
    state = game.start(Rules.advanced(opening_roll=False), players=2)
    state = game.apply(state, Move.parse("throw 1 2 2 4 5 5 6")).state
    state = game.apply(state, Move.parse("point 5")).state

Moves: "opening A B", "throw …" (seven, or the unfrozen dice), "point V" ("point V N" where N of the matching dice are
frozen), "freeze N", "stop", "piddle A B", "bomb" (taken with enough 1s, announced with five), "exchange P" (P plays for
the leading side whose peg is taken; asked only among several), "roll-off A B". With one leading peg a bomb takes it at
once. Where nobody is ahead, the bomb is not offered: it would give the turn's points away for nothing.
"""

from __future__ import annotations

from typing import Any

from scorer.engine.advice import Advice
from scorer.engine.board import Board, Pegs
from scorer.engine.expected import Expected
from scorer.engine.game import Game, Move
from scorer.engine.options import Preset
from scorer.engine.worth import Worth
from scorer.games.crib_dice import legal, play, questions, refusals, rounds, shapes, table_view, worth
from scorer.games.crib_dice.rules import ADVANCED, TITLE, Rules
from scorer.games.crib_dice.state import State
from scorer.games.registry import register

ADVANCED_OPTIONS = tuple(f"{name}=true" for name in ADVANCED if name != "bumping")


class CribDice(Game[Rules, State]):
    """The game of the Crib Dice text (Howard Fosdick), in both editions."""

    name = "crib-dice"
    title = TITLE
    rules = Rules
    pieces = table_view.PIECES
    summary = "Seven dice: freeze a point, throw the rest for more of it, and stop in time; the peg furthest off the board wins."
    in_short = (
        "Throw seven dice and choose a value that shows at least twice: it is your point. Its dice are frozen and score.",
        "Then stop and peg your points, or throw the other dice: more of your point freeze and score.",
        "A throw with neither your point nor a 1 is a wipeout: the turn scores nothing. After three in a row "
        "your peg goes back to the start.",
        "With five or six frozen, two dice may win you all seven again, and the points add up.",
        "Once a peg is off the board, the round is played out. The furthest peg wins.",
    )
    visible_verbs = frozenset({"opening", "throw", "piddle", "roll-off"})
    shapes = (shapes.CribDiceFirst, shapes.CribDiceLater)
    score_options = questions.ScoreOptions
    moment = questions.CribDiceMoment
    whole_turn = questions.CribDiceTurn
    presets = (
        Preset("Basic", "The basic game."),
        Preset(
            "Advanced",
            "Piddle points, the bomb, double fuchle and skunk; bumping needs shared lanes too.",
            ADVANCED_OPTIONS,
        ),
        Preset("Short", "Half the board: 60 holes.", ("finish=61",)),
    )

    start = staticmethod(rounds.first_state)
    legal_moves = staticmethod(legal.legal_moves)
    offers = staticmethod(legal.offers)
    prompt = staticmethod(legal.prompt)
    on_table = staticmethod(table_view.on_table)
    recognise = staticmethod(table_view.recognise)
    why_not = staticmethod(refusals.why_not)
    follow = staticmethod(play.follow)
    set_aside = staticmethod(table_view.set_aside)
    leaves_lying = staticmethod(table_view.leaves_lying)
    streaks = staticmethod(table_view.streaks)

    def board(self, state: State) -> Board:
        """Two pegs a side: what is banked, and ahead of it the turn's running count."""
        rules = state.rules
        pegs = tuple(_pegs(state, side) for side in range(len(state.sides)))
        return Board(rules.goal, pegs, rules.skunk_line if rules.skunk else None)

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        """What a throw is worth, see `worth.worth`."""
        return worth.worth(pieces, rules, **options)

    def in_photo(self, rules: Rules, **options: Any) -> Expected:
        """How many dice a photo of a throw shows."""
        return table_view.in_photo(rules, **options)

    def view(self, state: State, seat: int | None) -> str:  # noqa: ARG002 - nothing is hidden
        """The dice that the prompt does not name."""
        return table_view.view(state)

    def advise(self, state: State, *, hands: bool) -> Advice | None:  # noqa: ARG002 - nothing is hidden
        """The best decision now."""
        from scorer.games.crib_dice import advice

        return advice.advise(state)

    def choice_worths(self, state: State) -> dict[Move | None, float]:
        """The worths of stopping, of going on, and of the bomb."""
        from scorer.games.crib_dice import advice

        return advice.choice_worths(state)


def _pegs(state: State, side: int) -> Pegs:
    back = state.holes[side]
    running = state.turn.total if side == state.mover else 0
    return Pegs(side, state.members(side), state.lanes[side], back, back + running, not state.playing(side))


register(CribDice())
