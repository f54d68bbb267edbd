"""Photos of dominoes warped to a lower camera by homographies of the table, several times each.

    python -m datasets.generate.slanted PHOTOS/domino-dev --seed 8 --out runs/slanted

For evaluation (`python -m datasets.evaluate runs/slanted`), never for training: the photos are those of the evaluation sets. The
tiles are real, but as flat as their photo: for a table seen from above this is nearly what a low camera sees, except for the
sides of the tiles. Uses photos in which all tile positions are known; `OUT/board.json` has the format of `domino-dev/board.json`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.parts.drawings import Rng
from datasets.labels import truth
from datasets.labels.picture_files import write_jpeg
from vision.photo import Pixels

UP = (30.0, 50.0)
"""The range of the camera's elevation over the table, in degrees."""
_LOW = 40.0
"""Elevations below this are reported separately."""
_AWAY = (2.2, 3.0)
"""Range of the camera's distance from the centre of the table, in halves of the photo's longer side."""
_LONG_SIDES = (800, 1280)
_CENTRE = 10.0
"""Radius in pixels within which a tile must be found if only its centre is known."""
_QUALITY = 88

Points = NDArray[np.float64]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures and `board.json`."""
    options = _options(arguments)
    (options.out / "board").mkdir(parents=True, exist_ok=True)
    photos = [photo for photo in _photos(options.folder) if _fits(photo)]
    rng = np.random.default_rng(options.seed)
    entries = [
        _made(photo, rng, options.out, view) for photo in track(photos, "photos") for view in range(options.views)
    ]
    (options.out / "board.json").write_text(json.dumps(entries, indent=1) + "\n")
    print(f"{len(entries)} views of {len(photos)} photos in {options.out}")


def _photos(folder: Path) -> Iterator[truth.Truth]:
    for part in ("board", "mixed"):
        if (folder / part).is_dir():
            yield from truth.load(folder / part)


def _fits(photo: truth.Truth) -> bool:
    unknown = photo.ambiguous or photo.face_down or photo.unclear
    return bool(photo.pieces) and not unknown and all(piece.placed for piece in photo.pieces)


def _made(photo: truth.Truth, rng: Rng, out: Path, view: int) -> dict[str, Any]:
    """Write one view; returns its entry."""
    pixels = np.asarray(cv2.imread(str(photo.path), cv2.IMREAD_COLOR), np.uint8)
    up = float(rng.uniform(*UP))
    size, there = seen_from(pixels.shape[:2], up, rng)
    name = f"board/{photo.path.stem[-60:].replace(' ', '_')}_{view}.jpg"
    write_jpeg(out / name, _warped(pixels, there, size), _QUALITY)
    tiles = [{"ends": list(piece.face), "quad": _quad(piece, there).tolist()} for piece in photo.pieces]
    return {"file": name, "source": f"{photo.part}, {'low' if up < _LOW else 'high'}", "tiles": tiles}


def seen_from(shape: tuple[int, ...], up: float, rng: Rng) -> tuple[tuple[int, int], Points]:
    """The size of the picture of a camera at an elevation over a randomly turned table, and the homography into it.

    Args:
        shape: of the photo on the table.
        up: the elevation in degrees.
        rng: for the turn, the distance and the size.
    """
    height, width = shape[:2]
    half, turn, away = max(height, width) / 2, rng.uniform(0, 2 * np.pi), rng.uniform(*_AWAY)
    c, s, sin, cos = np.cos(turn), np.sin(turn), np.sin(np.radians(up)), np.cos(np.radians(up))
    on_table = np.array([[1 / half, 0, -width / 2 / half], [0, 1 / half, -height / 2 / half], [0, 0, 1]])
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    camera = np.array([[1, 0, 0], [0, sin, 0], [0, -cos, away]])
    plane = camera @ turned @ on_table
    corners = _moved(np.array([[0, 0], [width, 0], [width, height], [0, height]], float), plane)
    low, high = corners.min(0), corners.max(0)
    scale = float(rng.choice(_LONG_SIDES)) / (high - low).max()
    x, y = np.ceil((high - low) * scale).astype(int).tolist()
    return (x, y), np.array([[scale, 0, -scale * low[0]], [0, scale, -scale * low[1]], [0, 0, 1]]) @ plane


def _warped(pixels: Pixels, there: Points, size: tuple[int, int]) -> Pixels:
    """The photo warped by a homography; if it shrinks, it is sampled twice as densely first."""
    times = 2 if pixels.shape[1] > size[0] else 1
    large = (size[0] * times, size[1] * times)
    view = cv2.warpPerspective(pixels, np.diag([times, times, 1.0]) @ there, large, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.uint8)


def _quad(piece: truth.Piece, there: Points) -> Points:
    if piece.outline is not None:
        return _moved(np.array(piece.outline, float), there)
    around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _CENTRE
    return _moved(np.array([piece.centre], float), there) + around


def _moved(points: Points, there: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(points[None], there)[0], np.float64)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="domino-dev, or a folder with the same layout")
    parser.add_argument("--views", type=int, default=2, help="number per photo")
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
