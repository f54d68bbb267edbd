"""The labelled training pictures: licensed photos and renders, as one list.

Photos come from the shared folder (not part of the project; `--photos` names it), renders from
`python -m datasets.generate.blender`.
"""

from __future__ import annotations

import csv
import itertools
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from vision.reading import Quad

SOURCES = ("dicewatcher", "epanemu", "n3_pxl", "n3_fisheye_grey")
"""Folders of `dice-train` whose boxes cover the whole die."""
TURNABLE = ("dicewatcher", "n3_fisheye_grey")
"""Sources with a vertical camera: a crop may be turned by any angle without showing a side face as the top."""
CROPPED = ("chaseelliottpatterson", "tomitomi3")
"""Sources in `dice-more` whose pictures are cut around one die and named by its value."""
UNLABELLED = ("n3_fisheye_grey",)
"""Sources in whose photos some dice have no label: no detection there can count as a false positive."""
MEASURED = 5
"""One photo of `backgrounds` in this many is reserved for evaluation, and in no list of this module."""


@dataclass(frozen=True, slots=True)
class Box:
    """A labelled piece: left, top, right, bottom in pixels; the value of a die, 0 for no piece, None for unreadable.

    "other die" is a die that is not read (d4, d8, d10, d20, a cube without pips), without a value; "other" is no die at all.
    """

    left: float
    top: float
    right: float
    bottom: float
    value: int | None
    turnable: bool = False
    """Whether the face still reads the same when the crop is turned (a steep view from above)."""
    kind: Literal["d6", "d12", "domino", "other die", "other"] = "d6"
    ends: tuple[int | None, int | None] | None = None
    """Of a domino; (None, None) face down, None where the pips are not readable."""
    quad: Quad | None = None
    """Of a domino, or of a false one: its face, corner 0 to 1 a long side, the first end between corners 0 and 3."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture with its pieces. `held_out`: not for training, but for model selection and calibration.

    `shows`: a "table" on which every piece has a box (or which has none), one "other die" without a labelled box, or a "crop" cut
    around a die.
    """

    path: Path
    source: str
    boxes: tuple[Box, ...] = field(default=())
    held_out: bool = False
    shows: Literal["table", "other die", "crop"] = "table"

    @property
    def dice(self) -> tuple[Box, ...]:
        """The pip dice among the pieces."""
        return tuple(box for box in self.boxes if box.kind == "d6")

    @property
    def pieces(self) -> tuple[Box, ...]:
        """Everything but look-alikes."""
        return tuple(box for box in self.boxes if box.kind != "other")


def held_out(name: str, share: int = 12) -> bool:
    """Hold out one in `share` pictures, by a hash of the name, so that the choice is the same in every run."""
    return zlib.crc32(name.encode()) % share == 0


def load(
    photos: Path | None, renders: Sequence[Path] = (), relabelled: Path | None = None, most_renders: int | None = None
) -> list[Labelled]:
    """All pictures in the given folders; a folder that is None is skipped. At most `most_renders` of each folder of renders.

    Raises:
        FileNotFoundError: a given folder does not exist or is empty.
    """
    found: list[Labelled] = []
    if photos:
        found += [*_real(photos), *_negatives(photos), *_mixed(photos), *_more(photos), *_backgrounds(photos)]
    for folder in renders:
        found += list(itertools.islice(_rendered(folder), most_renders))
    if photos and relabelled:
        found += list(_relabelled(photos, relabelled))
    if not found:
        raise FileNotFoundError("no training pictures; give --photos or --renders")
    return found


def _real(photos: Path) -> Iterator[Labelled]:
    rows = csv.DictReader((photos / "dice-train" / "index.csv").read_text().splitlines())
    sizes = {(row["folder"], row["file"]): row for row in rows}
    for (source, name), row in sizes.items():
        if source not in SOURCES:
            continue
        path = photos / "dice-train" / source / "images" / name
        labels = path.parent.parent / "labels" / f"{path.stem}.txt"
        boxes = tuple(
            _yolo(line, int(row["width"]), int(row["height"]), source in TURNABLE)
            for line in labels.read_text().splitlines()
        )
        yield Labelled(path, source, boxes, held_out(path.name))


def _yolo(line: str, width: int, height: int, turnable: bool) -> Box:
    kind, *numbers = line.split()
    x, y, w, h = (float(n) for n in numbers)
    return Box(
        (x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height, int(kind) + 1, turnable
    )


def _negatives(photos: Path) -> Iterator[Labelled]:
    for path in sorted((photos / "negatives").glob("*.jpg")):
        yield Labelled(path, "negatives", (), held_out(path.name), "other die")


def _mixed(photos: Path) -> Iterator[Labelled]:
    """Pip dice among other dice, each with its box."""
    labels = photos / "mixed-train" / "labels.json"
    for entry in json.loads(labels.read_text()) if labels.exists() else ():
        boxes = tuple(_mixed_box(piece) for piece in entry["pieces"])
        path = labels.parent / entry["file"]
        yield Labelled(path, "mixed", boxes, held_out(path.name))


def _mixed_box(piece: dict[str, Any]) -> Box:
    left, top, right, bottom = piece["box"]
    pips = piece["kind"] == "pip d6"
    return Box(left, top, right, bottom, piece["value"] if pips else None, kind="d6" if pips else "other die")


def _more(photos: Path) -> Iterator[Labelled]:
    """Crops of single dice with pips, and photos of one other die each."""
    index = photos / "dice-more" / "index.csv"
    for row in csv.DictReader(index.read_text().splitlines()) if index.exists() else ():
        path, source = index.parent / row["file"], row["file"].partition("+")[0]
        if path.suffix != ".jpg":
            continue
        if source not in CROPPED:
            yield Labelled(path, source, (), held_out(path.name), "other die")
        else:
            yield Labelled(path, source, (_whole(path, row["label"]),), held_out(path.name), "crop")


def _whole(path: Path, label: str) -> Box:
    """The box of a die that fills its picture; kind "other" if the label is no number."""
    with Image.open(path) as picture:
        wide, high = picture.size
    if label.isdigit():
        return Box(0, 0, wide, high, int(label), turnable=True)
    return Box(0, 0, wide, high, 0, turnable=True, kind="other")


def backgrounds(folder: Path, *, apart: bool = False) -> list[Path]:
    """The photos of a folder that are not reserved for evaluation, in order; or, with `apart`, those that are."""
    return [file for file in sorted(folder.rglob("*.jpg")) if held_out(file.name, MEASURED) is apart]


def _backgrounds(photos: Path) -> Iterator[Labelled]:
    for path in backgrounds(photos / "backgrounds"):
        yield Labelled(path, "backgrounds", (), held_out(path.name))


def _rendered(folder: Path) -> Iterator[Labelled]:
    for path in sorted((folder / "labels").glob("*.json")):
        boxes = tuple(_render_box(piece) for piece in json.loads(path.read_text())["pieces"])
        kept = tuple(box for box in boxes if box)
        yield Labelled(folder / "images" / f"{path.stem}.jpg", "renders", kept, held_out(path.stem))


def _render_box(piece: dict[str, Any]) -> Box | None:
    left, top, right, bottom = (float(n) for n in piece["box"])
    if piece["kind"] == "other":
        return Box(left, top, right, bottom, 0, True, "other", quad=_quad(piece["quad"]) if "quad" in piece else None)
    if float(piece.get("hidden", 0)) > 0.75:
        return None
    if piece["kind"] == "other die":
        return Box(left, top, right, bottom, None, kind="other die")
    readable = float(piece["top_seen"]) >= 0.7 and min(right - left, bottom - top) >= 17
    turnable = float(piece["view"]) > 58
    if piece["kind"] == "domino":
        ends = tuple(piece["ends"]) if readable else None
        return Box(left, top, right, bottom, None, turnable, "domino", ends, _quad(piece["quad"]))
    return Box(left, top, right, bottom, piece["value"] if readable else None, turnable, piece["kind"])


def _quad(corners: Sequence[Sequence[float]]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)


def _relabelled(photos: Path, folder: Path) -> Iterator[Labelled]:
    """The `matteop65_top_pips` photos with whole-die boxes made by `python -m datasets.labels.whole_dice`."""
    for path in sorted(folder.glob("*.json")):
        entry = json.loads(path.read_text())
        boxes = []
        for die in entry["dice"]:
            left, top, right, bottom = die["box"]
            boxes.append(Box(left, top, right, bottom, die["value"]))
        yield Labelled(photos / entry["photo"], "matteop65", tuple(boxes), held_out(path.stem))
