"""Scenes as files: a picture and its labels each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.generate.composite.numbered import ALL_KINDS, Mix
from datasets.generate.composite.scenes import scene
from datasets.labels import photos


@dataclass(frozen=True)
class Task:
    """Scenes of one seed, into one folder."""

    out: Path
    seed: int
    sources: tuple[photos.Labelled, ...]
    mix: Mix = ALL_KINDS

    def label_file(self, k: int) -> Path:
        """Of scene k. Written last: where it is, the picture is too."""
        return self.out / "labels" / f"{self.seed}_{k:06d}.json"

    def make(self, k: int) -> None:
        """Draw scene k and write it."""
        cv2.setNumThreads(1)
        rng = np.random.default_rng(self.seed * 1_000_000 + k)
        picture, pieces = scene(rng, self.sources, self.mix)
        target = self.label_file(k)
        image = self.out / "images" / f"{target.stem}.jpg"
        cv2.imwrite(str(image), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 96))])
        height, width = picture.shape[:2]
        part = target.with_suffix(".part")
        part.write_text(json.dumps({"width": width, "height": height, "pieces": pieces}))
        part.replace(target)
