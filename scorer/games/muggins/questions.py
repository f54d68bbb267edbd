"""Muggins: the questions about its odds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorer.engine.advice import Advice
from scorer.engine.moment import Moment
from scorer.engine.parameters import parameter
from scorer.errors import ThrowError
from scorer.games.muggins.layout import Layout
from scorer.games.muggins.rules import Rules
from scorer.pieces.text import listed
from scorer.pieces.tiles import FULL_SET, Tile, typed_tile


@dataclass(frozen=True, slots=True, kw_only=True)
class MugginsMoment(Moment[Rules]):
    """Choose the tile to lay: the points it scores, less the best reply of the next player on average.

    muggins advise muggins 6-5 5-4 3-1 --laid 5-5,5-0 --next-holds 4

    Where a tile of the layout fits more than one end, add the tile that it lies against: --laid 5-5,5-0,5-3/5-5.
    """

    tiles: tuple[str, ...] = parameter(
        "the tiles you hold, such as 6-5", at_most=len(FULL_SET), metavar="TILE", on_table=True
    )
    laid: tuple[str, ...] = parameter(
        "the layout, in the order in which it was laid, such as 5-5,5-0,5-3/5-5; empty if you lead",
        (),
        at_most=len(FULL_SET),
        metavar="TILES",
    )
    next_holds: int = parameter("how many tiles the next player holds", least=1, most=len(FULL_SET))

    def advice(self, rules: Rules) -> Advice:
        """Which tile to lay."""
        from scorer.games.muggins.odds import best_tile, unseen

        hand = tuple(map(typed_tile, self.tiles))
        layout = _layout(self.laid, rules)
        _check_once((*layout.tiles, *hand))
        hidden = len(unseen(layout, hand))
        if self.next_holds > hidden:
            text = f"next_holds is {self.next_holds}, but only {hidden} tiles are neither laid nor in your hand."
            raise ThrowError("wrong-count", text)
        found = best_tile(layout, hand, self.next_holds, rules)
        if found is None:
            raise ThrowError("nothing-fits", "None of these tiles fits the layout: draw, or pass.")
        return found


def _layout(laid: Iterable[str], rules: Rules) -> Layout:
    """The layout read from text, tile by tile."""
    layout = Layout(rules.spinner)
    for text in laid:
        name, _, place = text.partition("/")
        tile = typed_tile(name)
        layout = layout.and_then(tile, _against(layout, tile, place) if layout.laid else None)
    return layout


def _against(layout: Layout, tile: Tile, place: str) -> Tile:
    """The tile that it lies against: the one that is named, or the only one that it fits."""
    fitting = layout.fitting(tile)
    if not fitting:
        raise ThrowError("does-not-fit", f"{tile} fits no open end of the tiles laid before it. Check their order.")
    if place:
        against = typed_tile(place)
        if against not in fitting:
            text = f"{tile} does not fit against {against}. It fits against {listed(list(map(str, fitting)))}."
            raise ThrowError("does-not-fit", text)
        return against
    if len(fitting) > 1:
        ways = ", ".join(f"{tile}/{each}" for each in fitting)
        raise ThrowError("which-end", f"{tile} fits more than one open end. Write one of {ways}.")
    return fitting[0]


def _check_once(tiles: tuple[Tile, ...]) -> None:
    twice = sorted({str(tile) for tile in tiles if tiles.count(tile) > 1})
    if twice:
        raise ThrowError("same-tile-twice", f"Named twice: {listed(twice)}. A set has every tile once.")
