"""Muggins: which tile to lay, where hands are told.

What a tile is worth here: the points that it scores, less what the next player scores on average in reply. Exact then is
that mean, over all the hands of so many tiles that the player may hold, who sees only the own hand and the layout; the next
player is taken to lay whatever scores most. Left out: what that player may draw who cannot play, whatever comes later, and
what is scored at the end of the hand, except that going out ends it. So of equal tiles the one with more pips is the better,
which is a tip and no calculation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb

from scorer.engine.advice import Advice, Alternative
from scorer.engine.game import Move
from scorer.games.muggins.layout import Layout
from scorer.games.muggins.legal import after, play, plays_of, scored
from scorer.games.muggins.rules import GAME
from scorer.games.muggins.state import Phase, State
from scorer.pieces.text import points, sentence
from scorer.pieces.tiles import FULL_SET, Tile


def advise(state: State) -> Advice | None:
    """The best tile to lay; None where hands are secret, or there is nothing to choose."""
    plays = plays_of(state) if state.phase is Phase.PLAY and state.told else ()
    if not plays:
        return None
    alternatives = tuple(sorted((_alternative(state, move) for move in plays), key=lambda each: -each.worth))
    return Advice(GAME, "points of the tile, less those of the best reply on average", alternatives, _why(alternatives))


def _alternative(state: State, move: Move) -> Alternative:
    layout = after(state.layout, move)
    now, unit = scored(layout), state.rules.unit
    goes_out = len(state.hands[state.turn]) == 1
    reply = Fraction(0) if goes_out else best_reply(layout, _may_be_held(state), _next_hand(state))
    tile, *against = move.tiles
    text = f"play {tile} against {against[0]}" if against else f"lead {tile}"
    told = {"points": Fraction(now, unit), "reply": reply / unit}
    return Alternative(str(move), text, Fraction(now) / unit - reply / unit, points=told)


def _may_be_held(state: State) -> tuple[Tile, ...]:
    """The tiles that the player to act does not see."""
    seen = {*state.layout.tiles, *state.known(state.turn)}
    return tuple(tile for tile in FULL_SET if tile not in seen)


def _next_hand(state: State) -> int:
    return len(state.hands[(state.turn + 1) % state.players])


def best_reply(layout: Layout, pool: Sequence[Tile], held: int) -> Fraction:
    """The most that a player scores in one turn, on average over all hands.

    Args:
        layout: what lies on the table.
        pool: the tiles that the hand is of.
        held: how many of them it has.
    """
    worths = Counter(_most(layout, tile) for tile in pool)
    hands, below, mean = comb(len(pool), held), 0, Fraction(0)
    for most, count in sorted(worths.items()):
        # Of all hands those in which nothing scores more, and something as much.
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
