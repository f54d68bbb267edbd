"""`python -m datasets.train.average models/marks.onnx runs/marks/marks.onnx --shares 0.3 0.7 --recipe marks --out runs/mean`.

Averages the weights of several networks of one training, such as the shipped one and one fine-tuned from it: on unseen tables
the mean is steadier than the last of them (Wortsman et al., "Model soups", ICML 2022).

Needs the `train` extra.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from datasets.train.__main__ import ship
from datasets.train.stored import is_shortened, weights_of

_RECIPES = Path(__file__).parents[1] / "recipes"


def main() -> None:
    """Average, export, and with `--ship` put the result into `models/`; calibrate afterwards."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", type=Path, nargs="+", help="exported networks")
    parser.add_argument("--shares", type=float, nargs="+", help="weight of each network (default: equal)")
    parser.add_argument("--recipe", default="detector", help="the recipe with which they were trained")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--ship", action="store_true", help="put the result into models/")
    options = parser.parse_args()
    shares = options.shares or [1 / len(options.networks)] * len(options.networks)
    if len(shares) != len(options.networks) or abs(sum(shares) - 1) > 1e-6:
        parser.error("give each network a share; the shares must add up to 1")
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "averaged.onnx"
    average(options.networks, shares, file)
    print(f"exported {file}")
    if options.ship:
        ship(file, yaml.safe_load((_RECIPES / f"{options.recipe}.yaml").read_text()), {})


def average(networks: Sequence[Path], shares: Sequence[float], target: Path) -> None:
    """Write an exported network whose weights are the mean of several; all but the last may be shipped (shortened) ones.

    Raises:
        SystemExit: the networks have different shapes, or the last is shipped already.
    """
    import onnx
    from onnx import numpy_helper

    read = [onnx.load(path) for path in networks]
    stored = [weights_of(each.graph) for each in read]
    means = _means(stored, shares, lambda values: values.dtype.kind == "f")
    kept = read[-1]
    if is_shortened(kept.graph):
        raise SystemExit(f"{networks[-1]} is a shipped network: name it first, and an exported one last")
    for tensor in kept.graph.initializer:
        tensor.CopyFrom(numpy_helper.from_array(means[tensor.name].astype(stored[-1][tensor.name].dtype), tensor.name))
    onnx.save(kept, target)


def _means(
    weights: Sequence[Mapping[str, Any]], shares: Sequence[float], counts: Callable[[Any], bool]
) -> dict[str, Any]:
    """The mean weights, by name; entries that are no weights, such as the batch counter, are taken from the last network."""
    if any(_shapes(one, counts) != _shapes(weights[0], counts) for one in weights):
        raise SystemExit("these networks have different shapes: average networks of one training")
    return {
        name: sum(share * _float(one[name]) for share, one in zip(shares, weights, strict=True))
        if counts(last)
        else last
        for name, last in weights[-1].items()
    }


def _shapes(weights: Mapping[str, Any], counts: Callable[[Any], bool]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(values.shape) for name, values in weights.items() if counts(values)}


def _float(values: Any) -> Any:
    return values.astype(np.float32) if isinstance(values, np.ndarray) else values


if __name__ == "__main__":
    main()
