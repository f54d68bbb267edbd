"""Totals of dominoes: what a photo tells beside the tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.engine.photographed import Completed, Layout, Photographed
from scorer.engine.worth import Piece
from scorer.games.domino_pips.worth import Rules
from scorer.pieces.text import in_words, listed


def complete(photo: Photographed, rules: Rules) -> Completed:
    """Which ends are covered, where open ends are counted; and notes on what cannot occur in a game."""
    checks = tuple(_twice(photo.values))
    if rules.count != "ends":
        return Completed(checks=checks)
    layout = as_laid(photo)
    return Completed(checks=(*checks, *layout.checks), options=layout.options)


def as_laid(photo: Photographed) -> Completed:
    """Which ends are covered, where the photo shows how the tiles touch; and notes on what cannot occur in a game."""
    if photo.layout is None:
        return Completed()
    return Completed(checks=tuple(_odd(photo.layout, photo)), options={"joined": photo.layout.joined})


def _twice(tiles: Sequence[Piece]) -> Iterator[str]:
    """Notes on tiles that occur twice."""
    counts = Counter(tuple(sorted(map(int, str(tile).split("-")))) for tile in tiles)
    twice = [f"{low}-{high}" for (low, high), count in counts.items() if count > 1]
    if twice:
        yield f"There is more than one {listed(twice)}. Check the reading, unless you mix sets."


def _odd(layout: Layout, photo: Photographed) -> Iterator[str]:
    """Notes on a layout that cannot come from a game."""
    if layout.lines > 1:
        yield f"The tiles form {in_words(layout.lines)} separate layouts; the open ends of all are counted."
    for clash in layout.clashes:
        one, other = (f"tile {photo.places[at] + 1} ({photo.values[at]})" for at in clash)
        yield f"The ends of {one} and {other} touch but do not match. Check that both were read right."
