"""Readings made by hand: what lies on a table, as if it had been read."""

from __future__ import annotations

from vision.reading import Die, Doubt, Quad, Reading, Tile


def d6(value: int) -> Die:
    return Die(value, 0.99, ((value, 0.99),), _box(10, 10), "white")


def d12(value: int, *, starter: bool = False) -> Die:
    return Die(value, 0.99, ((value, 0.99),), _box(10, 10), "red" if starter else "blue", "d12", starter)


def tile(name: str, x: float = 0, y: float = 0, *, upright: bool = False) -> Tile:
    """The tile written "3-5" around (x, y), 20 by 10 pixels; upright its first end is at the top."""
    first, second = map(int, name.split("-"))
    left, top, right, bottom = (x - 5, y - 10, x + 5, y + 10) if upright else (x - 10, y - 5, x + 10, y + 5)
    a, b, c, d = (left, top), (right, top), (right, bottom), (left, bottom)
    box = (b, c, d, a) if upright else (a, b, c, d)
    return Tile((first, second), 0.99, (((first, second), 0.99),), box)


def face_down() -> Tile:
    return Tile((None, None), 0.9, (), _box(20, 10), face_up=False)


def row(*names: str) -> tuple[Tile, ...]:
    """Tiles below each other that do not touch."""
    return tuple(tile(name, 0, 30 * place) for place, name in enumerate(names))


def reading(*pieces: Die | Tile, doubts: tuple[Doubt, ...] = ()) -> Reading:
    dice = tuple(piece for piece in pieces if isinstance(piece, Die))
    tiles = tuple(piece for piece in pieces if isinstance(piece, Tile))
    return Reading("a.jpg", "0" * 64, 640, 480, dice, doubts, {}, {}, tiles)


def _box(width: float, height: float) -> Quad:
    return ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
