"""`python -m datasets.train.hard_negatives runs/pasted71 --out runs/mined`.

What the shipped locator takes for a tile in a picture of ours and is none is worth more to the reader of ends than anything
one could think of drawing. This makes a folder like the given one (the pictures are links to its pictures), its labels with
these false finds added as pieces of kind "other". Pictures that are held apart from training are left out.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.progress import track

from datasets.labels.photos import held_out
from models import load_manifest
from vision.detect.detector import Find, Locator
from vision.photo import load

_SHARED = 0.1
"""Of its area, what a false find shares with any one tile at the most: half a tile and its neighbour's half are no lesson.
Two dice that lie flush are one."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the labels that are still missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, help="of the pictures, the first so many")
    options = parser.parse_args(arguments)
    for part in ("images", "labels"):
        (options.out / part).mkdir(parents=True, exist_ok=True)
    locator = Locator(load_manifest()["locator"])
    labels = [path for path in sorted((options.folder / "labels").glob("*.json")) if not held_out(path.stem)]
    done = [_mined(path, locator, options.out) for path in track(labels[: options.most], "mining")]
    print(f"{sum(done)} false finds on {len(done)} pictures")


def _mined(label: Path, locator: Locator, out: Path) -> int:
    """How many false finds were written for a picture."""
    target = out / "labels" / label.name
    if target.exists():
        return 0
    picture = label.parent.parent / "images" / f"{label.stem}.jpg"
    link = out / "images" / picture.name
    if not link.exists():
        os.link(picture, link)
    scene = json.loads(label.read_text())
    false = list(_false(locator.find(load(picture).pixels), scene["pieces"]))
    target.write_text(json.dumps(scene | {"pieces": scene["pieces"] + false}))
    return len(false)


def _false(finds: Sequence[Find], pieces: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The tiles among the finds that cover no tile."""
    outlines = [np.array(piece["quad"], np.float32) for piece in pieces if piece["kind"] == "domino"]
    for find in finds:
        if find.kind == "domino" and all(_common(find, outline) < _SHARED * find.area for outline in outlines):
            box = (find.left, find.top, find.right, find.bottom)
            yield {"kind": "other", "box": box, "quad": find.corners}


def _common(find: Find, outline: Any) -> float:
    return float(cv2.intersectConvexConvex(np.array(find.corners, np.float32), cv2.convexHull(outline))[0])


if __name__ == "__main__":
    main()
