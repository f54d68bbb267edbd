"""Sets of dice and tiles unlike any training data: emblems, symbols in place of pips, odd colours, clear and white on white.

    python -m datasets.generate.composite.house_sets --out runs/house-sets

Set k of a seed is one maker's set: `photos` photos of throws on three tables, as `images/` and `labels/` in its own folder, with
the labels of `datasets.generate.blender`. The same command gives the same pictures.

Some pieces show nothing: their top is overexposed, or their pips look like the specks around them. So each photo is drawn
again with bare tops, and the labels record how much the marks change (`contrast`, `noise`): without a change they are unreadable.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import cv2
import numpy as np
from rich.progress import track

from datasets.generate.camera.scenes import degrade
from datasets.generate.composite import files
from datasets.generate.composite.backgrounds import Ground, drawn
from datasets.generate.composite.boxes import Canvas
from datasets.generate.composite.numbered import DieMaker, lay_set
from datasets.generate.composite.scenes import Scene, canvas_for, kept, lay_tiles
from datasets.generate.composite.tiles import Ink, Look, look
from datasets.generate.drawn.dice_scenes import Standing, pip_die
from datasets.generate.drawn.materials import any_light
from datasets.generate.drawn.render_die import Marks, Rounding, any_rounding
from datasets.generate.parts.canvas import Bytes, Floats, Picture, Rng
from datasets.generate.parts.colours import any_colour
from datasets.generate.parts.layouts.spots import Spot, collides, deck
from datasets.generate.parts.pips import any_emblem, any_pips
from datasets.generate.parts.solids import bag, lying, numbering
from datasets.generate.parts.tile_faces import Style, tile_style

KINDS = (
    *("emblem on 1", "emblem on 6", "emblem on 1", "emblem on 6", "symbols", "symbols", "symbols", "symbols"),
    *("no contrast", "no contrast", "clear", "clear", "white on white", "odd pips"),
    *("logo on blank", "logo on blank", "logo on blank", "tiles with symbols", "tiles with symbols", "faint tiles"),
)
"""The peculiarity of each of the sets."""
_TABLES = 3
_TRIES = 40
_LOWEST = 48.0
"""Least elevation of the camera over the table, in degrees."""
_LEAST = 40
"""Least inked pixels of an emblem; smaller ones are hardly visible."""
_FINEST = 0.02
"""Of a piece's shorter side: finer detail does not make a mark."""
_Thrown = Callable[[Rng, int], Scene]


@dataclass(frozen=True)
class DiceSet:
    """Dice of one maker: their marks, their material and their rounding."""

    kind: str
    standing: Standing
    marks: Marks
    seed: int
    size: float

    def maker(self, value: int, ink: Ink = "own") -> DieMaker:
        """A die of the set that shows a value; `ink`: that of the marks on its top."""

        def make(rng: Rng) -> tuple[Standing, Rounding]:
            body, top = lying(rng, bag(6), 0.02)
            die = replace(self.standing.die, body=body, values=numbering(rng, body, top, value))
            marks = _inked(self.marks, value, ink)
            return Standing(die, marks, value, cube=True), any_rounding(np.random.default_rng(self.seed), cube=True)

        return make


def _inked(marks: Marks, value: int, ink: Ink) -> Marks:
    """The marks of a die, with another ink on the faces of that value."""

    def other(shown: int) -> tuple[Bytes, Floats | None]:
        mask, colour = marks(shown)
        if shown != value or ink == "own":
            return mask, colour
        return (np.zeros_like(mask), colour) if ink == "none" else (mask, np.full(3, float(ink == "white")))

    return other


def house_set(seed: int, k: int, ink: Ink = "own") -> _Thrown:
    """The function that throws set k: a scene of some of its pieces on table 0, 1 or 2; `ink`: that of their marks."""
    rng = np.random.default_rng((seed, k))
    kind = KINDS[k % len(KINDS)]
    if "tiles" in kind or "blank" in kind:
        return _tiles(rng, kind, seed + k, ink)
    chosen = dice_set(rng, kind, seed + k)
    return lambda rng, table: throw(rng, chosen, rng.integers(1, 7, int(rng.integers(2, 6))).tolist(), table, ink)


# Dice


def dice_set(rng: Rng, kind: str, seed: int) -> DiceSet:
    """Dice with the peculiarity `kind`, one of `KINDS`; `seed`: for their tables and their shape."""
    standing = pip_die(rng, 1)
    style = any_pips(rng)
    if kind == "symbols":
        style = replace(style, emblems=dict(enumerate(_emblems(rng, 6), 1)), frame=0.0, colours={})
    elif kind.startswith("emblem"):
        style = replace(style, emblems={int(kind[-1]): _emblems(rng, 1)[0]}, shape="disc", worn=0.0)
    elif kind == "odd pips":
        style = replace(style, shape="star", radius=0.2, colours={n: any_colour(rng) for n in range(1, 7)})
    else:
        style = replace(style, emblems={}, shape="disc", colours={}, one=1.0, worn=0.0)
    masks = {value: style.mask(value) for value in range(1, 7)}

    def marks(value: int) -> tuple[Bytes, Floats | None]:
        return masks[value], style.colours.get(value)

    return DiceSet(kind, _made_of(rng, standing, kind), marks, seed, float(rng.uniform(0.09, 0.16)))


def _made_of(rng: Rng, standing: Standing, kind: str) -> Standing:
    """The die in the material of its kind."""
    material = standing.die.material
    paint = np.empty_like(material.paint)
    if kind == "clear":
        material = replace(material, glass=0.62, metal=0.0, gloss=0.8, ink=np.full(3, 0.95))
    elif kind == "white on white":
        paint[:] = rng.uniform(0.9, 0.98)
        material = replace(material, paint=paint, ink=np.full(3, 0.72), glass=0.0, metal=0.0)
    elif kind == "no contrast":
        colour = any_colour(rng)
        paint[:] = colour
        way = -1 if colour.mean() > 0.5 else 1
        material = replace(
            material, paint=paint, ink=np.clip(colour + way * 0.14, 0, 1), glass=0.0, metal=0.0, engraved=0.4
        )
    return replace(standing, die=replace(standing.die, material=material))


def throw(rng: Rng, chosen: DiceSet, values: Sequence[int], table: int, ink: Ink = "own") -> Scene:
    """A photo of dice of a set that show these values, as far as there is room for them, on one of its tables.

    `ink`: that of the marks on their tops; nothing else depends on it.
    """
    fixed = np.random.default_rng((chosen.seed, table))
    style = _plain_style(fixed)
    white = chosen.kind == "white on white"
    if white:
        style = replace(style, body=(0.93, 0.93, 0.91))
    ground = drawn(fixed, style, "like on like" if white else "any")
    light = any_light(fixed)
    canvas = _seen_well(rng, ground, [Spot(0, 0, 0, (0, 0))], 2.0)
    makers = [chosen.maker(value, ink) for value in values]
    labels = lay_set(rng, canvas, makers, chosen.size * max(canvas.size), light)
    return degrade(rng, canvas.pixels, even=True), labels


def _seen_well(rng: Rng, ground: Ground, spots: Sequence[Spot], long: float) -> Canvas:
    """The ground from as high a camera as players use to read the tops."""
    fresh = ground.pixels.copy()
    for _ in range(_TRIES):
        canvas = canvas_for(rng, replace(ground, pixels=fresh.copy()), spots, long)
        if canvas.camera.elevation((0.0, 0.0, 0.0)) > _LOWEST:
            break
    return canvas


def _emblems(rng: Rng, count: int) -> list[Bytes]:
    """Emblems that differ clearly from each other."""
    found: list[Bytes] = []
    for _ in range(_TRIES):
        emblem = any_emblem(rng)
        apart = all(float(np.abs(emblem.astype(float) - other).mean()) > 20 for other in found)
        if len(found) < count and apart and int((emblem > 0).sum()) > _LEAST:
            found.append(emblem)
    if len(found) < count:
        raise RuntimeError(f"only {len(found)} of {count} emblems differ")
    return found


# Tiles


def _plain_style(rng: Rng) -> Style:
    return tile_style(rng, 6)


def _tiles(rng: Rng, kind: str, seed: int, ink: Ink) -> _Thrown:
    chosen = look(rng, dark=False)
    style = replace(chosen.style, set_size=6)
    if kind == "logo on blank":
        style = replace(style, emblems={0: _emblems(rng, 1)[0]})
    elif kind == "tiles with symbols":
        style = replace(style, emblems=dict(enumerate(_emblems(rng, 7))))
    else:
        body = np.array(style.body)
        way = -0.13 if body.mean() > 0.5 else 0.13
        faint = tuple(float(n) for n in np.clip(body + way, 0, 1))
        style = replace(style, pips=(faint,) * 13)  # type: ignore[arg-type]
    chosen = replace(chosen, style=style, ink=ink)

    def lay(rng: Rng, table: int) -> Scene:
        fixed = np.random.default_rng((seed, table))
        ground = drawn(fixed, chosen.style, "any")
        spots = _strewn(rng, chosen)
        canvas = _seen_well(rng, ground, spots, chosen.long)
        spots = kept(rng, canvas, ground, chosen, spots)
        labels = lay_tiles(rng, canvas, chosen, spots, ground)
        labels = [{**label, "marked": [bool(end) or end in style.emblems for end in label["ends"]]} for label in labels]
        return degrade(rng, canvas.pixels, even=True), labels

    return lay


def _strewn(rng: Rng, chosen: Look) -> list[Spot]:
    tiles, found = deck(rng, 6, chosen.long), list[Spot]()
    count = int(rng.integers(2, 6))
    for _ in range(6 * count):
        spot = Spot(rng.uniform(-2.6, 2.6), rng.uniform(-1.8, 1.8), rng.uniform(0, 2 * math.pi), (0, 0))
        if len(found) < count and not collides(spot, found, chosen.long + 0.2):
            found.append(replace(spot, ends=tiles.take()))
    return found


# Labels


def labelled(seed: int, k: int, n: int) -> Scene:
    """Photo `n` of set k; its labels record how visible each piece's marks are.

    `contrast`: the mean change by the piece's marks, in levels of 255, where they are; `noise`: the standard deviation of the
    picture there without them. For a tile, those of the end with the lower contrast; blanks have no marks.
    """
    inks: tuple[Ink, ...] = get_args(Ink)
    drawn = {ink: house_set(seed, k, ink)(np.random.default_rng((seed, k, n)), n % _TABLES) for ink in inks}
    pictures = {ink: picture.astype(np.float32) for ink, (picture, _) in drawn.items()}
    picture, pieces = drawn["own"]
    return picture, [{**piece, **_seen(pictures, piece)} for piece in pieces]


def _seen(pictures: Mapping[Ink, Picture], piece: Mapping[str, Any]) -> dict[str, float]:
    quad = np.array(piece["quad"], np.float32)
    parts = [quad]
    if piece["kind"] == "domino":
        # The first end lies between corners 0 and 3.
        a, b = (quad[0] + quad[1]) / 2, (quad[2] + quad[3]) / 2
        ends = np.array([quad[0], a, b, quad[3]]), np.array([a, quad[1], quad[2], b])
        parts = [end for end, marked in zip(ends, piece["marked"], strict=True) if marked]
    found = [_contrast(pictures, part) for part in parts]
    contrast, varies = min(found, default=(255.0, 0.0))
    return {"contrast": round(contrast, 1), "noise": round(varies, 1)}


def _contrast(pictures: Mapping[Ink, Picture], outline: Picture) -> tuple[float, float]:
    """How much the marks change a part of the picture where they are, and how much it varies without them."""
    bare, height, width = pictures["none"], *pictures["none"].shape[:2]
    part = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(part, np.round(outline).astype(np.int32), 1)
    # Either black or white ink shows on a top of any colour.
    loud = np.maximum(*(np.abs(pictures[ink] - bare).max(2) for ink in ("black", "white"))) * part
    marks = loud > loud.max() / 2
    if not loud.max():
        return 0.0, 0.0
    finest = _FINEST * float(np.ptp(outline, axis=0).min())
    change = np.abs(cv2.GaussianBlur(pictures["own"] - bare, (0, 0), max(finest, 0.5)))
    return float(change.max(2)[marks].mean()), float(bare.mean(2)[marks].std())


# Files


def write(out: Path, seed: int, k: int, photos: int) -> None:
    """Write the photos of one set that are still missing."""
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for n in range(photos):
        labels = out / "labels" / f"{n:03d}.json"
        if labels.exists():
            continue
        files.write(labels, *labelled(seed, k, n), quality=88)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7018)
    parser.add_argument("--photos", type=int, default=30, help="number per set")
    options = parser.parse_args(arguments)
    for k in track(range(len(KINDS)), "sets"):
        write(options.out / f"{k:02d} {KINDS[k]}", options.seed, k, options.photos)


if __name__ == "__main__":
    main()
