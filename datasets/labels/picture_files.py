"""Pictures written whole or not at all: `cv2.imwrite` says of a full disk only that it returns False."""

from __future__ import annotations

from pathlib import Path

import cv2

from vision.photo import Pixels


def write_jpeg(file: Path, picture: Pixels, quality: int) -> None:
    """Write a picture (BGR, or grey) as JPEG of some quality (0 to 100); if that is interrupted, what was there before stays.

    Raises:
        OSError: it cannot be written.
    """
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    part = file.with_suffix(".part")
    part.write_bytes(coded.tobytes())
    part.replace(file)
