"""Drawn crops with their classes for the dice classifier, generated from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from datasets.generate.camera.crops import photographed
from datasets.generate.drawn import photo_grounds
from datasets.generate.drawn.dice_scenes import d12, die_scene, other_die, pip_die
from datasets.generate.drawn.look_alikes import nothing_scene
from datasets.generate.parts.canvas import Bytes, Picture, Rng
from datasets.generate.parts.lettering import fonts
from datasets.labels import crop_files
from datasets.labels.crop_files import DRAWN, StoredCrop
from vision.classify.dice import CLASSES

NOTHING, OTHER, PIP, D12 = (CLASSES.index(name) for name in ("nothing", "other", "pip 1", "d12 1"))
"""Classes of no die, of another die, of a pip 1 and of a d12's 1; higher values follow."""
FIRST = {"d6": PIP, "d12": D12}
"""The class of a kind's lowest value."""
SHARES = (0.16, 0.16, 0.4, 0.28)
"""Shares of crops with no die, another die, a pip die and a d12."""
_FEWEST = {NOTHING: 20.0, OTHER: 20.0, PIP: 15.0, D12: 30.0}
"""Pixels across a coarsened crop from which its class is recognisable."""
_LEGIBLE = {PIP: 14.0, D12: 18.0}
"""Least contrast (of 255) between the top's marks and their surroundings: below it nobody could read them."""
_PATIENCE = 4
"""Scenes drawn in search of a legible one before an illegible one is accepted."""
CHUNK = 500
"""Crops per file."""


def draw(rng: Rng, shares: Sequence[float] = SHARES) -> tuple[Bytes, int]:
    """One crop and its class; `shares` as in `SHARES`.

    Returns:
        The crop (`DRAWN` x `DRAWN` x 3, RGB, 0..255) and its index in `CLASSES`.

    Raises:
        FileNotFoundError: this machine has no font with digits.
    """
    first = (NOTHING, OTHER, PIP, D12)[int(rng.choice(4, p=shares))]
    values = {PIP: 6, D12: 12}.get(first, 1)
    return draw_class(rng, first + int(rng.integers(values)))


def draw_class(rng: Rng, label: int) -> tuple[Bytes, int]:
    """A crop of one class (an index in `CLASSES`), with that class; see `draw`."""
    if label == NOTHING:
        return photographed(rng, nothing_scene(rng), _FEWEST[NOTHING]), label
    if label == OTHER:
        return photographed(rng, die_scene(rng, other_die(rng))[0], _FEWEST[OTHER]), label
    first, make = (PIP, pip_die) if label < D12 else (D12, d12)
    for _ in range(_PATIENCE):
        canvas, marks = die_scene(rng, make(rng, label - first + 1))
        crop = photographed(rng, canvas, _FEWEST[first])
        mask = np.asarray(cv2.resize(marks, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA), np.float32)
        if contrast(crop, mask) > _LEGIBLE[first]:
            break
    return crop, label


def contrast(crop: Bytes, marks: Picture) -> float:
    """The difference of mean colour between the marks (a mask, `DRAWN` x `DRAWN`, 0..1) and their surroundings.

    Returns:
        The largest difference of the three channels, 0..255; 0 where there are no marks.
    """
    near = cv2.dilate(marks, np.ones((3, 3), np.uint8))
    ring = (cv2.dilate(near, np.ones((5, 5), np.uint8)) > 0.2) & (near < 0.2)
    within = marks > 0.5 * marks.max()
    if not within.any() or not ring.any():
        return 0.0
    return float(np.abs(crop[within].mean(axis=0) - crop[ring].mean(axis=0)).max())


@dataclass(frozen=True)
class Chunk:
    """The crops of a seed from number `start` on, and the folder of their file."""

    out: Path
    seed: int
    start: int
    shares: tuple[float, ...] = SHARES

    @property
    def file(self) -> Path:
        """Where its crops are written."""
        return self.out / f"{self.seed}-{self.start:07d}.npz"

    def write(self) -> None:
        """Draw its crops and write them; the result is deterministic."""
        rngs = (np.random.default_rng((self.seed, index)) for index in range(self.start, self.start + CHUNK))
        crop_files.write(self.file, (StoredCrop.of(*draw(rng, self.shares)) for rng in rngs))


def chunks(out: Path, seed: int, count: int, shares: Sequence[float] = SHARES) -> list[Chunk]:
    """The chunks of at least `count` crops that have no file yet."""
    found = (Chunk(out, seed, start, tuple(shares)) for start in range(0, count, CHUNK))
    return [chunk for chunk in found if not chunk.file.exists()]


def write_all(todo: Sequence[Chunk], backgrounds: Sequence[Path], processes: int) -> Iterator[None]:
    """Write chunks, `processes` of them at a time; yields as each is done.

    Raises:
        FileNotFoundError: this machine has no font with digits.
    """
    given = (fonts.typefaces(), list(backgrounds))
    # A fork while OpenCV's threads are running may hang: spawn the processes.
    with ProcessPoolExecutor(processes, get_context("spawn"), begin, given) as pool:
        yield from pool.map(Chunk.write, todo)


def begin(typefaces: list[Path], backgrounds: list[Path]) -> None:
    """Initialise a worker process: one thread, and the fonts and photos that the main process found."""
    cv2.setNumThreads(1)
    fonts.share(typefaces)
    photo_grounds.share(backgrounds)
