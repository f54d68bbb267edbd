"""Domino Cribbage: which two tiles to lay in the crib.

Source: the Domino Cribbage text, "The Deal" and "Scores made after the play"; RULINGS, "Domino Cribbage".

What is exact and what is not. All that the player does not hold, 22 tiles, is equally likely to be anywhere. Exact then
are the mean of the own hand over the 22 starters, and the mean of the crib over the 22 starters and the 210 pairs that
the opponent may lay beside one, *if that player lays any two tiles, whatever they are worth*. A real opponent feeds their
own crib and starves the other's, so the crib's part is a little low for the non-dealer (who pays it) and a little high
for the dealer. The play to 31 is left out: a tile may be worth more there than in the crib. What the opponent's own hand
counts is left out too: under the assumption no discard changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.errors import ThrowError
from scorer.games.domino_cribbage.legal import discard as discard_move
from scorer.games.domino_cribbage.rules import Rules
from scorer.games.domino_cribbage.state import DEALT, TO_CRIB
from scorer.pieces.batch import TILES, TILES_WITHOUT_BLANK, Bytes, totals
from scorer.pieces.melds import refuse_twice
from scorer.pieces.text import listed, sentence
from scorer.pieces.tiles import FULL_SET, Tile

GAME = "domino-cribbage"


def discard(rules: Rules, tiles: Sequence[Tile], *, dealer: bool) -> Advice:
    """Every discard of two from the six tiles dealt, with what it is worth on average, best first.

    The worth is the own hand plus the crib and the point for a starter that is a double, for the dealer; for the
    non-dealer the hand less those two, which the opponent scores. The module says what that leaves out.

    The points of each alternative: `hand` and `crib` on average, `hand_least` and `hand_most` over the starters,
    `double_starter` what the dealer gets for the starter on average.

    Args:
        rules: how the table plays; `blank_in_fifteens` matters.
        tiles: the six tiles dealt, in any order.
        dealer: is the player the dealer, who scores the crib?

    Raises:
        ThrowError: "wrong-count" or "same-tile-twice".
    """
    _check(tiles)
    held = sorted(tiles)
    unseen = tuple(tile for tile in FULL_SET if tile not in held)
    discards = tuple(combinations(held, TO_CRIB))
    hands, cribs = _hands(rules, held, discards, unseen), _cribs(rules, discards, unseen)
    double = Fraction(sum(tile.double for tile in unseen), len(unseen))
    found = [_alternative(*one, double, dealer) for one in zip(discards, hands, cribs, strict=True)]
    alternatives = best_first(found)
    measures = "hand and crib" if dealer else "the hand, less the opponent's crib"
    return Advice(GAME, f"expected points of {measures}", alternatives, _why(alternatives, dealer))


def _check(tiles: Sequence[Tile]) -> None:
    refuse_twice([str(tile) for tile in tiles], "tile")
    if len(tiles) != DEALT:
        raise ThrowError(
            "wrong-count", f"The discard is chosen from the {DEALT} tiles dealt, but {len(tiles)} are named: name all."
        )


def _alternative(two: Sequence[Tile], hands: Bytes, cribs: Bytes, double: Fraction, dealer: bool) -> Alternative:
    hand, crib = _mean(hands), _mean(cribs)
    worth = hand + crib + double if dealer else hand - crib - double
    points = {
        "hand": hand,
        "hand_least": Fraction(int(hands.min())),
        "hand_most": Fraction(int(hands.max())),
        "crib": crib,
        "double_starter": double,
    }
    return Alternative(str(discard_move(two)), f"discard {_named(two)}", worth, points=points)


def _mean(points: Bytes) -> Fraction:
    return Fraction(int(points.sum(dtype=np.int64)), len(points))


def _named(tiles: Sequence[Tile]) -> str:
    return listed([str(tile) for tile in tiles])


def _why(alternatives: Sequence[Alternative], dealer: bool) -> str:
    best, rival = alternatives[:2]
    hand, crib = float(best.points["hand"]), float(best.points["crib"])
    gives = f"your crib brings {crib:.2f}" if dealer else f"the opponent's crib takes {crib:.2f}"
    compared = f"{_by_how_much(best.worth - rival.worth)} the next choice ({rival.text})"
    return sentence(f"{best.text}: on average the hand counts {hand:.2f} and {gives}, {compared}")


def _by_how_much(gain: Fraction) -> str:
    if not gain:
        return "as good as"
    return f"{float(gain):.2f} better than" if gain >= Fraction(1, 100) else "a hair better than"


# Hands and cribs by their totals


def _hands(
    rules: Rules, held: Sequence[Tile], discards: Sequence[Sequence[Tile]], unseen: Sequence[Tile]
) -> list[Bytes]:
    """For each discard the points of the tiles kept, with each of the unseen tiles as starter."""
    starters = _pips(unseen)[:, None]
    return [_points(rules, _pips([tile for tile in held if tile not in two]), starters) for two in discards]


def _cribs(rules: Rules, discards: Sequence[Sequence[Tile]], unseen: Sequence[Tile]) -> list[Bytes]:
    """For each discard the points of the crib, with each starter and each two that the opponent may add."""
    rest = _pips(unseen)[_starters_and_pairs(len(unseen))]
    return [_points(rules, _pips(two), rest) for two in discards]


def _points(rules: Rules, own: Bytes, rest: Bytes) -> Bytes:
    """The points of the own tiles with each row of the others."""
    fixed = np.broadcast_to(own, (len(rest), len(own)))
    return totals(np.concatenate([fixed, rest], axis=1), TILES if rules.blank_in_fifteens else TILES_WITHOUT_BLANK)


def _pips(tiles: Sequence[Tile]) -> Bytes:
    return np.array([tile.pips for tile in tiles], dtype=np.uint8)


@cache
def _starters_and_pairs(count: int) -> npt.NDArray[np.intp]:
    """int[count * (count - 1) * (count - 2) / 2, 3]: one of so many tiles, then two others in ascending order."""
    three = [
        (starter, *pair) for starter in range(count) for pair in combinations(range(count), 2) if starter not in pair
    ]
    return np.array(three, dtype=np.intp)
