"""Stores crops and their classes in files, many JPEGs to a file, decoded on access: half a million crops fit in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
_QUALITY = 95

DRAWN = 112
"""Side of a drawn crop in pixels, whatever the input size of the networks that learn from it."""


@dataclass(frozen=True, slots=True)
class StoredCrop:
    """A crop as JPEG, and its class; for photos also the source, whether it may be turned, and whether it is held out."""

    code: Pixels
    label: int
    source: str = "drawn"
    turnable: bool = False
    held_out: bool = False

    @classmethod
    def of(
        cls, pixels: Pixels, label: int, source: str = "drawn", turnable: bool = False, held_out: bool = False
    ) -> StoredCrop:
        """Encode a crop (height x width x 3, RGB)."""
        coded = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
        return cls(np.asarray(coded, np.uint8).ravel(), label, source, turnable, held_out)

    @property
    def pixels(self) -> Pixels:
        """Height x width x 3, RGB."""
        return np.ascontiguousarray(np.asarray(cv2.imdecode(self.code, cv2.IMREAD_COLOR), np.uint8)[..., ::-1])


def write(file: Path, crops: Iterable[StoredCrop]) -> None:
    """Write a file of crops atomically, even if two processes write it at once."""
    kept = list(crops)
    codes = [crop.code for crop in kept] or [np.zeros(0, np.uint8)]
    part = file.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as stream:
        np.savez(
            stream,
            jpeg=np.concatenate(codes),
            ends=np.cumsum([len(crop.code) for crop in kept], dtype=np.int64),
            labels=np.array([crop.label for crop in kept], np.uint8),
            sources=np.array([crop.source for crop in kept], np.str_),
            turnable=np.array([crop.turnable for crop in kept], np.bool_),
            held_out=np.array([crop.held_out for crop in kept], np.bool_),
        )
    part.replace(file)


def read(file: Path) -> list[StoredCrop]:
    """The crops of a file.

    Raises:
        FileNotFoundError: there is no such file.
    """
    with np.load(file) as kept:
        codes = np.split(kept["jpeg"], kept["ends"][:-1]) if len(kept["ends"]) else []
        drawn: dict[str, Any] = {"sources": "drawn", "turnable": False, "held_out": False}
        sources, turnable, held_out = (
            kept[name] if name in kept else [value] * len(codes) for name, value in drawn.items()
        )
        rows = zip(codes, kept["labels"], sources, turnable, held_out, strict=True)
        return [StoredCrop(code, int(label), str(of), bool(turn), bool(apart)) for code, label, of, turn, apart in rows]
