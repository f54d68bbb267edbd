"""Windows around the dice of the evaluation photos, as a small grey camera in poor light sees them.

    python -m datasets.generate.small_camera PHOTOS --out runs/small
    python -m datasets.evaluate runs/small

For evaluation, never for training. 160 x 120 pixels, with dice 12 to 30 pixels wide: coarse, blurred, noisy, low-contrast,
vignetted, strongly compressed. The labels of `dice-dev` and `dice-dev-2` have no positions, so only photos that the product
reads right are used: its reading gives the positions of the dice. A window cuts no die; one in seven holds none.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.parts.drawings import Rng
from datasets.labels.picture_files import write_jpeg
from vision.photo import Pixels, load
from vision.reader import TableReader
from vision.reading import Die

Floats = NDArray[np.float32]

SIZE = 160, 120
"""Size of a window in pixels."""
_SIDES = 12.0, 30.0
"""Range of a die's side in it, in pixels."""
_EMPTY = 0.15
"""Probability that a window must hold no die."""
_CLEAR = 3.0
"""Least distance in pixels of a die from the window's edge, inside or outside."""
_TRIES = 60
_SETS = ("dice-dev", "dice-dev-2")


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a photo: left and top, in its pixels, and the window's pixels per photo pixel."""

    left: float
    top: float
    scale: float

    def holds(self, box: NDArray[np.float64]) -> bool | None:
        """Whether a box (left, top, right, bottom) lies well inside; None if the window's edge cuts it."""
        low, high = (box.reshape(2, 2) - (self.left, self.top)) * self.scale
        if (low >= _CLEAR).all() and (high <= np.array(SIZE) - _CLEAR).all():
            return True
        return False if (high < -_CLEAR).any() or (low > np.array(SIZE) + _CLEAR).any() else None


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the windows as a set like `dice-dev`."""
    options = _options(arguments)
    rng, reader = np.random.default_rng(options.seed), TableReader()
    (options.out / "images").mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = []
    for own in _SETS:
        if not (answers := options.photos / own / "dev.json").exists():
            continue
        truths = json.loads(answers.read_text())
        for truth in track([each for each in truths if not each["same_camera_as_train"]], own):
            photo = load(answers.parent / truth["file"])
            reading = reader.read(photo)
            if truth["ambiguous"] or reading.tiles or sorted(die.value for die in reading.dice) != sorted(truth["d6"]):
                continue
            grey = np.asarray(cv2.cvtColor(photo.full(), cv2.COLOR_RGB2GRAY), np.uint8)
            for k, (window, values) in enumerate(windows(rng, grey, reading.dice, options.each)):
                name = f"images/{own}_{Path(truth['file']).stem}_{k}.jpg"
                filmed = small_camera(rng, cut(grey, window))
                write_jpeg(options.out / name, filmed, int(rng.integers(50, 95)))
                entries.append({**truth, "file": name, "d6": values, "hard": False})
    (options.out / "dev.json").write_text(json.dumps(entries, indent=1) + "\n")
    print(f"{len(entries)} windows in {options.out}")


def windows(rng: Rng, grey: Pixels, dice: Sequence[Die], most: int) -> Iterator[tuple[Window, list[int]]]:
    """At most `most` windows of a photo, each with the values of its dice; fewer if there is no room."""
    boxes = [np.array([*np.min(die.box, 0), *np.max(die.box, 0)]) for die in dice]
    found = 0
    for _ in range(_TRIES if boxes else 0):
        empty, box = rng.random() < _EMPTY, boxes[int(rng.integers(len(boxes)))]
        scale = rng.uniform(*_SIDES) / math.sqrt(float(np.prod(box[2:] - box[:2])))
        size = np.array(SIZE) / scale
        room = np.array(grey.shape[::-1]) - size
        low, high = (np.zeros(2), room) if empty else (np.maximum(0, box[2:] - size), np.minimum(room, box[:2]))
        if scale > 1 or (low > high).any():
            continue
        left, top = rng.uniform(low, high).tolist()
        window = Window(left, top, scale)
        held = [window.holds(each) for each in boxes]
        if None in held or any(held) is empty:
            continue
        yield window, sorted(die.value for die, inside in zip(dice, held, strict=True) if inside)
        found += 1
        if found == most:
            return


def cut(grey: Pixels, window: Window) -> Floats:
    """The content of a window (120 x 160, 0..1)."""
    width, height = (round(side / window.scale) for side in SIZE)
    left, top = round(window.left), round(window.top)
    part = grey[top : top + height, left : left + width].astype(np.float32)
    return np.asarray(cv2.resize(part, SIZE, interpolation=cv2.INTER_AREA) / 255, np.float32)


def small_camera(rng: Rng, light: Floats) -> Pixels:
    """A picture (0..1) with the effects of a small camera: exposure, lens, sharpening and noise."""
    light = light ** np.float32(rng.uniform(0.7, 1.6))
    if rng.random() < 0.5:
        light = light * np.float32(rng.uniform(0.5, 1)) + np.float32(rng.uniform(0, 0.15))
    if rng.random() < 0.5:
        height, width = light.shape
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        light = light * (1 - np.float32(rng.uniform(0, 0.25)) * (x**2 + y**2))
    if (blur := rng.uniform(0, 1)) > 0.25:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), blur))
    if rng.random() < 0.4:
        light = light + np.float32(rng.uniform(0.3, 1)) * (light - cv2.GaussianBlur(light, (0, 0), 1))
    grain = rng.normal(0, rng.uniform(0, 0.03), light.shape)
    return np.asarray((255 * (light + grain).clip(0, 1)).round(), np.uint8)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, help="the folder that holds dice-dev and dice-dev-2")
    parser.add_argument("--each", type=int, default=3, help="at most N windows per photo")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
