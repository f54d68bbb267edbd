"""What a hand of Domino Cribbage is worth: four tiles and the starter, counted.

Source: the Domino Cribbage text, "Scores made after the play"; RULINGS, "Domino Cribbage".
"""

from __future__ import annotations

from scorer.engine.worth import Worth, counted, hand_table
from scorer.errors import ThrowError
from scorer.games.domino_cribbage.rules import Rules
from scorer.pieces.melds import score_tiles
from scorer.pieces.text import in_words
from scorer.pieces.tiles import typed_tile

IN_HAND = 4


def worth(pieces: tuple[str, ...], rules: Rules, starter: str | None = None) -> Worth:
    """What a hand or a crib scores.

    Args:
        pieces: four tiles, written like "3-0".
        rules: of its options, `blank_in_fifteens`.
        starter: the tile turned up; without it the four count by themselves.

    Raises:
        ThrowError: "no-tile", "wrong-count" or "same-tile-twice".
    """
    tiles = [typed_tile(piece) for piece in pieces]
    _check_count(len(tiles))
    if starter is not None:
        tiles.append(typed_tile(starter))
    names = tuple(map(str, tiles))
    hand = score_tiles(tiles, blank_in_fifteens=rules.blank_in_fifteens)
    missing = " without a starter" if starter is None else ""
    table = hand_table(f"Domino Cribbage: {' '.join(names)}{missing}", "Tiles", hand, " ".join)
    return counted("domino-cribbage", names, hand, table, starter=None if starter is None else names[-1])


def _check_count(count: int) -> None:
    if count != IN_HAND:
        raise ThrowError(
            "wrong-count",
            f"A hand is {in_words(IN_HAND)} tiles and the starter. You gave {in_words(count)}. "
            "Give four, and the starter separately.",
        )
