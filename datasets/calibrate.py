"""`python -m datasets.calibrate --photos ../shared/photos --renders runs/renders`

Fits how locator and face reader together make one chance that a find is a pip die (`vision.doubt.Belief`), on the pictures
that training never saw (`datasets.photos.held_out`), and writes it into the manifest beside the temperature.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets import photos as labelled
from datasets.crops import overlap
from models import FOLDER, load_manifest
from vision.doubt import log_odds
from vision.faces import FaceReader
from vision.locate import Locator
from vision.photo import load

Row = tuple[float, float, bool]
"""Log odds of the locator, log odds of the face reader, and whether it is a pip die."""


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--renders", type=Path)
    options = parser.parse_args()
    apart = [picture for picture in labelled.load(options.photos, options.renders) if picture.held_out]
    rows = list(finds(apart))
    weights = fit(rows).tolist()
    print(f"{len(rows)} finds, {sum(row[2] for row in rows)} of them dice: {dict(zip(NAMES, weights, strict=True))}")
    _write(dict(zip(NAMES, (round(w, 4) for w in weights), strict=True)))


NAMES = ("belief_locator", "belief_faces", "belief_offset")


def finds(pictures: Iterable[labelled.Labelled]) -> Iterator[Row]:
    """Every find on every picture. One that half covers a labelled die is neither right nor wrong, and left out."""
    manifest = load_manifest()
    locator, faces = Locator(manifest["locator"]), FaceReader(manifest["faces"])
    for picture in pictures:
        pixels = load(picture.path).full()
        found = locator.find(pixels)
        for find, face in zip(found, faces.read([(pixels, find) for find in found]), strict=True):
            best = max((overlap(find, box) for box in picture.dice), default=0.0)
            if not 0.2 < best < 0.5:
                yield log_odds(find.score), log_odds(1 - face.other), best >= 0.5


def fit(rows: Sequence[Row], ridge: float = 1.0, steps: int = 50) -> NDArray[np.float64]:
    """Logistic regression by Newton's method, held back by a small ridge: weight, weight, offset."""
    table = np.array([(a, b, 1.0) for a, b, _ in rows])
    truth = np.array([row[2] for row in rows], float)
    weights = np.array([0.5, 0.5, 0.0])
    penalty = ridge * np.diag([1.0, 1.0, 0.0])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (chance - truth) + penalty @ (weights - 0.5)
        bend = (table * (chance * (1 - chance))[:, None]).T @ table + penalty
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def _write(numbers: dict[str, float]) -> None:
    path = FOLDER / "manifest.json"
    manifest = json.loads(path.read_text())
    entry = next(entry for entry in manifest["models"] if entry["name"] == "faces")
    entry["calibration"] |= numbers
    path.write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main()
