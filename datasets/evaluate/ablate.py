"""`python -m datasets.evaluate.ablate --renders RENDERS --plain PLAIN --start LOCATOR.onnx --photos PHOTOS`

Measures what each part of the renderer is worth on real photos. The same detector is trained repeatedly from the same start, for
the same number of pictures, on sets of scenes that differ in one thing; each replaces the shipped one in the product
and is measured on held-out photos. Only detection is compared: the classifiers stay the shipped ones.

Without look-alikes: scenes that contain none. Without lens and sensor: the same scenes as rendered (`--raw` of the farm
keeps them). Without material variety: scenes of the same seed rendered with `--set materials=plain` (`--plain`).

The start must not have learned from what is left out, or the ablation shows no effect: give a plain YOLO11n-obb .pt, or a
detector from before the scenes; any path will do.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

from datasets.evaluate.measuring import fresh, measure, summary
from datasets.labels.photos import Labelled, load
from datasets.labels.truth import Truth
from datasets.labels.truth import load as truths_of
from datasets.train import detector
from models import Manifest, load_manifest
from vision import photo
from vision.reader import TableReader
from vision.reading import Reading

RECIPE = Path(__file__).parents[1] / "recipes" / "ablation.yaml"
PARTS = ("dice-dev", "domino-dev/mixed", "domino-dev/board", "domino-dev/crops")
_EVERY = {"domino-dev/crops": 5}
"""Only every fifth crop is used: there are many, and they are alike."""
Change = Callable[[list[Labelled]], list[Labelled]]


def main() -> None:
    """Train and measure every variant that has no result yet; print and write all."""
    options = _options()
    recipe = yaml.safe_load(RECIPE.read_text())
    options.out.parent.mkdir(parents=True, exist_ok=True)
    done = json.loads(options.out.read_text()) if options.out.exists() else {}
    for name, pictures in _variants(options).items():
        if name not in done:
            reader = TableReader(_trained(name, pictures, recipe, options))
            done[name] = {"pictures": len(pictures), **figures_on(reader, options.photos, PARTS)}
            options.out.write_text(json.dumps(done, indent=1) + "\n")
    _show(done)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renders", type=Path, nargs="+", required=True)
    parser.add_argument("--plain", type=Path, nargs="*", default=[])
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument(
        "--count", type=int, default=240, help="scenes of the full renderer; half and twice follow from it"
    )
    parser.add_argument("--steps", type=int, help="training steps, in place of the recipe's")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1, help="threads that prepare the training pictures")
    parser.add_argument("--device", default="cpu", help="where to train: cpu, or cuda (a graphics card)")
    parser.add_argument("--runs", type=Path, default=Path("runs/ablations"))
    parser.add_argument("--out", type=Path, default=Path("bench/ablations.json"))
    return parser.parse_args()


def _variants(options: argparse.Namespace) -> dict[str, list[Labelled]]:
    scenes, n = load(None, options.renders), options.count
    if len(scenes) < 2 * n:
        raise SystemExit(f"{len(scenes)} scenes are too few for twice {n}: render more, or give a smaller --count")
    bare = [scene for scene in scenes if all(box.kind not in ("other", "other die") for box in scene.boxes)]
    variants = {
        "full": scenes[:n],
        "half the scenes": scenes[: n // 2],
        "twice the scenes": scenes[: 2 * n],
        "without look-alikes": bare[:n],
        "without lens and sensor": [_raw(scene) for scene in scenes[:n]],
    }
    if options.plain:
        variants["without material variety"] = load(None, options.plain)[:n]
    else:
        print("left out: without material variety (give --plain)")
    short = [name for name, pictures in variants.items() if len(pictures) < n // 2]
    if short:
        raise SystemExit(f"too few scenes for: {', '.join(short)}")
    return variants


def _raw(scene: Labelled) -> Labelled:
    return dataclasses.replace(scene, path=scene.path.parent.parent / "raw" / scene.path.name)


def _trained(name: str, pictures: Sequence[Labelled], recipe: dict[str, Any], options: argparse.Namespace) -> Manifest:
    """The installed networks with the detector trained on `pictures`; every variant sees the same total number of pictures."""
    out = options.runs / name.replace(" ", "-")
    out.mkdir(parents=True, exist_ok=True)
    shown = [dataclasses.replace(picture, held_out=False) for picture in pictures]
    file = detector.train(recipe, shown, out, options)
    shipped = load_manifest()
    return replaced(shipped, "detector", file, shipped["detector"].calibration, recipe["classes"])


def replaced(
    manifest: Manifest, name: str, file: Path, calibration: Mapping[str, float], classes: Sequence[str] | None = None
) -> Manifest:
    """The manifest with one network's file replaced, and if given its classes."""
    digest, before = hashlib.sha256(file.read_bytes()).hexdigest(), manifest[name]
    other = dataclasses.replace(
        before,
        file=str(file.resolve()),
        sha256=digest,
        calibration=calibration,
        classes=tuple(classes or before.classes),
    )
    return Manifest(tuple(other if model.name == name else model for model in manifest.models))


def figures_on(reader: TableReader, photos: Path, parts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The figures of a reader on parts of the folder of photos, each over all photos of new tables."""
    return {part: summary(fresh(measure(_truths(photos, part), lambda each: _read(reader, each)))) for part in parts}


def _truths(photos: Path, part: str) -> Sequence[Truth]:
    return truths_of(photos / part)[:: _EVERY.get(part, 1)]


def _read(reader: TableReader, truth: Truth) -> Reading:
    return reader.read(photo.load(truth.path))


def _show(done: dict[str, Any]) -> None:
    table = Table("trained on", "scenes", *PARTS, title="photos exact, pieces right, extra")
    for name, row in done.items():
        cells = [f"{row[p]['exact_share']:.1%}, {row[p]['recall']:.1%}, {row[p]['extra']}" for p in PARTS]
        table.add_row(name, str(row["pictures"]), *cells)
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
