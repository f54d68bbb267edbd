"""The photos of the test sets altered so that nothing changes for people: mirrored, turned, askew, coarser, darker, in another
light, from farther away, from afar, half in the shade, with the noise of a dim room, faint, out of focus, taken by a hand that
moved, and pressed to a few bytes.

    python -m datasets.generate.altered PHOTOS --out runs/altered

To measure on (`python -m datasets.evaluate runs/altered/mirrored`), never to train on. A reading that was looked at often
gets its photos right by their pixels, too: what it makes of the same photos altered tells more of photos to come, and ten
readings of a photo more than one. Of `dice-dev`, `dice-dev-2` and, in `domino-dev`, of boards and tables. Where PHOTOS holds
`backgrounds`, they are also shown at half the size in the midst of those of its photos that are not for measuring (`amid`).
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
"""Where a point of a photo then lies: 2 x 3, of shares of the photo's sides, which gives shares of the altered one's."""

_COARSE, _GAMMA, _DIM, _GRAIN = 0.6, 1.6, 0.6, 0.02
_WARM, _HAZE = (0.58, 0.76, 0.88), 35.0
"""Gains of blue, green and red, and what is added to each."""
_DISTANT, _AFAR, _BLUR = 2, 3, 0.02
"""How many times as wide and high the picture is of a photo from farther away and from afar, and how blurred is what lies around
it, over its longer side."""
_EDGES = 0.25
"""What lies around is blurred at this size: it has no detail to lose, and large pictures take long."""
_ASKEW = 30.0
"""Degrees by which a photo askew is turned."""
_SHADE, _PENUMBRA = 0.65, 0.01
"""How much of the light the shade takes, and how wide its edge is, over half of a side."""
_DIMMER, _NOISE, _PRESSED = 0.7, 22.0, 10
"""Of noisy photos: the light that is left, and the noise of each value; and how much pressed ones are compressed."""
_FAINT, _VEIL, _SPECK = (0.12, 0.35), 140.0, 2.0
"""Of faint photos: how much of their contrast is left, how light the veil is at most that lies over them, and the noise."""
_UNFOCUSED, _SHAKEN = 0.0032, 0.008
"""Over the longer side: how blurred a photo is that is out of focus, and how far the hand moved that held the camera."""
_DICE, _DOMINOES = ("dice-dev", "dice-dev-2"), ("board", "mixed")


@dataclass(frozen=True, slots=True)
class Alteration:
    """What becomes of a photo (BGR), where its points then lie (by its width and height), and how it is compressed."""

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
    """From so many times as far: in the midst of what looks like its table going on, its edges, blurred."""

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
    """At half the size in the midst of one of these photos, which fills the picture and is cut off where it is too long."""

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
    """Pixels above, and to the left, of a photo in the midst of a picture so many times as wide and high."""
    height, width = photo.shape[:2]
    return round((times - 1) / 2 * height), round((times - 1) / 2 * width)


def _amidst(times: int) -> Shares:
    beside = (times - 1) / 2 / times
    return (1 / times, 0, beside), (0, 1 / times, beside)


def _askew(pixels: Pixels, _: Rng) -> Pixels:
    """Turned, whole, in the midst of its blurred edges."""
    height, width = pixels.shape[:2]
    matrix, size = _turn(width, height)
    around = cv2.warpAffine(pixels, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    shown = cv2.GaussianBlur(around, (0, 0), _BLUR * max(height, width))
    inside = cv2.warpAffine(np.ones((height, width), np.uint8), matrix, size, flags=cv2.INTER_NEAREST) > 0
    shown[inside] = around[inside]
    return np.asarray(shown, np.uint8)


def _turn(width: float, height: float) -> tuple[Points, tuple[int, int]]:
    """The turn of a photo's pixels (2 x 3), and the width and height of what holds all of it."""
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), _ASKEW, 1.0)
    wide, high = (np.abs(matrix[:, :2]) @ (width, height)).round()
    matrix[:, 2] += (wide - width) / 2, (high - height) / 2
    return np.asarray(matrix, np.float64), (int(wide), int(high))


def _askew_shares(size: Points) -> Shares:
    matrix, after = _turn(*size)
    (a, b, c), (d, e, f) = (matrix * np.array([*size, 1.0]) / np.array(after)[:, None]).tolist()
    return (a, b, c), (d, e, f)


def _shaded(pixels: Pixels, rng: Rng) -> Pixels:
    """With a straight shadow over about half of it."""
    height, width = pixels.shape[:2]
    way, beside = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3)
    y, x = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)[None]
    dark = 1 / (1 + np.exp((beside - np.cos(way) * x - np.sin(way) * y) / _PENUMBRA))
    return np.asarray(pixels * (1 - _SHADE * dark[..., None]), np.uint8)


def _noisy(pixels: Pixels, rng: Rng) -> Pixels:
    return np.asarray((pixels * _DIMMER + rng.normal(0, _NOISE, pixels.shape)).clip(0, 255), np.uint8)


def _faint(pixels: Pixels, rng: Rng) -> Pixels:
    """Of a dark room, or through haze: with a part of its contrast, darker or lighter."""
    left, veil = rng.uniform(*_FAINT), rng.uniform(0, _VEIL)
    return np.asarray((pixels * left + veil + rng.normal(0, _SPECK, pixels.shape)).clip(0, 255), np.uint8)


def _unfocused(pixels: Pixels, _: Rng) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), _UNFOCUSED * max(pixels.shape)), np.uint8)


def _shaken(pixels: Pixels, rng: Rng) -> Pixels:
    """By a hand that moved straight on, somewhere."""
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
    """The photos of a set whose answers name no places."""
    if (answers := folder / "dev.json").exists():
        for entry in json.loads(answers.read_text()):
            _altered(folder / entry["file"], out / entry["file"], alteration, rng)
        (out / "dev.json").write_text(answers.read_text())


def _dominoes(folder: Path, part: str, out: Path, alteration: Alteration, rng: Rng) -> None:
    """The photos of a part whose answers name corners in pixels, or centres in shares."""
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
    """Write a photo altered. Its width and height before and after.

    Raises:
        OSError: it cannot be read.
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
    """Points of a photo of some width and height (n x 2, shares of its sides) in the altered one (shares of its sides)."""
    matrix = np.array(alteration.shares(size))
    return np.asarray(shares @ matrix[:, :2].T + matrix[:, 2], np.float64)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, help="the folder that holds dice-dev, dice-dev-2, domino-dev")
    parser.add_argument("--seed", type=int, default=7, help="of grain, noise, shadows and moves")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
