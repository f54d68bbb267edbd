"""Cribbage Dice, five d12, as a game; the other modules of this folder implement its parts.

Source: the Cribbage Dice text; RULINGS, "Cribbage Dice" and "What a photo means in a game".

    opening 7             one die each, high roll goes first
    throw 5 4 10 10 11    the first roll of a turn: the starter's value first, the others sorted
    keep 10 10 11         the dice kept beside the starter, none if only that stays; the others are thrown next
    throw 7               the dice thrown again, sorted
    stop                  score now; automatic after the third roll
    discard 1 12          seven dice: two go, by value; also the starter, where it may be discarded
    roll-off 9            one die each of the players who are level at the end
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from scorer.engine.advice import Advice
from scorer.engine.expected import Expected
from scorer.engine.game import Dice, Game, Move, Seen
from scorer.engine.options import Preset
from scorer.engine.photographed import Completed, Photographed
from scorer.engine.scored import HandCounts
from scorer.engine.worth import Piece, Worth
from scorer.errors import RulesError
from scorer.games.cribbage_dice import legal, play, prompts, questions, refusals, shapes, table_view, worth
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.state import State, opened
from scorer.games.cribbage_dice.throws import HAND, WITH_EXTRAS
from scorer.games.registry import register

FEWEST_PLAYERS = 2


class CribbageDice(Game[Rules, State]):
    """The best cribbage hand in up to three rolls, every turn; the first to 90 points wins."""

    name: ClassVar[str] = "cribbage-dice"
    title: ClassVar[str] = "Cribbage Dice"
    rules = Rules
    pieces = table_view.PIECES
    summary = "Five twelve-sided dice, three rolls, and the best cribbage hand; first to 90 points wins."
    in_short = (
        "Roll five twelve-sided dice. The odd-coloured one is the starter and stays.",
        "Roll any of the other four again, up to three rolls in all, or stop.",
        "Your hand counts as in cribbage: fifteens, pairs and runs. 10, 11 and 12 count ten in fifteens.",
    )
    shapes = (shapes.CribbageDice,)
    score_options = questions.ScoreOptions
    moment = questions.CribbageDiceMoment
    whole_turn = questions.CribbageDiceTurn
    hands_title = "throws of five d12"
    weighs_points = 0.75
    presets = (
        Preset("As written", "Five dice, first to 90 points."),
        Preset("Seven dice", "Seven are rolled, and two are discarded in the end.", ("seven_dice=true",)),
        Preset("Short", "First to 45 points.", ("target=45",)),
    )

    legal_moves = staticmethod(legal.legal_moves)
    offers = staticmethod(prompts.offers)
    prompt = staticmethod(prompts.prompt)
    board = staticmethod(prompts.board)
    on_table = staticmethod(table_view.on_table)
    recognise = staticmethod(table_view.recognise)
    why_not = staticmethod(refusals.why_not)
    follow = staticmethod(play.follow)

    def start(self, rules: Rules, players: int) -> State:
        """The state before the first move; 2 players or more."""
        if players < FEWEST_PLAYERS:
            text = f"Cribbage Dice is for {FEWEST_PLAYERS} players or more, not {players}."
            raise RulesError("bad-players", text)
        return opened(rules, players)

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        """What a throw is worth, see `worth.worth`."""
        return worth.worth(pieces, rules, **options)

    def in_photo(self, rules: Rules, **options: Any) -> Expected:  # noqa: ARG002 - of any rules
        """How many dice a photo of a throw shows."""
        return table_view.in_photo(**options)

    def view(self, state: State, seat: int | None) -> str:  # noqa: ARG002 - nothing is hidden
        """The dice that the prompt does not name."""
        return table_view.view(state)

    def set_aside(self, state: State) -> tuple[Dice, ...]:
        """The starter and the dice that are kept."""
        return (tuple(sorted(state.turn.table)) if state.phase == "rethrow" else (),)

    def lay_before(self, state: State, move: Move) -> tuple[Piece, ...]:  # noqa: ARG002 - only a throw comes then
        """The starter and the dice that are kept, in this order."""
        return state.turn.table if state.phase == "rethrow" else ()

    def starter(self, state: State, move: Move) -> Piece | None:
        """The starter; in a first throw, its first die."""
        if state.phase == "throw":
            return move.numbers[0]
        return state.turn.starter if state.phase == "rethrow" else None

    def seen_as_typed(self, state: State, pieces: tuple[Piece, ...]) -> Seen:
        """The dice; in a first throw, the first is the starter."""
        dice = tuple(map(int, pieces))
        return Seen(dice, starter=dice[0] if state.phase == "throw" else None)

    def advise(self, state: State, *, hands: bool) -> Advice | None:  # noqa: ARG002 - nothing is hidden
        """The best decision now."""
        from scorer.games.cribbage_dice import advice

        return advice.advise(state)

    def choice_worths(self, state: State) -> dict[Move | None, float]:
        """The worths of every keep and of stopping."""
        from scorer.games.cribbage_dice import advice

        return advice.choice_worths(state)

    def complete(self, photo: Photographed, rules: Rules, starter: Piece | None) -> Completed:  # noqa: ARG002
        """The starter by its colour."""
        return table_view.complete(photo, starter)

    def with_starter(self, pieces: Sequence[Piece], starter: Piece) -> Sequence[Piece]:
        """All the dice: the starter is one of those thrown, and may be typed with them or apart."""
        return [*pieces, starter] if len(pieces) in (HAND - 1, WITH_EXTRAS - 1) else pieces

    def hands(self, rules: Rules) -> HandCounts:  # noqa: ARG002
        """The distribution of the scores of all throws."""
        from scorer.odds.hands import d12

        return d12()


register(CribbageDice())
