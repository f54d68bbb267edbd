"""Farkle Cribbage as a game: its rooms under one roof.

    game = FarkleCrib()
    state = game.start(Rules(bonus=frozenset({"six-of-a-kind"})), players=2)

Moves: `opening 3 4`, `throw 1 2 3 3 3 6`, `keep 1 3 3 3` (the dice set aside), `exchange 1` (six of a kind taken as an
exchange of pegs with player 1), `stop`, `roll-off 3 4`; dice lowest first. A throw that does not score ends the turn.

Source: the Farkle Cribbage text (Howard Fosdick) and RULINGS, "Farkle Crib" and "All games on a cribbage board".
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
from scorer.games.farkle_crib import legal, play, questions, refusals, seeing, shapes, worth
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.state import State, board, start
from scorer.games.registry import register


class FarkleCrib(Game[Rules, State]):
    """Farkle on a cribbage board, for any number of players."""

    name = "farkle-crib"
    title = "Farkle Cribbage"
    rules = Rules
    pieces = seeing.PIECES
    summary = "Six dice: set aside what scores, throw on or stop; first off the board wins."
    shapes = (shapes.FarkleCrib,)
    score_options = questions.ScoreOptions
    moment = questions.FarkleCribMoment
    whole_turn = questions.FarkleCribTurn
    presets = (
        Preset("Basic", "1s, 5s and three of a kind score."),
        Preset(
            "All bonuses",
            "Four to six of a kind, pairs, straight, full house, and three farkles in a row.",
            ("bonus=all",),
        ),
    )

    def start(self, rules: Rules, players: int) -> State:
        """The state before the first move.

        Raises:
            RulesError: "bad-players", or "bad-option" where `lanes` is for another number of players.
        """
        return start(rules, players)

    def legal_moves(self, state: State) -> Legal:
        """Everything that may be done next."""
        return legal.legal_moves(state)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """The choices among the legal moves, in the same order, with what each is worth."""
        return legal.offers(state)

    def prompt(self, state: State) -> str:
        """What is to be done next: "{0}: throw all six dice"."""
        return legal.prompt(state)

    def board(self, state: State) -> Board:
        """Where the pegs stand."""
        return board(state)

    def on_table(self, state: State) -> Expected:
        """How many pieces a photo taken now should show."""
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
        from scorer.games.farkle_crib import advice

        return advice.advise(state)

    def choice_worths(self, state: State) -> dict[Move | None, float]:
        """Of stopping, of going on, and of exchanges."""
        from scorer.games.farkle_crib import advice

        return advice.choice_worths(state)

    def streaks(self, state: State) -> tuple[tuple[int, str], ...]:
        """Farkles in a row."""
        return seeing.streaks(state)


register(FarkleCrib())
