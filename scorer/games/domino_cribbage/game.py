"""Domino Cribbage, two players and a double-six set: the table of contents.

Source: the Domino Cribbage text; RULINGS, "Domino Cribbage" and "What a photo means in a game".

    opening 5-3                      one tile each, highest total deals first; ties draw again
    deal 1 0-0 1-1 3-0 4-0 6-1 6-6   the six tiles of player 1, sorted; the non-dealer's first
    discard 0-0 6-6                  two tiles to the crib, sorted; the non-dealer's first
    starter 4-1                      the tile turned over
    play 3-0                         a tile of the player to act; the go, the reset and the counting follow by themselves

The engine has full information: a state holds both hands and the crib, which at a table only their owners see. Do not
show a state to a player: `view` tells what each may see. Events, prompts and offers tell no tile that lies face down
but the player's own.
"""

from __future__ import annotations

from typing import Any, ClassVar

from scorer.engine.advice import Advice
from scorer.engine.board import Board
from scorer.engine.expected import Expected
from scorer.engine.game import Game, Legal, Move, Offer, Seen, Step
from scorer.engine.options import Preset
from scorer.engine.photographed import Completed, Photographed
from scorer.engine.scored import HandCounts
from scorer.engine.worth import Piece, Worth
from scorer.errors import IllegalMove, RulesError
from scorer.games.domino_cribbage import legal, play, questions, refusals, seeing, shapes, telling, worth
from scorer.games.domino_cribbage.hidden_deal import HiddenHands
from scorer.games.domino_cribbage.rules import Rules
from scorer.games.domino_cribbage.state import PLAYERS, State, first_state
from scorer.games.registry import register


class DominoCribbage(Game[Rules, State]):
    """The card game played with dominoes: a hand, the crib, the play to thirty-one; the first to 61 points wins."""

    name: ClassVar[str] = "domino-cribbage"
    title: ClassVar[str] = "Domino Cribbage"
    rules = Rules
    pieces = seeing.PIECES
    summary = "Two players, six tiles each, two of them to the crib; first to 61 points wins."
    visible_verbs = frozenset({"opening", "deal", "starter", "play"})
    shapes = (shapes.DominoCribbage,)
    score_options = questions.ScoreOptions
    moment = questions.DominoCribbageMoment
    hands_title = "hands of five tiles"
    hands_options = frozenset({"blank_in_fifteens"})
    hidden_verbs = frozenset({"deal", "discard"})
    hidden_deal = HiddenHands()
    presets = (
        Preset("Once round", "61 points."),
        Preset("Twice round", "121 points.", ("target=121",)),
    )

    def start(self, rules: Rules, players: int) -> State:
        """The state before the first move; always two players."""
        if players != PLAYERS:
            raise RulesError("bad-players", f"Domino Cribbage is for two players, not {players}: make it two.")
        return first_state(rules)

    def legal_moves(self, state: State) -> Legal:
        """Everything that may be done next."""
        return legal.legal_moves(state)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """The choices among the legal moves, with what each is worth."""
        return telling.offers(state)

    def prompt(self, state: State) -> str:
        """What is to be done next."""
        return telling.prompt(state)

    def board(self, state: State) -> Board:
        """Where the pegs stand."""
        return telling.board(state)

    def on_table(self, state: State) -> Expected:
        """How many pieces a photo taken now should show."""
        return seeing.on_table(state)

    def recognise(self, state: State, seen: Seen) -> tuple[Move, ...]:
        """The move that a picture of the table shows."""
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

    def view(self, state: State, seat: int | None) -> str:
        """What lies face up, and the tiles that the player in that seat holds."""
        return seeing.view(state, seat)

    def lay_before(self, state: State, move: Move) -> tuple[Piece, ...]:
        """The tiles that lay face up."""
        return seeing.lay_before(state, move)

    def starter(self, state: State, move: Move) -> Piece | None:
        """The starter, once it is turned over."""
        return seeing.starter(state, move)

    def advise(self, state: State, *, hands: bool) -> Advice | None:
        """The best discard; it tells the player's hand."""
        if state.phase != "discard" or not hands:
            return None
        from scorer.games.domino_cribbage import odds

        return odds.discard(state.rules, state.hands[state.turn], dealer=state.turn == state.dealer)

    def choice_worths(self, state: State) -> dict[Move | None, float]:  # noqa: ARG002
        """Nothing: what goes to the crib is borne out by what is played, so nothing is made of it before."""
        return {}

    def complete(self, photo: Photographed, rules: Rules, starter: Piece | None) -> Completed:  # noqa: ARG002
        """The hand without the starter."""
        return seeing.complete(photo, starter)

    def hands(self, rules: Rules) -> HandCounts:
        """How the scores of all hands are spread."""
        from scorer.odds.hands import dominoes

        return dominoes(blank_in_fifteens=rules.blank_in_fifteens)


register(DominoCribbage())
