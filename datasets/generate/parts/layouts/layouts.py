"""Layouts of tiles on tables: scattered, in chains and rows, as a boneyard, in piles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.layouts.chains import chain, cross, line
from datasets.generate.parts.layouts.spots import Deck, Pose, Spot, collides


def layout(rng: Rng, tiles: Deck) -> list[Spot]:
    """Tiles around the centre of the table: one of the usual layouts, sometimes a second one beside it."""
    kinds, chances = list(_LAYOUTS), list(_LAYOUTS.values())
    found = kinds[rng.choice(len(kinds), p=chances)](rng, tiles)
    if rng.random() < 0.25:
        turn, far = rng.uniform(0, 7), rng.uniform(4, 9)
        aside = [replace(s, x=s.x + far * math.cos(turn), y=s.y + far * math.sin(turn)) for s in _rows(rng, tiles)]
        found = found + [spot for spot in aside if not collides(spot, found, tiles.long)]
    return _shaken(rng, _posed(rng, found))


def _scattered(rng: Rng, tiles: Deck) -> list[Spot]:
    count = int(rng.integers(2, 19))
    room = math.sqrt(count) * rng.uniform(1.2, 3.5)
    found: list[Spot] = []
    for _ in range(3 * count):
        spot = Spot(rng.uniform(-room, room), rng.uniform(-room, room) * 0.7, rng.uniform(0, 7), (0, 0))
        if len(found) < count and not collides(spot, found, tiles.long + 0.1):
            found.append(replace(spot, ends=tiles.take()))
    return found


def _rows(rng: Rng, tiles: Deck) -> list[Spot]:
    gap = rng.uniform(0, 0.06) if rng.random() < 0.5 else rng.uniform(0.1, 1.0)
    lines, count = int(rng.choice([1, 1, 2, 3])), int(rng.integers(2, 9))
    apart = tiles.long + (rng.uniform(0, 0.1) if rng.random() < 0.4 else rng.uniform(0.2, 2.0))
    places = ((column, row) for row in range(lines) for column in range(count))
    return [Spot(column * (1 + gap), row * apart, math.pi / 2, tiles.take()) for column, row in places]


def _boneyard(rng: Rng, tiles: Deck) -> list[Spot]:
    step, turn = tiles.long * rng.uniform(1.05, 1.4), rng.choice([0.1, 7.0])
    down, wide = rng.uniform(0.4, 1.0), int(rng.integers(2, 6))
    found: list[Spot] = []
    for k in range(wide * int(rng.integers(2, 5))):
        x, y = (k % wide * step + rng.normal(0, 0.2), k // wide * step + rng.normal(0, 0.2))
        spot = Spot(x, y, rng.uniform(0, turn), (0, 0), pose="down" if rng.random() < down else "up")
        if not collides(spot, found, tiles.long):
            found.append(replace(spot, ends=tiles.take()))
    return found


def _pile(rng: Rng, tiles: Deck) -> list[Spot]:
    count = int(rng.integers(3, 18))
    found: list[Spot] = []
    for _ in range(count):
        x, y = rng.normal(0, 0.75 * math.sqrt(count), 2)
        spot = Spot(x, y, rng.uniform(0, 7), (0, 0))
        below = [other.storey for other in found if collides(spot, [other], tiles.long)]
        if max(below, default=-1) < 2:
            found.append(replace(spot, ends=tiles.take(), storey=max(below, default=-1) + 1))
    return found


def _single(rng: Rng, tiles: Deck) -> list[Spot]:
    return [Spot(0, 0, rng.uniform(0, 7), tiles.take())]


def hand(rng: Rng, tiles: Deck) -> list[Spot]:
    """Tiles standing in a row as players hold their hands, their fronts towards -y; often others lie or stand near by."""
    found = _standing_row(rng, tiles, 0.0)
    if rng.random() < 0.3:
        found += _standing_row(rng, tiles, rng.uniform(2.5, 7))
    if rng.random() < 0.6:
        x, y = rng.normal(0, 2), rng.choice([-1, 1]) * rng.uniform(2.5, 5)
        lying = (line, chain, _scattered)[int(rng.integers(3))](rng, tiles)
        aside = [replace(s, x=s.x + x, y=s.y + y) for s in _shaken(rng, lying)]
        found += [spot for spot in aside if not collides(spot, found, tiles.long)]
    return found


def _standing_row(rng: Rng, tiles: Deck, y: float) -> list[Spot]:
    """A row of standing tiles, straight or in an arc, in a rack (leaning) or free."""
    poses: list[Pose] = ["standing", "upright", "away"]
    pose = poses[rng.choice(3, p=[0.5, 0.4, 0.1])]
    step = (1.0 if pose == "upright" else tiles.long) + rng.choice([0.0, rng.uniform(0, 0.1), rng.uniform(0.1, 0.8)])
    turn, bend, untidy = rng.normal(0, 0.35), rng.normal(0, 0.04), rng.choice([0.0, 0.02, 0.08])
    lean = rng.choice([0.0, rng.uniform(0.05, 0.4)])
    count = int(rng.integers(1, 9))
    found, x = [], -count * step / 2
    for _ in range(count):
        found.append(Spot(x, y, turn + rng.normal(0, untidy), tiles.take(), pose=pose, lean=lean))
        x, y, turn = x + step * math.cos(turn), y + step * math.sin(turn) + rng.normal(0, untidy), turn + bend
    return found


_LAYOUTS: dict[Callable[[Rng, Deck], list[Spot]], float] = {
    _scattered: 0.22,
    line: 0.1,
    chain: 0.24,
    cross: 0.08,
    _rows: 0.14,
    _boneyard: 0.05,
    _pile: 0.07,
    _single: 0.1,
}
"""The probability of each layout."""


def _posed(rng: Rng, spots: list[Spot]) -> list[Spot]:
    """Turn some tiles face down, or stand them on edge."""
    down = rng.choice([0.0, 0.1, 0.4], p=[0.55, 0.3, 0.15])
    edge = rng.choice([0.0, 0.3], p=[0.88, 0.12])
    draws = rng.random((len(spots), 2))
    poses: list[Pose] = ["edge" if e < edge else "down" if d < down else "up" for d, e in draws.tolist()]
    return [s if s.pose != "up" or s.storey else replace(s, pose=pose) for s, pose in zip(spots, poses, strict=True)]


def _shaken(rng: Rng, spots: list[Spot]) -> list[Spot]:
    """Rotate the layout about its centre, and add gaps and untidiness as of hand-laid tiles."""
    gap, untidy = 1 + rng.choice([0.005, 0.02, 0.06]), rng.choice([0.0, 0.01, 0.04], p=[0.3, 0.5, 0.2])
    turn = rng.choice([0, math.pi / 2, rng.uniform(0, 7)], p=[0.25, 0.15, 0.6])
    middle = np.mean([(s.x, s.y) for s in spots], axis=0)
    c, s = math.cos(turn), math.sin(turn)
    found = []
    for spot in spots:
        x, y = (np.array([spot.x, spot.y]) - middle) * gap + rng.normal(0, untidy, 2)
        found.append(replace(spot, x=c * x - s * y, y=s * x + c * y, turn=spot.turn + turn + rng.normal(0, untidy)))
    return found
