"""Crib Dice as a game: the table of contents of this room.

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
from scorer.engine.game import Dice, Game, Legal, Move, Offer, Seen, Step
from scorer.engine.options import Preset
from scorer.engine.worth import Worth
from scorer.errors import IllegalMove
from scorer.games.crib_dice import legal, play, questions, refusals, rounds, seeing, shapes, worth
from scorer.games.crib_dice.rules import ADVANCED, TITLE, Rules
from scorer.games.crib_dice.state import State
from scorer.games.registry import register

ADVANCED_OPTIONS = tuple(f"{name}=true" for name in ADVANCED if name != "bumping")


class CribDice(Game[Rules, State]):
    """The game of the Crib Dice text (Howard Fosdick), in both editions."""

    name = "crib-dice"
    title = TITLE
    rules = Rules
    pieces = seeing.PIECES
    summary = "Seven dice: freeze a point, throw the rest for more of it, and stop in time; first off the board wins."
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
    )

    def start(self, rules: Rules, players: int) -> State:
        """The state before the first move."""
        return rounds.first_state(rules, players)

    def legal_moves(self, state: State) -> Legal:
        """Everything that may be done next."""
        return legal.legal_moves(state)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """The choices among the legal moves, with what each is worth: points, or for the bomb the holes it gains."""
        return legal.offers(state)

    def prompt(self, state: State) -> str:
        """What is to be done next, for the player to act."""
        return legal.prompt(state)

    def board(self, state: State) -> Board:
        """Two pegs a side: what is banked, and ahead of it the turn's running count."""
        rules = state.rules
        pegs = tuple(_pegs(state, side) for side in range(len(state.sides)))
        return Board(rules.goal, pegs, rules.skunk_line if rules.skunk else None)

    def on_table(self, state: State) -> Expected:
        """How many pieces a photo taken now should show."""
        return seeing.on_table(state)

    def recognise(self, state: State, seen: Seen) -> tuple[Move, ...]:
        """The throw that a picture of the table shows."""
        return seeing.recognise(state, seen)

    def why_not(self, state: State, move: Move) -> IllegalMove:
        """The reason why a move is not among the legal ones."""
        return refusals.why_not(state, move)

    def follow(self, state: State, move: Move) -> Step[State]:
        """What a legal move leads to."""
        return play.follow(state, move)

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        """What a throw is worth, see `worth.worth`."""
        return worth.worth(pieces, rules, **options)

    def in_photo(self, rules: Rules, **options: Any) -> Expected:
        """How many dice a photo of a throw shows."""
        return seeing.in_photo(rules, **options)

    def view(self, state: State, seat: int | None) -> str:  # noqa: ARG002 - nothing is hidden
        """The dice that the prompt does not name."""
        return seeing.view(state)

    def set_aside(self, state: State) -> tuple[Dice, ...]:
        """The frozen dice."""
        return seeing.set_aside(state)

    def advise(self, state: State, *, hands: bool) -> Advice | None:  # noqa: ARG002 - nothing is hidden
        """The best decision now."""
        from scorer.games.crib_dice import advice

        return advice.advise(state)

    def choice_worths(self, state: State) -> dict[Move | None, float]:
        """Of stopping, of going on, and of the bomb."""
        from scorer.games.crib_dice import advice

        return advice.choice_worths(state)

    def streaks(self, state: State) -> tuple[tuple[int, str], ...]:
        """Wipeouts in a row."""
        return seeing.streaks(state)


def _pegs(state: State, side: int) -> Pegs:
    back = state.holes[side]
    running = state.turn.total if side == state.mover else 0
    return Pegs(side, state.members(side), state.lanes[side], back, back + running, not state.playing(side))


register(CribDice())
