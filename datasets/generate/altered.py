"""Alters the photos of the evaluation sets in ways that change nothing for people: mirrored, turned, askew, coarser, darker,
tinted, from farther away, from afar, half in the shade, with the noise of a dim room, low-contrast, out of focus, with motion
blur, and with strong JPEG compression.

    python -m datasets.generate.altered PHOTOS --out runs/altered

For evaluation (`python -m datasets.evaluate runs/altered/mirrored`), never for training. A product that was often tuned on
the original photos may fit their very pixels; the altered ones tell more about unseen photos, and ten readings of a photo
more than one. Covers `dice-dev`, `dice-dev-2` and, in `domino-dev`, boards and tables. If PHOTOS holds
`backgrounds`, the photos are also pasted at half size into those of them that are not reserved for evaluation (`amid`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.parts.drawings import Rng
from datasets.labels.photos import MEASURED, held_out
from datasets.labels.picture_files import write_jpeg
from vision.photo import Pixels

Points = NDArray[np.float64]
Shares = tuple[tuple[float, float, float], tuple[float, float, float]]
"""The affine map (2 x 3) from a point of the photo to the altered one, both in shares of the sides."""

_COARSE, _GAMMA, _DIM, _GRAIN = 0.6, 1.6, 0.6, 0.02
_WARM, _HAZE = (0.58, 0.76, 0.88), 35.0
"""Gains of blue, green and red, and the offset added to each."""
_DISTANT, _AFAR, _BLUR = 2, 3, 0.02
"""Size of the picture around a photo from farther away and from afar, in the photo's sides, and the blur of the surroundings,
over its longer side."""
_EDGES = 0.25
"""The surroundings are blurred at this scale: they have no detail to lose, and large pictures take long."""
_ASKEW = 30.0
"""Rotation of an askew photo in degrees."""
_SHADE, _PENUMBRA = 0.65, 0.01
"""Share of the light that the shade takes, and the width of its edge, over half of a side."""
_DIMMER, _NOISE, _PRESSED = 0.7, 22.0, 10
"""Brightness and noise of noisy photos; JPEG quality of pressed ones."""
_FAINT, _VEIL, _SPECK = (0.12, 0.35), 140.0, 2.0
"""Of low-contrast photos: the range of remaining contrast, the most veil added to them, and the noise."""
_UNFOCUSED, _SHAKEN = 0.0032, 0.008
"""Over the longer side: the blur of a photo out of focus, and the path of a moving camera."""
_DICE, _DOMINOES = ("dice-dev", "dice-dev-2"), ("board", "mixed")


@dataclass(frozen=True, slots=True)
class Alteration:
    """An alteration: of the pixels (BGR), of the points (given width and height), and the JPEG quality."""

    pixels: Callable[[Pixels, Rng], Pixels]
    shares: Callable[[Points], Shares] = lambda _: ((1, 0, 0), (0, 1, 0))
    quality: int = 90


def _mirrored(pixels: Pixels, _: Rng) -> Pixels:
    return np.ascontiguousarray(pixels[:, ::-1])


def _turned(pixels: Pixels, _: Rng) -> Pixels:
    return np.ascontiguousarray(np.rot90(pixels))


def _coarse(pixels: Pixels, _: Rng) -> Pixels:
    return np.asarray(cv2.resize(pixels, None, fx=_COARSE, fy=_COARSE, interpolation=cv2.INTER_AREA), np.uint8)


def _dark(pixels: Pixels, rng: Rng) -> Pixels:
    dim = (pixels / 255) ** _GAMMA * _DIM + rng.normal(0, _GRAIN, pixels.shape)
    return np.asarray(255 * dim.clip(0, 1), np.uint8)


def _tinted(pixels: Pixels, _: Rng) -> Pixels:
    return np.asarray((pixels * np.array(_WARM) + _HAZE).clip(0, 255), np.uint8)


def _from(times: int) -> Alteration:
    """From `times` as far away: amid its own edges, continued and blurred so that they look like the table."""

    def pixels(photo: Pixels, _: Rng) -> Pixels:
        height, width = photo.shape[:2]
        down, right = _beside(times, photo)
        wider = cv2.copyMakeBorder(photo, down, down, right, right, cv2.BORDER_REPLICATE)
        small = cv2.resize(wider, None, fx=_EDGES, fy=_EDGES, interpolation=cv2.INTER_AREA)
        blurred = cv2.GaussianBlur(small, (0, 0), _EDGES * _BLUR * max(height, width))
        shown = cv2.resize(blurred, wider.shape[1::-1])
        shown[down : down + height, right : right + width] = photo
        return np.asarray(shown, np.uint8)

    return Alteration(pixels, lambda _: _amidst(times))


def _amid(grounds: Sequence[Path]) -> Alteration:
    """At half size amid one of these photos, which is scaled to fill the picture and cropped."""

    def pixels(photo: Pixels, rng: Rng) -> Pixels:
        height, width = photo.shape[:2]
        ground = _read(grounds[int(rng.integers(len(grounds)))])
        scale = _DISTANT * max(height / ground.shape[0], width / ground.shape[1])
        size = [
            max(_DISTANT * side, round(scale * its))
            for side, its in zip((width, height), ground.shape[1::-1], strict=True)
        ]
        shown = np.asarray(cv2.resize(ground, size), np.uint8)[: _DISTANT * height, : _DISTANT * width].copy()
        down, right = _beside(_DISTANT, photo)
        shown[down : down + height, right : right + width] = photo
        return shown

    return Alteration(pixels, lambda _: _amidst(_DISTANT))


def _beside(times: int, photo: Pixels) -> tuple[int, int]:
    """Pixels above and to the left of a photo centred in a picture `times` as wide and high."""
    height, width = photo.shape[:2]
    return round((times - 1) / 2 * height), round((times - 1) / 2 * width)


def _amidst(times: int) -> Shares:
    beside = (times - 1) / 2 / times
    return (1 / times, 0, beside), (0, 1 / times, beside)


def _askew(pixels: Pixels, _: Rng) -> Pixels:
    """Turned as a whole, amid its blurred edges."""
    height, width = pixels.shape[:2]
    matrix, size = _turn(width, height)
    around = cv2.warpAffine(pixels, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    shown = cv2.GaussianBlur(around, (0, 0), _BLUR * max(height, width))
    inside = cv2.warpAffine(np.ones((height, width), np.uint8), matrix, size, flags=cv2.INTER_NEAREST) > 0
    shown[inside] = around[inside]
    return np.asarray(shown, np.uint8)


def _turn(width: float, height: float) -> tuple[Points, tuple[int, int]]:
    """The rotation of a photo's pixels (2 x 3), and the width and height of a picture that holds all of it."""
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), _ASKEW, 1.0)
    wide, high = (np.abs(matrix[:, :2]) @ (width, height)).round()
    matrix[:, 2] += (wide - width) / 2, (high - height) / 2
    return np.asarray(matrix, np.float64), (int(wide), int(high))


def _askew_shares(size: Points) -> Shares:
    matrix, after = _turn(*size)
    (a, b, c), (d, e, f) = (matrix * np.array([*size, 1.0]) / np.array(after)[:, None]).tolist()
    return (a, b, c), (d, e, f)


def _shaded(pixels: Pixels, rng: Rng) -> Pixels:
    """With a straight-edged shadow over about half of it."""
    height, width = pixels.shape[:2]
    way, beside = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3)
    y, x = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)[None]
    dark = 1 / (1 + np.exp((beside - np.cos(way) * x - np.sin(way) * y) / _PENUMBRA))
    return np.asarray(pixels * (1 - _SHADE * dark[..., None]), np.uint8)


def _noisy(pixels: Pixels, rng: Rng) -> Pixels:
    return np.asarray((pixels * _DIMMER + rng.normal(0, _NOISE, pixels.shape)).clip(0, 255), np.uint8)


def _faint(pixels: Pixels, rng: Rng) -> Pixels:
    """As in a dark room, or through haze: with less contrast, darker or lighter."""
    left, veil = rng.uniform(*_FAINT), rng.uniform(0, _VEIL)
    return np.asarray((pixels * left + veil + rng.normal(0, _SPECK, pixels.shape)).clip(0, 255), np.uint8)


def _unfocused(pixels: Pixels, _: Rng) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), _UNFOCUSED * max(pixels.shape)), np.uint8)


def _shaken(pixels: Pixels, rng: Rng) -> Pixels:
    """With the motion blur of a straight camera movement in any direction."""
    far, way = max(3, round(_SHAKEN * max(pixels.shape))), rng.uniform(0, np.pi)
    across, down = np.cos(way) * far / 2, np.sin(way) * far / 2
    path = np.zeros((2 * far + 1,) * 2, np.float32)
    cv2.line(path, (round(far - across), round(far - down)), (round(far + across), round(far + down)), 1.0)
    return np.asarray(cv2.filter2D(pixels, -1, path / path.sum(), borderType=cv2.BORDER_REPLICATE), np.uint8)


def _as_it_is(pixels: Pixels, _: Rng) -> Pixels:
    return pixels


ALTERATIONS = {
    "mirrored": Alteration(_mirrored, lambda _: ((-1, 0, 1), (0, 1, 0))),
    "turned": Alteration(_turned, lambda _: ((0, 1, 0), (-1, 0, 1))),
    "askew": Alteration(_askew, _askew_shares),
    "coarse": Alteration(_coarse, quality=40),
    "dark": Alteration(_dark),
    "tinted": Alteration(_tinted),
    "distant": _from(_DISTANT),
    "afar": _from(_AFAR),
    "shaded": Alteration(_shaded),
    "noisy": Alteration(_noisy),
    "faint": Alteration(_faint, quality=75),
    "unfocused": Alteration(_unfocused, quality=85),
    "shaken": Alteration(_shaken, quality=85),
    "pressed": Alteration(_as_it_is, quality=_PRESSED),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write every alteration as a folder of sets."""
    options = _options(arguments)
    grounds = sorted(p for p in (options.photos / "backgrounds").rglob("*.jpg") if not held_out(p.name, MEASURED))
    alterations = ALTERATIONS | ({"amid": _amid(grounds)} if grounds else {})
    for name in track(list(alterations), "altering"):
        rng = np.random.default_rng(options.seed)
        for own in _DICE:
            _dice(options.photos / own, options.out / name / own, alterations[name], rng)
        for part in _DOMINOES:
            _dominoes(options.photos / "domino-dev", part, options.out / name / "domino-dev", alterations[name], rng)
    print(f"{', '.join(alterations)} in {options.out}")


def _dice(folder: Path, out: Path, alteration: Alteration, rng: Rng) -> None:
    """Alter the photos of a set whose ground truth has no positions."""
    if (answers := folder / "dev.json").exists():
        for entry in json.loads(answers.read_text()):
            _altered(folder / entry["file"], out / entry["file"], alteration, rng)
        (out / "dev.json").write_text(answers.read_text())


def _dominoes(folder: Path, part: str, out: Path, alteration: Alteration, rng: Rng) -> None:
    """Alter the photos of a part whose ground truth has corners in pixels, or centres in shares."""
    if not (answers := folder / f"{part}.json").exists():
        return
    entries: list[dict[str, Any]] = json.loads(answers.read_text())
    for entry in entries:
        before, after = _altered(folder / entry["file"], out / entry["file"], alteration, rng)
        for tile in entry["tiles"] if part == "board" else ():
            tile["quad"] = (_moved(np.array(tile["quad"]) / before, alteration, before) * after).tolist()
        for centre in entry.get("tile_centres", ()):
            centre[:2] = _moved(np.array([centre[:2]]), alteration, before)[0].tolist()
    (out / answers.name).write_text(json.dumps(entries, indent=1) + "\n")


def _altered(photo: Path, target: Path, alteration: Alteration, rng: Rng) -> tuple[Points, Points]:
    """Write an altered photo; returns its width and height before and after.

    Raises:
        OSError: the photo cannot be read.
    """
    pixels = _read(photo)
    shown = alteration.pixels(pixels, rng)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_jpeg(target, shown, alteration.quality)
    return np.array(pixels.shape[1::-1], float), np.array(shown.shape[1::-1], float)


def _read(photo: Path) -> Pixels:
    pixels = cv2.imread(str(photo), cv2.IMREAD_COLOR)
    if pixels is None:
        raise OSError(f"cannot read {photo}")
    return np.asarray(pixels, np.uint8)


def _moved(shares: Points, alteration: Alteration, size: Points) -> Points:
    """Points of a photo (n x 2, in shares of its sides) mapped to the altered one; `size` is the photo's width and height."""
    matrix = np.array(alteration.shares(size))
    return np.asarray(shares @ matrix[:, :2].T + matrix[:, 2], np.float64)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, help="the folder that holds dice-dev, dice-dev-2, domino-dev")
    parser.add_argument("--seed", type=int, default=7, help="seed of grain, noise, shadows and motion")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
