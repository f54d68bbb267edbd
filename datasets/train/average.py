"""`python -m datasets.train.average runs/a/weights/epoch0.pt runs/b/weights/epoch0.pt --out runs/averaged --ship`.

The detector whose weights are the mean of several checkpoints of one training: steadier on tables that none of them saw than the
last of them (Wortsman et al., "Model soups", ICML 2022). Needs the `train` extra.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from datasets.train import detector
from datasets.train.__main__ import ship

RECIPE = Path(__file__).parents[1] / "recipes" / "detector.yaml"


def main() -> None:
    """Average, export, and with `--ship` put the result into `models/`; calibrate afterwards."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--ship", action="store_true", help="put the result into models/")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    target = options.out / "averaged.pt"
    average(options.checkpoints, target)
    file = detector.export(target)
    print(f"exported {file}")
    if options.ship:
        ship(file, yaml.safe_load(RECIPE.read_text()), {})


def average(checkpoints: Sequence[Path], target: Path) -> None:
    """Write a checkpoint with the mean of the checkpoints' weights (of their moving averages, which are what is exported).

    Raises:
        SystemExit: the networks are not of one shape.
    """
    import torch

    read = [torch.load(path, map_location="cpu", weights_only=False) for path in checkpoints]
    weights = [one["ema"].float().state_dict() for one in read]
    if any(one.keys() != weights[0].keys() for one in weights):
        raise SystemExit("these checkpoints hold networks of different shapes: average those of one training")
    mean = {name: _mean([one[name] for one in weights]) for name in weights[0]}
    kept = read[-1]
    kept["ema"].load_state_dict(mean)
    torch.save(kept, target)


def _mean(values: Sequence[Any]) -> Any:
    """Counters, such as how many batches were seen, are those of the last."""
    return sum(values) / len(values) if values[0].is_floating_point() else values[-1]


if __name__ == "__main__":
    main()
