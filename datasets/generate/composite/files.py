"""Stores scenes as files: a picture and its labels each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.generate.composite.numbered import ALL_KINDS, Mix
from datasets.generate.composite.scenes import scene
from datasets.labels import photos
from datasets.labels.picture_files import write_jpeg
from vision.photo import Pixels


@dataclass(frozen=True)
class Task:
    """The scenes of one seed, for one folder."""

    out: Path
    seed: int
    sources: tuple[photos.Labelled, ...]
    mix: Mix = ALL_KINDS

    def label_file(self, k: int) -> Path:
        """The label file of scene k. It is written last: if it exists, the picture does too."""
        return self.out / "labels" / f"{self.seed}_{k:06d}.json"

    def make(self, k: int) -> None:
        """Draw scene k and write it."""
        cv2.setNumThreads(1)
        rng = np.random.default_rng(self.seed * 1_000_000 + k)
        picture, pieces = scene(rng, self.sources, self.mix)
        write(self.label_file(k), picture, pieces, int(rng.integers(30, 96)))


def write(label_file: Path, picture: Pixels, pieces: Sequence[Mapping[str, Any]], quality: int) -> None:
    """Write a picture (RGB) as `images/K.jpg` beside `labels/`, and then its labels: if those exist, the picture does too.

    `quality`: JPEG quality, 0 to 100.
    """
    write_jpeg(label_file.parent.parent / "images" / f"{label_file.stem}.jpg", picture[..., ::-1], quality)
    height, width = picture.shape[:2]
    part = label_file.with_suffix(".part")
    part.write_text(json.dumps({"width": width, "height": height, "pieces": pieces}))
    part.replace(label_file)
