"""Farkle as a game: its parts under one roof.

Moves: `opening 4`, `throw 1 2 3 3 3 6`, `keep 1 3 3 3` (the dice set aside), `stop`; dice lowest first. A throw in which
nothing scores ends the turn.
"""

from __future__ import annotations

from typing import Any

from scorer.engine.advice import Advice
from scorer.engine.board import Board
from scorer.engine.expected import Expected
from scorer.engine.game import Dice, Game, Legal, Move, Offer, Seen, Step
from scorer.engine.options import Preset
from scorer.engine.worth import Worth
from scorer.errors import IllegalMove
from scorer.games.farkle import legal, play, questions, refusals, seeing, worth
from scorer.games.farkle.rules import Rules
from scorer.games.farkle.state import State, sheet, start
from scorer.games.registry import register


class Farkle(Game[Rules, State]):
    """Six dice, set aside and thrown on, for two players or more."""

    name = worth.GAME
    title = "Farkle"
    summary = "Six dice: set aside what scores, throw on or stop; first to 10,000 points wins."
    rules = Rules
    pieces = seeing.PIECES
    score_options = questions.ScoreOptions
    presets = (
        Preset("Basic", "1s, 5s and three of a kind score."),
        Preset(
            "All scores",
            "Four to six of a kind, straight, three pairs, two triplets; 500 to get on the board.",
            ("of_a_kind=thousands", "straight=1500", "three_pairs=1500", "two_triplets=2500", "opening_score=500"),
        ),
    )

    def start(self, rules: Rules, players: int) -> State:
        """The state before the first move.

        Raises:
            RulesError: "bad-players".
        """
        return start(rules, players)

    def legal_moves(self, state: State) -> Legal:
        """Everything that may be done next."""
        return legal.legal_moves(state)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """The choices among the legal moves, in the same order, with what each is worth."""
        return legal.offers(state)

    def prompt(self, state: State) -> str:
        """What is to be done next."""
        return legal.prompt(state)

    def board(self, state: State) -> Board:
        """The score sheet."""
        return sheet(state)

    def on_table(self, state: State) -> Expected:
        """How many dice a photo taken now should show."""
        return seeing.on_table(state)

    def recognise(self, state: State, seen: Seen) -> tuple[Move, ...]:
        """The throw that a picture shows.

        Raises:
            Unclear: see `seeing.recognise`.
        """
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

    def in_photo(self, rules: Rules, **options: Any) -> Expected:  # noqa: ARG002 - of any rules
        """How many dice a photo of a throw shows."""
        return seeing.in_photo(**options)

    def view(self, state: State, seat: int | None) -> str:  # noqa: ARG002 - nothing is hidden
        """The dice that the prompt does not name."""
        return seeing.view(state)

    def set_aside(self, state: State) -> tuple[Dice, ...]:
        """The dice set aside in this turn."""
        return (state.turn.aside,)

    def advise(self, state: State, *, hands: bool) -> Advice | None:  # noqa: ARG002 - nothing is hidden
        """The best decision now."""
        from scorer.games.farkle import odds

        return odds.advise(state)

    def choice_worths(self, state: State) -> dict[Move | None, float]:
        """Of stopping and of going on."""
        from scorer.games.farkle import odds

        return odds.choice_worths(state)

    def streaks(self, state: State) -> tuple[tuple[int, str], ...]:
        """Farkles in a row."""
        return seeing.streaks(state)


register(Farkle())
