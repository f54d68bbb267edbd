"""Writes pictures atomically: on a full disk `cv2.imwrite` only returns False."""

from __future__ import annotations

from pathlib import Path

import cv2

from vision.photo import Pixels


def write_jpeg(file: Path, picture: Pixels, quality: int) -> None:
    """Write a picture (BGR, or grey) as JPEG of a quality from 0 to 100; if interrupted, the earlier file stays.

    Raises:
        OSError: it cannot be written.
    """
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    part = file.with_suffix(".part")
    part.write_bytes(coded.tobytes())
    part.replace(file)
