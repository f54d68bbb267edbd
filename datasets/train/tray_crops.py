"""Crops of trays with dice in them, as negatives for the dice classifiers: a dark tray with a bright die looks like a 1.

    python -m datasets.train.tray_crops --photos PHOTOS --cuts runs/second/cuts.npz --count 3000 --out runs/with_trays.npz

Writes the crops of `--cuts` and the trays into one training file (`python -m datasets.train RECIPE --cuts FILE`).
The dice in the trays come from those crops, which that command cuts when it trains a dice classifier. Tray and light are
drawn; the table is drawn or cut from a photo without pieces. Trays are of class 0, nothing to read; one in twelve is
held out.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from datasets.generate.camera.scenes import degrade
from datasets.generate.parts.drawings import Rng, any_colour
from datasets.generate.parts.outlines import fixed
from datasets.generate.parts.paint import blurred, noise, squares
from datasets.generate.parts.tile_faces import Floats
from datasets.labels import crop_files, photos
from datasets.labels.crop_files import Pixels, StoredCrop
from datasets.train.dice_crops import LOOK_ALIKE, STORE, STORE_MARGIN

_APART = 12
"""One crop in this many is held out."""


def tray(rng: Rng, ground: Floats, dice: Sequence[Pixels]) -> Pixels:
    """A tray on a table, `STORE` x `STORE` x 3, RGB.

    `ground`: the table, of the same size, in `squares` of the stored values; `dice`: crops of the dice in the tray.
    """
    canvas = ground.copy()
    long = STORE / STORE_MARGIN
    outline = np.asarray(_outline(rng) * long, np.float32)
    rim, inner = any_colour(rng), outline * np.float32(rng.uniform(0.78, 0.98))
    felt = (
        any_colour(rng) if rng.random() < 0.5 else tuple(float(each) for each in rng.uniform(0.01, 0.16) * np.ones(3))
    )
    shadow = np.asarray(outline + rng.normal((2, 3), 1), np.float32)
    _fill(canvas, shadow, (0.0, 0.0, 0.0), rng.uniform(0.2, 0.7), rng.uniform(1, 5))
    _fill(canvas, outline, rim, 1.0, 0.5)
    _fill(canvas, inner, felt, 1.0, 0.5)
    cloth = noise(rng, (STORE, STORE), (int(rng.integers(3, 80)),) * 2) * np.float32(rng.uniform(0, 0.5))
    canvas *= 1 - cloth[..., None] * _mask(inner, 0.5)[..., None]
    for crop in dice:
        # A single bright die as large as a pip would turn the tray into a die that shows a 1: it is drawn smaller.
        size = float(rng.uniform(0.05, 0.14) if len(dice) == 1 else rng.uniform(0.08, 0.3)) * long
        away = rng.uniform(0, 0.08 if len(dice) == 1 and rng.random() < 0.4 else 0.3) * long
        angle = rng.uniform(0, 2 * math.pi)
        _lay(canvas, crop, size, (away * math.cos(angle), away * math.sin(angle)))
    return degrade(rng, canvas, even=bool(rng.random() < 0.5))


def _outline(rng: Rng) -> Floats:
    """Corners around (0, 0) in a box with sides of 1: mostly square, in slight perspective, and turned."""
    corners = int(rng.choice([4, 6, 8, 48], p=[0.7, 0.08, 0.12, 0.1]))
    angles = (np.arange(corners) + 0.5) * 2 * math.pi / corners
    points = np.column_stack([np.cos(angles), np.sin(angles)]) * (1, rng.uniform(0.75, 1))
    points[:, 0] *= 1 + points[:, 1] * rng.uniform(-0.15, 0.15)  # what is farther is smaller
    turn = rng.uniform(0, 2 * math.pi) if rng.random() < 0.5 else rng.normal(0, 0.06) + rng.integers(4) * math.pi / 2
    points = points @ np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    points -= (points.max(0) + points.min(0)) / 2
    return np.asarray(points / np.ptp(points, axis=0).max(), np.float32)


def _mask(corners: Floats, sigma: float) -> Floats:
    mask = np.zeros((STORE, STORE), np.float32)
    cv2.fillConvexPoly(mask, fixed(corners + STORE / 2), 1.0, cv2.LINE_AA, shift=4)
    return blurred(mask, sigma)


def _fill(canvas: Floats, corners: Floats, colour: tuple[float, ...], cover: float, sigma: float) -> None:
    mask = _mask(corners, sigma)[..., None] * np.float32(cover)
    canvas += mask * (np.array(colour, np.float32) ** 2 - canvas)


def _lay(canvas: Floats, crop: Pixels, size: float, place: tuple[float, float]) -> None:
    """Draw a die from its crop, `size` pixels large, at `place` from the centre, faded into the tray at its edges."""
    side = max(4, round(size * STORE_MARGIN))
    die = squares(np.asarray(cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA), np.uint8))
    y, x = (np.mgrid[:side, :side].astype(np.float32) + 0.5) * np.float32(2 * STORE_MARGIN / side) - np.float32(
        STORE_MARGIN
    )
    cover = np.clip((1.12 - (x**4 + y**4) ** 0.25) / 0.12, 0, 1)[..., None].astype(np.float32)
    left, top = (round(STORE / 2 + each - side / 2) for each in place)
    part = canvas[top : top + side, left : left + side]
    part += cover * (die - part)


def crops(count: int, seed: int, sources: Sequence[photos.Labelled], dice: Sequence[StoredCrop]) -> list[StoredCrop]:
    """`count` crops of trays; `sources`: photos without a piece in them; `dice`: crops of dice.

    Raises:
        FileNotFoundError: a photo cannot be read.
    """
    made = []
    for k in track(range(count), "trays"):
        rng = np.random.default_rng((seed, k))
        number = int(rng.choice([1, 2, 3, 5], p=[0.55, 0.2, 0.15, 0.1]))
        inside = [dice[int(rng.integers(len(dice)))].pixels for _ in range(number)]
        pixels = tray(rng, _ground(rng, sources), inside)
        made.append(StoredCrop.of(pixels, 0, LOOK_ALIKE, turnable=True, held_out=k % _APART == 0))
    return made


def _ground(rng: Rng, sources: Sequence[photos.Labelled]) -> Floats:
    """A table: one colour, or a part of a photo."""
    if rng.random() < 0.3:
        return np.full((STORE, STORE, 3), np.array(any_colour(rng)) ** 2, np.float32)
    source = sources[int(rng.integers(len(sources)))]
    image = cv2.imread(str(source.path))
    if image is None:
        raise FileNotFoundError(source.path)
    side = round(min(image.shape[:2]) * rng.uniform(0.3, 1))
    left, top = (int(rng.integers(long - side + 1)) for long in image.shape[1::-1])
    part = image[top : top + side, left : left + side, ::-1]
    return squares(np.asarray(cv2.resize(part, (STORE, STORE), interpolation=cv2.INTER_AREA), np.uint8))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file of crops."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True, help="the folder that holds backgrounds, negatives, …")
    parser.add_argument("--cuts", type=Path, required=True, help="a file of crops with the dice for the trays")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    sources = [each for each in photos.load(options.photos) if not each.boxes and not each.held_out]
    cuts = crop_files.read(options.cuts)
    dice = [each for each in cuts if each.label > 0 and not each.held_out]
    crop_files.write(options.out, [*cuts, *crops(options.count, options.seed, sources, dice)])


if __name__ == "__main__":
    main()
