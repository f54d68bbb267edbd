"""Totals of dominoes, as something that is only counted; see `worth`."""

from __future__ import annotations

from typing import Any

from scorer.engine import expected
from scorer.engine.photographed import Completed, Photographed
from scorer.engine.scored import Scored
from scorer.engine.worth import Piece, Worth
from scorer.games.domino_pips import shapes, table_view
from scorer.games.domino_pips.worth import GAME, Rules, ScoreOptions, worth
from scorer.games.registry import register


class DominoPips(Scored[Rules]):
    """Pips on the table, left in a hand, or at the open ends of a layout; tiles of any set."""

    name = GAME
    title = "Totals of dominoes"
    rules = Rules
    pieces = expected.pieces("domino")
    shapes = (shapes.Pips,)
    score_options = ScoreOptions

    def score(self, pieces: tuple[Any, ...], rules: Rules, **options: Any) -> Worth:
        """What the tiles add up to, see `worth.worth`."""
        return worth(pieces, rules, **options)

    def complete(self, photo: Photographed, rules: Rules, starter: Piece | None) -> Completed:  # noqa: ARG002
        """The covered ends, and notes on what cannot occur in a game."""
        return table_view.complete(photo, rules)

    def piece(self, piece: Piece) -> Piece:
        """The tile as it is written, of a set up to the double-eighteen."""
        return str(piece)


register(DominoPips())
