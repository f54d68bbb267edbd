"""Reading QR codes back, as a phone does."""

from __future__ import annotations

import re

import cv2
import numpy as np
import numpy.typing as npt

_HALVES = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_SCALE, _MARGIN = 6, 12


def decoded(picture: npt.NDArray[np.uint8]) -> str:
    # OpenCV's other detector fails on one sharp code in a hundred, which a random token makes a matter of chance.
    text, _, _ = cv2.QRCodeDetectorAruco().detectAndDecode(picture)
    return text


def shown_codes(terminal: str) -> list[str]:
    """What the codes say that are drawn in half blocks, in turn, as light modules on dark."""
    blocks: list[list[str]] = [[]]
    for line in _COLOURS.sub("", terminal).splitlines():
        if line and set(line) <= set(_HALVES):
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return [decoded(_picture(block)) for block in blocks if block]


def _picture(block: list[str]) -> npt.NDArray[np.uint8]:
    rows = [[_HALVES[char][half] for char in line] for line in block for half in (0, 1)]
    # The last half row is below the code.
    modules = np.array(rows[: len(block[0])], np.uint8)
    picture = np.kron(modules, np.ones((_SCALE, _SCALE), np.uint8))
    return np.pad(picture, _MARGIN, constant_values=255)
