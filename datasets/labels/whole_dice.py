"""`python -m datasets.labels.whole_dice ../shared/photos --out runs/relabelled`.

The boxes of `matteop65_top_pips` cover only the pips of the top face. This gives its dice whole-die boxes: those of the
shipped detector that hold exactly one labelled pip box. A photo is left out unless every die gets one.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

from models import load_manifest
from vision.detect.boxes import Detection, inside
from vision.detect.detector import Detector
from vision.photo import load

SOURCE = "matteop65_top_pips"


def main() -> None:
    """Write one JSON file for each photo whose dice all get a box."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    detector = Detector(load_manifest()["detector"])
    index = csv.DictReader((options.photos / "dice-train" / "index.csv").open())
    names = [row["file"] for row in index if row["folder"] == SOURCE]
    done = sum(_relabel(options.photos, name, detector, options.out) for name in names)
    print(f"{done} of {len(names)} photos given whole-die boxes")


def _relabel(photos: Path, name: str, detector: Detector, out: Path) -> bool:
    path = Path("dice-train") / SOURCE / "images" / name
    photo = load(photos / path)
    detections = [detection for detection in detector.detect(photo.pixels) if detection.score > 0.3]
    lines = (photos / path.parent.parent / "labels" / f"{path.stem}.txt").read_text().splitlines()
    dice = [_match(line, detections, photo.width, photo.height) for line in lines]
    boxes = [detection for detection, _ in dice if detection]
    if len(set(boxes)) < len(dice):
        return False
    entry = {
        "photo": str(path),
        "dice": [{"box": [f.left, f.top, f.right, f.bottom], "value": value} for f, value in dice if f],
    }
    (out / f"{path.stem}.json").write_text(json.dumps(entry))
    return True


def _match(line: str, detections: list[Detection], width: int, height: int) -> tuple[Detection | None, int]:
    kind, *numbers = line.split()
    x, y, w, h = (float(n) for n in numbers)
    pips = Detection((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height, 1.0)
    holding = [detection for detection in detections if inside(pips, detection) > 0.85 and detection.area > pips.area]
    return (holding[0] if holding else None), int(kind) + 1


if __name__ == "__main__":
    main()
