"""The typefaces of this machine: those whose ten digits look like digits, as masks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets.generate.parts.canvas import Bytes, Picture

DIGIT = 64
"""Height of a digit's mask in pixels."""
FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path.home() / ".local/share/fonts",
    Path("/System/Library/Fonts"),
    Path("/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)
_ENDINGS = ("ttf", "otf", "woff2")
_ODD_NAMES = re.compile(
    r"symbol|emoji|dingbat|icon|barcode|ornament|braille|wingding|d050|sixpack|dseg|ocrb[ex]", re.IGNORECASE
)
_ALIKE = 0.985
"""Correlation of two digits of one font above which they are the same picture."""
_DIGITLIKE = 0.5
"""Least mean correlation of a font's digits with those of most fonts."""


def fonts(folders: Sequence[Path] = FOLDERS) -> list[Path]:
    """The files in `folders` whose ten digits look like digits; one file of those that draw the same digits.

    Raises:
        FileNotFoundError: there is no usable font; the message says what to do.
    """
    files = (file for folder in folders for ending in _ENDINGS for file in folder.rglob(f"*.{ending}"))
    looks = {file: look for file in sorted(files) if (look := _look(file)) is not None}
    found = _digitlike(looks) if looks else []
    if not found:
        names = ", ".join(str(folder) for folder in folders)
        raise FileNotFoundError(
            f"no font with digits in {names}; install some, for example: apt-get install fonts-dejavu fonts-liberation fonts-lato"
        )
    return found


_found: list[Path] = []


def typefaces() -> list[Path]:
    """The usable fonts of this machine, searched once per process.

    Raises:
        FileNotFoundError: there are none.
    """
    if not _found:
        _found[:] = fonts()
    return _found


def share(files: list[Path]) -> None:
    """Let this process use the fonts that another one found: the search takes seconds."""
    _found[:] = files


@lru_cache(maxsize=2000)
def typeface(file: Path) -> list[Bytes]:
    """The ten digits of a font found by `fonts`, each `DIGIT` pixels high, 0..255."""
    return _masks(file, DIGIT)


def span(mask: Bytes) -> slice:
    """The columns of a mask that have ink."""
    columns = np.flatnonzero(mask.max(axis=0) > 50)
    return slice(columns[0], columns[-1] + 1) if len(columns) else slice(0, 1)


def _look(file: Path) -> Picture | None:
    """Ten digits of 24 x 24 pixels, each of mean 0 and length 1; None if the font lacks digits or draws two of them alike."""
    if _ODD_NAMES.search(file.name):
        return None
    try:
        masks = _masks(file, 24)
    except (OSError, ValueError):
        return None
    flat = np.stack([_centred(mask).ravel() for mask in masks])
    flat -= flat.mean(axis=1, keepdims=True)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    alike = flat @ flat.T - np.eye(10)
    return None if alike.max() > _ALIKE else flat


def _centred(mask: Bytes) -> Picture:
    """The mask (24 pixels high) centred in a square, blurred so that thin and thick strokes are comparable."""
    square = np.zeros((24, 24), np.float32)
    width = min(24, mask.shape[1])
    square[:, 12 - width // 2 : 12 - width // 2 + width] = mask[:, :width]
    return np.asarray(cv2.GaussianBlur(square, (0, 0), 1.5), np.float32)


def _digitlike(looks: dict[Path, Picture]) -> list[Path]:
    """Files whose digits resemble the median of all fonts' digits, without duplicates."""
    typical = np.median(np.stack(list(looks.values())), axis=0)
    typical /= np.maximum(np.linalg.norm(typical, axis=1, keepdims=True), 1e-6)
    once = {np.round(look, 1).tobytes(): file for file, look in reversed(looks.items())}
    return sorted(file for file in once.values() if float((looks[file] * typical).sum(axis=1).mean()) > _DIGITLIKE)


def _masks(file: Path, height: int) -> list[Bytes]:
    """The ten digits of a font, as high as the highest one, cropped to their widths.

    Raises:
        OSError: the font cannot be read.
        ValueError: a digit is empty, or the font draws its box for missing characters.
    """
    font = ImageFont.truetype(file, height * 3 // 2)
    canvas = [_typed(font, str(digit), height) for digit in range(10)]
    missing = _typed(font, "\U000f1234", height)
    if any(not one.any() or np.array_equal(one, missing) for one in canvas):
        raise ValueError(f"{file.name} has no digits")
    rows = np.flatnonzero(np.max(canvas, axis=(0, 2)) > 50)
    cropped = [one[rows[0] : rows[-1] + 1, span(one)] for one in canvas]
    scale = height / len(cropped[0])
    return [np.asarray(cv2.resize(one, (max(3, round(one.shape[1] * scale)), height)), np.uint8) for one in cropped]


def _typed(font: ImageFont.FreeTypeFont, text: str, height: int) -> Bytes:
    picture = Image.new("L", (height * 3, height * 3))
    ImageDraw.Draw(picture).text((height // 2, height // 2), text, font=font, fill=255)
    return np.array(picture)
