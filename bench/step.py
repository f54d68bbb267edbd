"""`python bench/step.py`: a training step in float32 and in bfloat16, side by side. Needs the `train` extra.

Measures what `datasets.train.precision` gains on this machine: detector at 512 px with 16 pictures, dice classifier with 64.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from ultralytics.nn.tasks import OBBModel

sys.path.insert(0, str(Path(__file__).parent.parent))

from datasets.train.dice_net import dice_net
from datasets.train.precision import bfloat16_pays
from vision.classify.dice import CLASSES, SIDE

OUT = Path(__file__).with_suffix(".json")
_ROUNDS = 5


def main() -> None:
    """Time both networks in both precisions in turn; print and write the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/step.json)")
    options = parser.parse_args()
    detector, reader = OBBModel("yolo11n-obb.yaml", nc=2, verbose=False), dice_net("yolo11n.yaml", SIDE, len(CLASSES))
    steps = {
        "detector": _step(
            detector, torch.rand(16, 3, 512, 512), lambda out: sum(part.float().mean() for part in _parts(out))
        ),
        "reader": _step(reader, torch.rand(64, 3, SIDE, SIDE), lambda out: out.float().mean()),
    }
    done = {name: _timed(step) for name, step in steps.items()}
    figures = {"bfloat16": bfloat16_pays(), "threads": torch.get_num_threads(), "seconds": done}
    options.out.write_text(json.dumps(figures, indent=1) + "\n")
    table = Table("network", "full", "short", title="seconds per step, median of five")
    for name, (full, short) in done.items():
        table.add_row(name, f"{full:.2f}", f"{short:.2f}")
    Console().print(table)


def _parts(out: dict[str, Any]) -> list[torch.Tensor]:
    return [part for part in out.values() if isinstance(part, torch.Tensor)]


def _step(net: torch.nn.Module, pixels: torch.Tensor, loss: Callable[[Any], Any]) -> Callable[[bool], None]:
    def step(short: bool) -> None:
        layout = torch.channels_last if short else torch.contiguous_format
        net.train().to(memory_format=layout)
        with torch.autocast("cpu", torch.bfloat16, enabled=short):
            out = net(pixels.to(memory_format=layout))
        loss(out).backward()

    return step


def _timed(step: Callable[[bool], None]) -> tuple[float, float]:
    took: dict[bool, list[float]] = {False: [], True: []}
    for short in (False, True) * (_ROUNDS + 1):
        start = time.perf_counter()
        step(short)
        took[short].append(time.perf_counter() - start)
    return round(statistics.median(took[False][1:]), 3), round(statistics.median(took[True][1:]), 3)


if __name__ == "__main__":
    main()
