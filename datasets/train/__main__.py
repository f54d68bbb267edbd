"""`python -m datasets.train datasets/recipes/detector.yaml --photos ../shared/photos --renders runs/renders`.

Trains one network as its recipe says and exports it to ONNX in `runs/NAME/`; `--ship` also puts it into `models/` and
its manifest. Needs the `train` extra. Interrupted runs resume from their last checkpoint.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import yaml

from datasets.labels import photos as labelled
from datasets.train import classifier, detector, dice, marks, numerals, outlines, pairs
from datasets.train.stored import shorten
from models import FOLDER

RUNS = Path("runs")


def main() -> None:
    """Train the network that the recipe names."""
    options = _options()
    recipe = yaml.safe_load(options.recipe.read_text())
    pictures = _pictures(options, recipe)
    out = RUNS / recipe["name"]
    out.mkdir(parents=True, exist_ok=True)
    kinds = {
        "detector": detector.train,
        "dice": dice.train,
        "marks": marks.train,
        "numerals": numerals.train,
        "ends": classifier.train,
        "outlines": outlines.train,
        "pairs": pairs.train,
    }
    file = kinds[recipe["kind"]](recipe, pictures, out, options)
    print(f"exported {file}")
    if options.ship:
        ship(
            file,
            recipe,
            json.loads((out / "calibration.json").read_text()) if (out / "calibration.json").exists() else {},
        )


def _pictures(options: argparse.Namespace, recipe: dict[str, Any]) -> list[labelled.Labelled]:
    """The labelled pictures; none are needed for a classifier that learns from drawn crops."""
    if not options.photos and not options.renders and ("drawn" in recipe or options.drawn):
        return []
    return labelled.load(options.photos, options.renders, options.relabelled, recipe.get("most_renders"))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--photos", type=Path, help="the folder with dice-train, mixed-train, backgrounds, …")
    parser.add_argument(
        "--renders", type=Path, nargs="*", default=[], help="what `python -m datasets.generate.blender` wrote"
    )
    parser.add_argument("--relabelled", type=Path, help="what `python -m datasets.labels.whole_dice` wrote")
    parser.add_argument("--start", type=Path, help="weights to start from: an .onnx of models/, or a checkpoint")
    parser.add_argument(
        "--drawn",
        type=Path,
        nargs="*",
        help="dice, numerals, marks: what `python -m datasets.generate.drawn` (or its `marked_sets`) wrote",
    )
    parser.add_argument("--cuts", type=Path, help="dice: crops of photos; made from --photos if missing")
    parser.add_argument(
        "--steps", type=int, help="instead of the recipe's, for detector, dice, numerals, marks, outlines, pairs"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes or threads that cut or augment crops")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--device", default="cpu", help="detector: where to train: cpu, or cuda (a graphics card)")
    parser.add_argument("--ship", action="store_true", help="put the result into models/")
    return parser.parse_args()


def ship(file: Path, recipe: dict[str, Any], calibration: dict[str, float]) -> None:
    """Copy an exported network into `models/` and write its entry in the manifest.

    Keys missing from `calibration` keep their old value: runs that start from a shipped network can rarely fit all anew.
    """
    target = FOLDER / f"{recipe['ships_as']}.onnx"
    shorten(file, target, int(recipe.get("bits", 16)))
    manifest = FOLDER / "manifest.json"
    entries = json.loads(manifest.read_text())["models"] if manifest.exists() else []
    before: dict[str, float] = next((each["calibration"] for each in entries if each["name"] == recipe["ships_as"]), {})
    entry = {
        "name": recipe["ships_as"],
        "file": target.name,
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "size_bytes": target.stat().st_size,
        "input": recipe["input"],
        "classes": recipe["classes"],
        "licence": recipe["licence"],
        "trained": recipe["trained"],
        "calibration": before | calibration,
    }
    entries = sorted([e for e in entries if e["name"] != entry["name"]] + [entry], key=lambda e: str(e["name"]))
    manifest.write_text(json.dumps({"models": entries}, indent=2) + "\n")


if __name__ == "__main__":
    main()
