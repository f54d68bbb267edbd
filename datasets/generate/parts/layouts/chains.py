"""Chains of tiles with matching ends, as players lay them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.layouts.spots import Deck, Spot, collides

Tip = tuple[float, float, float]
"""The end of a chain: x, y and heading (radians)."""


def line(rng: Rng, tiles: Deck) -> list[Spot]:
    """A straight chain; its doubles lie across or not."""
    return walk(rng, tiles, int(rng.integers(2, 10)), corner=0.0, crosswise=rng.random() < 0.5)


def chain(rng: Rng, tiles: Deck) -> list[Spot]:
    """A chain with corners."""
    return walk(rng, tiles, int(rng.integers(4, 20)), corner=rng.uniform(0.1, 0.5), crosswise=rng.random() < 0.6)


def cross(rng: Rng, tiles: Deck) -> list[Spot]:
    """A double with a chain from each of its sides."""
    value = int(rng.integers(7))
    found = [Spot(0, 0, math.pi / 2, (value, value))]
    corner = rng.choice([0.0, 0.3])
    for reach, heading in ((0.5, 0.0), (0.5, math.pi), (tiles.long / 2, math.pi / 2), (tiles.long / 2, -math.pi / 2)):
        start = (reach * math.cos(heading), reach * math.sin(heading), heading)
        found += walk(rng, tiles, int(rng.integers(0, 6)), corner, True, start, value, found)
    return found


def walk(
    rng: Rng,
    tiles: Deck,
    count: int,
    corner: float,
    crosswise: bool,
    start: Tip = (0, 0, 0),
    value: int | None = None,
    laid: Sequence[Spot] = (),
) -> list[Spot]:
    """A chain with matching ends; it stops where there is no room.

    Args:
        rng: source of randomness.
        tiles: the deck to draw from.
        count: the most tiles to lay.
        corner: probability of a turn, 0..1.
        crosswise: whether doubles lie across.
        start: the chain's start.
        value: value of the first end, if it must match one.
        laid: the tiles already on the table.
    """
    found: list[Spot] = []
    tip = start
    for _ in range(count):
        ends = tiles.take(value)
        across = crosswise and ends[0] == ends[1]
        bend = 0.0 if across or rng.random() > corner else float(rng.choice([-1, 1])) * math.pi / 2
        spot, beyond = _step(tip, bend, across, tiles.long, beside=rng.random() < 0.5 and bool(found))
        if collides(spot, [*laid, *found], tiles.long):
            break
        found.append(replace(spot, ends=ends))
        tip, value = beyond, ends[1]
    return found


def _step(tip: Tip, bend: float, across: bool, long: float, beside: bool) -> tuple[Spot, Tip]:
    """The next tile of a chain and the chain's new tip. At a corner it lies beyond the last tile, or beside its end."""
    x, y, heading = tip
    ahead = np.array([math.cos(heading), math.sin(heading)])
    if across:
        middle, end = np.array([x, y]) + ahead / 2, np.array([x, y]) + ahead
        return Spot(middle[0], middle[1], heading + math.pi / 2, (0, 0)), (end[0], end[1], heading)
    way = np.array([math.cos(heading + bend), math.sin(heading + bend)])
    from_here = np.array([x, y])
    if bend:
        from_here = from_here + (way - ahead if beside else ahead - way) / 2
    middle, end = from_here + way * long / 2, from_here + way * long
    return Spot(middle[0], middle[1], heading + bend, (0, 0)), (end[0], end[1], heading + bend)
