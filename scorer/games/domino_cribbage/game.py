"""Domino Cribbage, two players and a double-six set, as a game; the other modules of this folder implement its parts.

Source: the Domino Cribbage text; RULINGS, "Domino Cribbage" and "What a photo means in a game".

    opening 5-3                      one tile each, highest total deals first; ties draw again
    deal 1 0-0 1-1 3-0 4-0 6-1 6-6   the six tiles of player 1, sorted; the non-dealer's first
    discard 0-0 6-6                  two tiles to the crib, sorted; the non-dealer's first
    starter 4-1                      the tile turned over
    play 3-0                         a tile of the player to act; the go, the reset and the counting follow by themselves

The engine has full information: a state holds both hands and the crib, which at a table only their owners see. Do not
show a state to a player: `view` gives what each may see. Events, prompts and offers name no tile that lies face down
but the player's own.
"""

from __future__ import annotations

from typing import Any, ClassVar

from scorer.engine.advice import Advice
from scorer.engine.game import Game, Move
from scorer.engine.options import Preset
from scorer.engine.photographed import Completed, Photographed
from scorer.engine.scored import HandCounts
from scorer.engine.worth import Piece, Worth
from scorer.errors import RulesError
from scorer.games.domino_cribbage import legal, play, prompts, questions, refusals, shapes, table_view, worth
from scorer.games.domino_cribbage.hidden_deal import HiddenHands
from scorer.games.domino_cribbage.rules import Rules
from scorer.games.domino_cribbage.state import PLAYERS, State, first_state
from scorer.games.registry import register


class DominoCribbage(Game[Rules, State]):
    """The card game played with dominoes: a hand, the crib, the play to thirty-one; the first to 61 points wins."""

    name: ClassVar[str] = "domino-cribbage"
    title: ClassVar[str] = "Domino Cribbage"
    rules = Rules
    pieces = table_view.PIECES
    summary = "Two players, six tiles each, two of them to the crib; first to 61 points wins."
    in_short = (
        "Each of you draws six tiles and lays two of them in the crib, which scores for the dealer. Another tile is "
        "turned over: the starter.",
        "Lay tiles in turn and add up their pips to 31. Fifteen, thirty-one, pairs and runs score at once.",
        "Then both hands and the crib are counted with the starter.",
    )
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

    legal_moves = staticmethod(legal.legal_moves)
    offers = staticmethod(prompts.offers)
    prompt = staticmethod(prompts.prompt)
    board = staticmethod(prompts.board)
    on_table = staticmethod(table_view.on_table)
    recognise = staticmethod(table_view.recognise)
    why_not = staticmethod(refusals.why_not)
    follow = staticmethod(play.follow)
    view = staticmethod(table_view.view)
    lay_before = staticmethod(table_view.lay_before)
    starter = staticmethod(table_view.starter)

    def start(self, rules: Rules, players: int) -> State:
        """The state before the first move; always two players."""
        if players != PLAYERS:
            raise RulesError("bad-players", f"Domino Cribbage is for two players, not {players}: make it two.")
        return first_state(rules)

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        """What a hand is worth, see `worth.worth`."""
        return worth.worth(pieces, rules, **options)

    def advise(self, state: State, *, hands: bool) -> Advice | None:
        """The best discard; it reveals the player's hand."""
        if state.phase != "discard" or not hands:
            return None
        from scorer.games.domino_cribbage import odds

        return odds.discard(state.rules, state.hands[state.turn], dealer=state.turn == state.dealer)

    def choice_worths(self, state: State) -> dict[Move | None, float]:  # noqa: ARG002
        """Empty: a camera does not estimate discards, which the tiles played reveal later."""
        return {}

    def complete(self, photo: Photographed, rules: Rules, starter: Piece | None) -> Completed:  # noqa: ARG002
        """The hand without the starter."""
        return table_view.complete(photo, starter)

    def hands(self, rules: Rules) -> HandCounts:
        """The distribution of the scores of all hands."""
        from scorer.odds.hands import dominoes

        return dominoes(blank_in_fifteens=rules.blank_in_fifteens)


register(DominoCribbage())
