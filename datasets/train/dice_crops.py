"""Crops of photos and of pasted scenes for the dice classifier: labelled dice, other dice, and the detector's false positives.

Boxes are the labelled ones and the detector's own, which the classifier will be given. False positives of the detector,
in `backgrounds` above all, are worth more than any drawn negatives; those that even the shipped classifier takes for a die
have a source of their own, `MISTAKEN`, and so a share of their own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.drawn.dice import CHUNK, FIRST, NOTHING, OTHER
from datasets.labels import crop_files
from datasets.labels.crop_files import DRAWN, StoredCrop
from datasets.labels.photos import UNLABELLED, Box, Labelled
from models import load_manifest
from vision.classify.crop_network import CropNetwork
from vision.classify.dice import MARGIN, dice_network
from vision.classify.tiles import halves
from vision.detect.boxes import Detection, Outline, Outlined, iou, upright
from vision.detect.detector import Detector
from vision.photo import GREY, Pixels

Rng = np.random.Generator

STORE = 200
"""Pixels of a stored crop of a photo."""
STORE_MARGIN = 2.4
"""Side of a stored crop over the longer side of the die's box: room to turn, shift and zoom."""
MISTAKEN = "mistaken"
"""Source of crops without a die that the shipped networks took for one,"""
LOOK_ALIKE = "look-alike"
"""and of those drawn to look like one."""
_LEAST_SCORE = 0.05
_SAME, _APART = 0.5, 0.3
"""Intersection over union from which a detection is the labelled piece, and below which it is something else."""
_MISTAKEN = 0.5
"""Probability of a die from which the classifier is mistaken about a false positive."""
_FROM_ABOVE = "d20_0"
"""In the names of photos of a d20 from directly above."""
_LEAST = {"d6": 14.0, "d12": 26.0, "other die": 18.0, "domino": 13.0}
"""Pixels of the longer side from which a piece of a scene (an end of a tile) is used."""
_END, _TILE = 0.45, 0.15
"""Shares of the tile ends, and of the whole tiles, that are cut from scenes."""


class Finder(Protocol):
    """A detector such as `vision.detect.detector.Detector`."""

    def detect(self, picture: Pixels) -> list[Detection]:
        """Every candidate box."""


class Judge(Protocol):
    """A classifier such as `vision.classify.crop_network.CropNetwork`."""

    def chances(self, crops: Sequence[tuple[Pixels, Detection]]) -> NDArray[np.float64]:
        """The probability of each of `vision.classify.dice.CLASSES` for each box."""


def photo_crops(pictures: Sequence[Labelled], file: Path, processes: int) -> None:
    """Write one file with the crops of photos; an existing file is left alone."""
    if file.exists():
        return
    afresh = get_context("spawn")  # a fork while OpenCV's threads are at work may hang
    with ProcessPoolExecutor(processes, afresh, _begin) as pool:
        parts = track(pool.map(_cut, pictures, chunksize=8), "cutting dice from photos", len(pictures))
        crop_files.write(file, [crop for part in parts for crop in part])


_networks: list[tuple[Detector, CropNetwork]] = []


def _begin() -> None:
    """Initialise a worker process: one thread, and the shipped networks."""
    cv2.setNumThreads(1)
    manifest = load_manifest()
    _networks.append((Detector(manifest["detector"]), dice_network(manifest["dice"])))


def _cut(picture: Labelled) -> list[StoredCrop]:
    return list(cut(picture, *_networks[0]))


def cut(picture: Labelled, finder: Finder, judge: Judge) -> Iterator[StoredCrop]:
    """The crops of one photo.

    Raises:
        OSError: the photo cannot be read.
    """
    pixels = read_rgb(picture.path)
    whole = picture.shows == "crop"
    finds = [] if whole else [find for find in finder.detect(pixels) if find.score > _LEAST_SCORE]
    boxes = _other_die(picture, finds) if picture.shows == "other die" else _pieces(picture, finds)
    for box in boxes:
        label = class_of(box)
        if label is not None and not (picture.source == "renders" and _too_small(box)):
            source = (
                LOOK_ALIKE
                if box.kind == "other" and picture.source == "renders" and box.quad is None
                else picture.source
            )
            yield StoredCrop.of(_stored(pixels, box), label, source, box.turnable, picture.held_out)
    if picture.shows == "table" and picture.source not in UNLABELLED:
        vain = [find for find in finds if all(iou(find, upright(box)) < _APART for box in picture.boxes)]
        yield from _found_in_vain(pixels, vain, judge, picture)


def _too_small(box: Box) -> bool:
    """Whether a die of a scene has too few pixels; those in photos were labelled by people who could read them."""
    return box.kind in ("d6", "d12") and _long(box) < _LEAST[box.kind]


def read_rgb(path: Path) -> Pixels:
    """A picture, height x width x 3, RGB.

    Raises:
        OSError: it cannot be read.
    """
    image = cv2.imread(str(path))
    if image is None:
        raise OSError(f"cannot read {path}")
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)


def class_of(box: Box) -> int | None:
    """The index in `vision.classify.dice.CLASSES` of a box's content; None where nobody can read it."""
    if box.kind == "other die":
        return OTHER
    if box.kind in ("domino", "other"):
        return NOTHING
    return None if box.value is None else FIRST[box.kind] + box.value - 1


def _pieces(picture: Labelled, finds: Sequence[Detection]) -> Iterator[Box]:
    """Every labelled die in its own box, and in the detector's box for it."""
    for box in picture.boxes:
        yield box
        best = max(finds, key=lambda find: iou(find, upright(box)), default=None)
        if best is not None and iou(best, upright(box)) > _SAME:
            yield _in(box, best)


def _in(box: Box, place: Outlined) -> Box:
    return dataclasses.replace(box, left=place.left, top=place.top, right=place.right, bottom=place.bottom, quad=None)


def the_die(finds: Sequence[Detection]) -> Detection | None:
    """The detection that is likeliest the only die of a photo: with a high score, and large."""
    return max(finds, key=lambda find: find.score * find.area**0.5, default=None)


def _other_die(picture: Labelled, finds: Sequence[Detection]) -> Iterator[Box]:
    """The only die of a photo of another die: the likeliest detection, and those that overlap it."""
    best = the_die(finds)
    for find in finds if best else ():
        if best is not None and (find is best or iou(upright(find), upright(best)) > _SAME):
            above = _FROM_ABOVE in picture.path.name
            yield Box(find.left, find.top, find.right, find.bottom, None, above, "other die")


def _found_in_vain(pixels: Pixels, finds: Sequence[Detection], judge: Judge, picture: Labelled) -> Iterator[StoredCrop]:
    """Crops of false positives; the source tells whether the classifier was mistaken, too."""
    dice = 1 - judge.chances([(pixels, find) for find in finds])[:, NOTHING]
    for find, chance in zip(finds, dice, strict=True):
        source = MISTAKEN if chance > _MISTAKEN else picture.source
        yield StoredCrop.of(_stored(pixels, upright(find)), NOTHING, source, True, picture.held_out)


def _stored(pixels: Pixels, box: Outlined) -> Pixels:
    return window(pixels, box, STORE_MARGIN, STORE)


def window(pixels: Pixels, box: Outlined, margin: float, side: int) -> Pixels:
    """The square around a box, `margin` times its longer side, as `side` x `side` x 3, padded with grey."""
    scale = side / (margin * max(box.right - box.left, box.bottom - box.top, 2.0))
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    if scale < 0.5:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.35 / scale), np.uint8)
    matrix = np.array([[scale, 0, side / 2 - scale * x], [0, scale, side / 2 - scale * y]])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.warpAffine(pixels, matrix, (side, side), flags=way, borderValue=GREY), np.uint8)


def scene_crops(scenes: Sequence[Labelled], out: Path, seed: int = 0) -> None:
    """Write crops of pasted scenes in the file format of drawn crops, once: a finished folder is left alone."""
    done = out / "done"
    if done.exists():
        return
    out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    crops: list[StoredCrop] = []
    for scene in track([scene for scene in scenes if not scene.held_out], "cutting dice from scenes"):
        crops += cut_scene(scene, rng)
    order = rng.permutation(len(crops))
    for start in range(0, len(crops), CHUNK):
        crop_files.write(out / f"scenes-{start:07d}.npz", [crops[i] for i in order[start : start + CHUNK]])
    done.touch()


def cut_scene(scene: Labelled, rng: Rng) -> Iterator[StoredCrop]:
    """Crops (`DRAWN` x `DRAWN`) of a scene, with jittered boxes: dice, and tiles and their ends, which are no dice.

    Raises:
        OSError: the picture cannot be read.
    """
    pixels = read_rgb(scene.path)
    for box, label in _of_scene(scene.boxes, rng):
        yield StoredCrop.of(window(pixels, _off(box, rng), MARGIN * float(np.exp(rng.normal(0, 0.06))), DRAWN), label)


def _of_scene(boxes: Sequence[Box], rng: Rng) -> Iterator[tuple[Outlined, int]]:
    for box in boxes:
        label = class_of(box)
        if box.kind == "domino" and box.quad is not None:
            ends = [Outline.around(half) for half in halves(box.quad)]
            yield from ((end, NOTHING) for end in ends if rng.random() < _END and _long(end) >= _LEAST["domino"])
            if rng.random() < _TILE:
                yield box, NOTHING
        elif label is not None and label != NOTHING and _long(box) >= _LEAST[box.kind]:
            # Pip dice are common enough in the training data; the others are cut twice, with different jitter.
            yield from [(box, label)] * (1 if box.kind == "d6" else 2)


def _long(box: Outlined) -> float:
    return max(box.right - box.left, box.bottom - box.top)


def _off(box: Outlined, rng: Rng) -> Outline:
    """The box with a detector's jitter."""
    left, top, right, bottom = (
        np.array([box.left, box.top, box.right, box.bottom]) + rng.normal(0, 0.04 * _long(box), 4)
    ).tolist()
    return Outline(left, top, right, bottom)
