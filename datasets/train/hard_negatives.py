"""`python -m datasets.train.hard_negatives runs/pasted71 --out runs/mined`.

Collects the shipped detector's false tiles on our own pictures: they teach the classifier of ends more than any drawn
negatives. Makes a folder like the given one (the pictures are links to its pictures), whose labels have
these false detections as pieces of kind "other". Held-out pictures are left out.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.progress import track

from datasets.labels.photos import held_out
from models import load_manifest
from vision.detect.boxes import Detection, Outline, inside
from vision.detect.detector import Detector
from vision.photo import load

_SHARED = 0.1
"""The largest share of a false detection that any one tile may cover: two halves of neighbouring tiles are no useful negatives,
two dice that lie flush are."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the labels that are still missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, help="use only the first N pictures")
    options = parser.parse_args(arguments)
    for part in ("images", "labels"):
        (options.out / part).mkdir(parents=True, exist_ok=True)
    detector = Detector(load_manifest()["detector"])
    labels = [path for path in sorted((options.folder / "labels").glob("*.json")) if not held_out(path.stem)]
    done = [_mined(path, detector, options.out) for path in track(labels[: options.most], "mining")]
    print(f"{sum(done)} false detections on {len(done)} pictures")


def _mined(label: Path, detector: Detector, out: Path) -> int:
    """Write the false detections of a picture, and return their number."""
    target = out / "labels" / label.name
    if target.exists():
        return 0
    picture = label.parent.parent / "images" / f"{label.stem}.jpg"
    link = out / "images" / picture.name
    if not link.exists():
        os.link(picture, link)
    scene = json.loads(label.read_text())
    false = list(_false(detector.detect(load(picture).pixels), scene["pieces"]))
    target.write_text(json.dumps(scene | {"pieces": scene["pieces"] + false}))
    return len(false)


def _false(detections: Sequence[Detection], pieces: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The detected tiles that cover no tile."""
    tiles = [Outline.around(piece["quad"]) for piece in pieces if piece["kind"] == "domino"]
    for detection in detections:
        if detection.shape == "tile" and all(inside(detection, tile) < _SHARED for tile in tiles):
            box = (detection.left, detection.top, detection.right, detection.bottom)
            yield {"kind": "other", "box": box, "quad": detection.corners}


if __name__ == "__main__":
    main()
