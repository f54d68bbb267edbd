"""Crops and their classes: a d12 that can be read, or something else."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.drawn.camera import Camera, any_camera
from datasets.generate.drawn.die_faces import any_die, inked
from datasets.generate.drawn.look_alikes import other_scene
from datasets.generate.drawn.materials import Light, any_light
from datasets.generate.drawn.photo import photographed
from datasets.generate.drawn.render_die import put
from datasets.generate.drawn.tables import any_table
from datasets.generate.parts.canvas import CANVAS, SIDE, Bytes, Picture, Rng
from datasets.generate.parts.lettering.fonts import share, typefaces
from datasets.generate.parts.lettering.numerals import any_lettering
from datasets.generate.parts.solids import any_d12, lying, numbering

CLASSES = ("other", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
"""What the reader tells apart; the class index of a d12 is its value."""

_OTHERS = 0.15
"""Share of crops that are no d12."""
_LEGIBLE = 18.0
"""Least contrast (of 255) between the top number and its surroundings: below it nobody could tell."""
_PATIENCE = 5
"""Scenes drawn before an illegible one is taken after all."""
_CHUNK = 200
"""Crops that a process draws at a time."""


def draw(rng: Rng) -> tuple[Bytes, int]:
    """One crop and what it shows.

    Returns:
        The crop (`SIDE` x `SIDE` x 3, RGB, 0..255) and its index in `CLASSES`: the value of the die's top face, or 0.

    Raises:
        FileNotFoundError: This machine has no font with digits.
    """
    if rng.random() < _OTHERS:
        return photographed(rng, other_scene(rng)), 0
    value = int(rng.integers(1, 13))
    for _ in range(_PATIENCE):
        canvas, number = _d12_scene(rng, value)
        crop = photographed(rng, canvas)
        if contrast(crop, number) > _LEGIBLE:
            break
    return crop, value


def _d12_scene(rng: Rng, value: int) -> tuple[Picture, Picture]:
    """A d12 with `value` on top, and the mask of that number (`SIDE` x `SIDE`)."""
    body, top = lying(rng, any_d12(rng), cocked=0.03)
    die = any_die(rng, body, numbering(rng, body, top, value), any_lettering(rng))
    camera, light = any_camera(rng, body), any_light(rng)
    canvas = any_table(rng)
    if rng.random() < 0.12:
        canvas = _neighbour(rng, canvas, camera, light)
    number = cv2.resize(inked(die, camera, [top]), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return put(rng, canvas, die, camera, light), np.asarray(number, np.float32)


def _neighbour(rng: Rng, canvas: Picture, camera: Camera, light: Light) -> Picture:
    """Another die that reaches into the picture."""
    body, top = lying(rng, any_d12(rng))
    die = any_die(rng, body, numbering(rng, body, top, int(rng.integers(1, 13))), any_lettering(rng))
    turn = rng.uniform(0, 2 * math.pi)
    shift = np.array([math.cos(turn), math.sin(turn)]) * CANVAS * rng.uniform(0.78, 1)
    return put(rng, canvas, die, camera.moved(1, shift), light)


def contrast(crop: Bytes, number: Picture) -> float:
    """How far the mean colour of the number (a mask, `SIDE` x `SIDE`, 0..1) lies from that of its surroundings.

    Returns:
        The largest difference of the three channels, 0..255; 0 where there is no number.
    """
    near = cv2.dilate(number, np.ones((3, 3), np.uint8))
    ring = (cv2.dilate(near, np.ones((5, 5), np.uint8)) > 0.2) & (near < 0.2)
    within = number > 0.5 * number.max()
    if not within.any() or not ring.any():
        return 0.0
    return float(np.abs(crop[within].mean(axis=0) - crop[ring].mean(axis=0)).max())


def many(count: int, seed: int, processes: int) -> tuple[Bytes, NDArray[np.int64]]:
    """Crops (count x `SIDE` x `SIDE` x 3, RGB) and their classes (count); the same seed gives the same, however many processes.

    Raises:
        FileNotFoundError: This machine has no font with digits.
    """
    chunks = [(seed, start, min(start + _CHUNK, count)) for start in range(0, count, _CHUNK)]
    crops, classes = np.empty((count, SIDE, SIDE, 3), np.uint8), np.empty(count, np.int64)
    drawn = track(_drawn(chunks, processes), "d12", len(chunks))
    for (_, start, stop), (some, what) in zip(chunks, drawn, strict=True):
        crops[start:stop], classes[start:stop] = some, what
    return crops, classes


def _drawn(chunks: list[tuple[int, int, int]], processes: int) -> Iterator[tuple[Bytes, list[int]]]:
    if processes <= 1:
        yield from map(_chunk, chunks)
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), _begin, (typefaces(),)) as pool:
        yield from pool.map(_chunk, chunks)


def _begin(files: list[Path]) -> None:
    """Start of a process: one thread, and the fonts that the first process found."""
    cv2.setNumThreads(1)
    share(files)


def _chunk(chunk: tuple[int, int, int]) -> tuple[Bytes, list[int]]:
    seed, start, stop = chunk
    drawn = [draw(np.random.default_rng((seed, index))) for index in range(start, stop)]
    return np.stack([crop for crop, _ in drawn]), [what for _, what in drawn]
