"""Rolls made by hand: what a watcher would tell of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.api.table import d6, reading, tile
from vision.reading import Die, Doubt, Tile
from vision.watch.events import Piece, Roll


def roll(
    number: int,
    thrown: Sequence[int | Die | Tile],
    still: Sequence[int | Die | Tile] = (),
    doubts: tuple[Doubt, ...] = (),
) -> Roll:
    """The roll of that number, ten frames and half a second after the one before; bare numbers are six-sided dice."""
    pieces = [(_piece(piece), True) for piece in thrown] + [(_piece(piece), False) for piece in still]
    # Dice come before tiles, as in a reading.
    pieces.sort(key=lambda each: isinstance(each[0], Tile))
    read = replace(reading(*(piece for piece, _ in pieces), doubts=doubts), photo=f"frame {10 * number}")
    named = tuple(Piece(at, piece, new) for at, (piece, new) in enumerate(pieces))
    return Roll(number, 10 * number, number / 2, 10 * number + 3, number / 2 + 0.15, read, named)


def laid(number: int, names: str, still: str = "") -> Roll:
    """The same of tiles, written like "3-0 6-6"."""
    return roll(number, [tile(name) for name in names.split()], [tile(name) for name in still.split()])


def _piece(piece: int | Die | Tile) -> Die | Tile:
    return d6(piece) if isinstance(piece, int) else piece
