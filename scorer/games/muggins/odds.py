"""Muggins: which tile to lay, for a player whose hand is known.

The worth of a tile here: the points that it scores, less the mean score of the next player's reply. That mean is exact over
all hands of that size that the next player may hold, from what the player to act sees: the own hand and the layout. The
next player is assumed to lay whatever scores most. Left out: the draws of a next player who cannot play, everything later,
and the score at the end of the hand, except that going out ends it. So among equal tiles the one with more pips is
preferred, which is a rule of thumb and not calculated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.engine.game import Move
from scorer.games.muggins.layout import Layout
from scorer.games.muggins.legal import after, play, plays_from, scored
from scorer.games.muggins.rules import GAME, Rules
from scorer.games.muggins.state import Phase, State
from scorer.pieces.text import points, sentence
from scorer.pieces.tiles import FULL_SET, Tile


def advise(state: State) -> Advice | None:
    """The best tile to lay; None where hands are secret, or there is nothing to choose."""
    if state.phase is not Phase.PLAY or not state.told:
        return None
    next_hand = len(state.hands[(state.turn + 1) % state.players])
    return best_tile(state.layout, state.known(state.turn), next_hand, state.rules)


def best_tile(layout: Layout, hand: tuple[Tile, ...], next_hand: int, rules: Rules) -> Advice | None:
    """The best tile to lay; None where none fits.

    Args:
        layout: the tiles on the table.
        hand: the tiles of the player to act.
        next_hand: how many tiles the next player holds.
        rules: what is played.
    """
    plays = plays_from(layout, hand, rules)
    if not plays:
        return None
    hidden = unseen(layout, hand)
    found = (
        _alternative(after(layout, move), move, hidden, 0 if len(hand) == 1 else next_hand, rules) for move in plays
    )
    alternatives = best_first(tuple(found))
    return Advice(GAME, "points of the tile, less those of the best reply on average", alternatives, _why(alternatives))


def unseen(layout: Layout, hand: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles that a player with this hand does not see."""
    return tuple(tile for tile in FULL_SET if tile not in {*layout.tiles, *hand})


def _alternative(layout: Layout, move: Move, hidden: Sequence[Tile], reply_from: int, rules: Rules) -> Alternative:
    """Laying a tile, with a reply from a hand of `reply_from` tiles; 0: the hand is over."""
    now, unit = scored(layout), rules.unit
    reply = best_reply(layout, hidden, reply_from)
    tile, *against = move.tiles
    text = f"play {tile} against {against[0]}" if against else f"lead {tile}"
    told = {"points": Fraction(now, unit), "reply": reply / unit}
    return Alternative(str(move), text, Fraction(now) / unit - reply / unit, points=told)


def best_reply(layout: Layout, pool: Sequence[Tile], held: int) -> Fraction:
    """The most that a player scores in one turn, on average over all possible hands.

    Args:
        layout: the tiles on the table.
        pool: the tiles that the hand may contain.
        held: how many tiles the hand has.
    """
    worths = Counter(_most(layout, tile) for tile in pool)
    hands, below, mean = comb(len(pool), held), 0, Fraction(0)
    for most, count in sorted(worths.items()):
        # The number of hands whose best tile scores exactly this.
        ways = comb(below + count, held) - comb(below, held)
        mean += Fraction(most * ways, hands)
        below += count
    return mean


def _most(layout: Layout, tile: Tile) -> int:
    """The most that this tile scores; nothing where it does not fit."""
    return max((scored(after(layout, play(tile, there))) for there in layout.fitting(tile)), default=0)


def _why(alternatives: Sequence[Alternative]) -> str:
    best, *others = alternatives
    gained, reply = best.points["points"], best.points["reply"]
    said = f"{best.text}: it scores {points(int(gained))}, and the best reply {float(reply):.1f} on average"
    if not others:
        return sentence(f"{said}; nothing else fits")
    return sentence(
        f"{said}; the next best, to {others[0].text}, is worth {float(best.worth - others[0].worth):.1f} less"
    )
