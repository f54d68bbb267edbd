"""`python -m datasets.train.calibrate --photos ../shared/photos --renders runs/renders`

Fits, for dice and for tiles, how the scores of detector and classifier combine into the probability that a detection is what it
is read as (`vision.candidate.Calibration`), on held-out pictures (`datasets.labels.photos.held_out`): tables, photos
without any piece, photos of other dice, pasted scenes. Writes it into the manifest.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.generate.camera.scenes import degrade
from datasets.generate.parts.paint import squares
from datasets.labels import photos as labelled
from models import FOLDER, load_manifest
from vision.candidate import Candidate, evidence
from vision.detect.boxes import SHAPES, Detection, Shape, iou, upright
from vision.photo import Photo, load
from vision.reader import NETWORKS, TableReader

Row = tuple[Shape, float, float, float, float, bool, bool]
"""Shape of the detection, its evidence for a piece (`vision.candidate.evidence`), whether the picture is a generated scene, and
whether the detection is what it is read as."""
_ESTRANGED = 1
"""Number of degraded copies of each picture, beside the original."""
START = {"detector": 0.5, "classifier": 0.5, "back": 0.0, "blank": 0.0, "offset": 0.0}
"""The initial weights of the fit, named as in `vision.candidate.Calibration`."""
NAMES = tuple(START)
_SAME, _APART = 0.5, 0.2
"""Intersection over union from which a detection is a labelled piece, and below which it is not."""


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--renders", type=Path, nargs="*", default=[])
    parser.add_argument("--only", nargs="+", choices=NAMES, help="fit only these weights; keep the others")
    options = parser.parse_args()
    pictures = held_apart(labelled.load(options.photos, options.renders))
    rows = list(detections(pictures))
    for shape in SHAPES:
        mine = [row for row in rows if row[0] == shape]
        before = load_manifest()[NETWORKS[shape]].calibration if options.only else {}
        start = [before.get(name, value) for name, value in START.items()]
        fitted = fit(mine, start=start, free=options.only or NAMES)
        weights = dict(zip(NAMES, (round(float(weight), 4) for weight in fitted), strict=True))
        print(f"{shape}: {len(mine)} detections, {sum(row[-1] for row in mine)} right: {weights}")
        _write(NETWORKS[shape], weights)


def held_apart(pictures: Iterable[labelled.Labelled]) -> list[labelled.Labelled]:
    """The pictures to calibrate on: held out, without unlabelled dice, no crops."""
    return [
        picture
        for picture in pictures
        if picture.held_out and picture.shows != "crop" and picture.source not in labelled.UNLABELLED
    ]


def detections(pictures: Iterable[labelled.Labelled]) -> Iterator[Row]:
    """Every detection on every picture and on its degraded copies. One that half covers a piece of the kind that it is read as is
    neither right nor wrong, and left out.
    """
    reader, rng = TableReader(), np.random.default_rng(0)
    for picture in track(list(pictures), "detecting"):
        photo = load(picture.path)
        for seen in (photo, *(_estranged(photo, rng) for _ in range(_ESTRANGED))):
            yield from _judged(reader.candidates(seen), picture)


def _estranged(photo: Photo, rng: np.random.Generator) -> Photo:
    """The photo degraded once more: confidence on pictures like the training data says little about other people's tables."""
    return dataclasses.replace(photo, pixels=degrade(rng, squares(photo.pixels), even=False), scale=1)


def _judged(candidates: Iterable[Candidate], picture: labelled.Labelled) -> Iterator[Row]:
    """A detection is right if it covers a piece of the kind that it is read as, and wrong if it covers another or none."""
    for candidate in candidates:
        same = [box for box in picture.pieces if box.kind == candidate.kind]
        best = max((_shared(candidate.detection, box) for box in same), default=0.0)
        if not _APART < best < _SAME:
            scene = picture.source == "renders"
            yield candidate.detection.shape, *evidence(candidate.detection, candidate.face), scene, best >= _SAME


def _shared(detection: Detection, box: labelled.Box) -> float:
    """Intersection over union: of rotated outlines for dominoes, otherwise of upright boxes."""
    turned = detection.quad is not None and box.quad is not None
    return iou(detection, box if turned else upright(box))


def fit(
    rows: Sequence[Row],
    ridge: float = 1.0,
    steps: int = 50,
    *,
    start: Sequence[float] = tuple(START.values()),
    free: Sequence[str] = NAMES,
) -> NDArray[np.float64]:
    """Logistic regression by Newton's method: a weight for each of `NAMES`.

    Args:
        rows: scenes and photos get the same total weight, for there are many more scenes.
        ridge: strength of the ridge penalty that holds the weights (not the offset) near `start`.
        steps: iterations of Newton's method.
        start: the initial weights.
        free: the weights to fit; the others keep their initial value.
    """
    table = np.array([(*row[1:-2], 1.0) for row in rows])
    truth, drawn = np.array([row[-1] for row in rows], float), np.array([row[-2] for row in rows])
    shares = np.where(drawn, 1.0, drawn.sum() / max(1, (~drawn).sum()) or 1.0)
    shares *= len(rows) / shares.sum()
    fitted = np.isin(NAMES, list(free))
    weights, penalty = np.array(start, float), ridge * np.diag([float(name != "offset") for name in NAMES])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (shares * (chance - truth)) + penalty @ (weights - start)
        bend = (table * (shares * chance * (1 - chance))[:, None]).T @ table + penalty
        weights[fitted] -= np.linalg.solve(bend[np.ix_(fitted, fitted)], slope[fitted])
    return weights


def _write(network: str, numbers: dict[str, float]) -> None:
    path = FOLDER / "manifest.json"
    manifest = json.loads(path.read_text())
    entry = next(entry for entry in manifest["models"] if entry["name"] == network)
    entry["calibration"] |= numbers
    path.write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main()
