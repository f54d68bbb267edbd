"""Trains the classifier of tile ends: a small residual network on crops of the ends."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from datasets.labels import photos as labelled
from datasets.train.crops import Crop
from datasets.train.learning import Learning
from datasets.train.onnx_export import export
from datasets.train.prefetch import made_ahead
from datasets.train.resume_from_onnx import start_from
from datasets.train.temperature import calibrate
from datasets.train.training_crops import TrainingCrops, training_crops


def train(
    recipe: dict[str, Any], pictures: Sequence[labelled.Labelled], out: Path, options: argparse.Namespace
) -> Path:
    """Train as the recipe says, resuming from the last checkpoint in `out` if any; calibrate and export to ONNX."""
    import torch

    from datasets.train.face_net import FaceNet

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    backgrounds = labelled.backgrounds(options.photos / "backgrounds") if options.photos else []
    data = training_crops(recipe, pictures, out, backgrounds)
    train, apart = [c for c in data.crops if not c.held_out], [c for c in data.crops if c.held_out]
    print(f"{len(train)} crops to train on, {len(apart)} held out", flush=True)
    net = FaceNet(tuple(recipe["widths"]), len(recipe["classes"]))
    if options.start:
        some = np.random.default_rng(0).choice(len(train), min(len(train), 512), replace=False)
        start_from(net, options.start, torch.from_numpy(np.stack([data.plain(train[i]) for i in some])))
    rounds = recipe["crops_per_epoch"] // recipe["batch"]
    learning = Learning(net, recipe["epochs"] * rounds, ((net.parameters(), recipe["rate"]),))
    learning.resume(out / "last.pt")
    for epoch in range(learning.step // rounds, recipe["epochs"]):
        strength = min(1.0, recipe["first_strength"] + epoch / recipe["epochs"] * 2)
        _epoch(learning, train, data.vary, recipe, np.random.default_rng(epoch), strength, options.workers)
        told = f"loss {learning.recent:.4f}  {_report(net, apart, data)}"
        print(f"epoch {epoch + 1}/{recipe['epochs']}  {told}", flush=True)
        learning.keep(out / "last.pt")
    _calibrate(net, apart, data, out)
    return export(net, (data.side, data.side), out / f"{recipe['name']}.onnx")


def _epoch(
    learning: Learning,
    crops: list[Crop],
    vary: Callable[[Crop, np.random.Generator, float], NDArray[np.float32]],
    recipe: dict[str, Any],
    rng: np.random.Generator,
    strength: float,
    workers: int,
) -> None:
    import torch
    from torch.nn import functional

    weights = _weights(crops, recipe["shares"])
    picks = rng.choice(len(crops), recipe["crops_per_epoch"], p=weights)
    batch, seed = int(recipe["batch"]), int(rng.integers(2**31))

    def make(step: int) -> tuple[NDArray[np.float32], list[int]]:
        own = np.random.default_rng((seed, step))
        chosen = [crops[k] for k in picks[step * batch : (step + 1) * batch]]
        return np.stack([vary(crop, own, strength) for crop in chosen]), [crop.label for crop in chosen]

    steps = range(len(picks) // batch)
    for pixels, labels in track(made_ahead(make, steps, workers), "training on ends", len(steps), transient=True):
        answers = learning.answers(torch.from_numpy(pixels))
        learning.learn(functional.cross_entropy(answers, torch.tensor(labels), label_smoothing=recipe["smoothing"]))


def _weights(crops: list[Crop], shares: dict[str, float]) -> NDArray[np.float64]:
    """The sampling probability of each crop: by source and class, growing more slowly than their number of crops."""
    groups = [(crop.source, crop.label) for crop in crops]
    counts = Counter(groups)
    weight = np.array(
        [
            shares.get(source, 1.0) * (shares["other"] if label == 0 else 1.0) / counts[source, label] ** 0.7
            for source, label in groups
        ]
    )
    return np.asarray(weight / weight.sum())


def _logits(net: Any, crops: list[Crop], data: TrainingCrops) -> NDArray[np.float64]:
    import torch

    net.eval()
    with torch.no_grad():
        parts = [
            net(torch.from_numpy(np.stack([data.plain(c) for c in crops[i : i + 128]]))).numpy()
            for i in range(0, len(crops), 128)
        ]
    return np.concatenate(parts).astype(np.float64)


def _report(net: Any, crops: list[Crop], data: TrainingCrops) -> str:
    answers = _logits(net, crops, data).argmax(1)
    right: dict[str, list[bool]] = {}
    for crop, answer in zip(crops, answers, strict=True):
        right.setdefault(crop.source if crop.label else "other", []).append(bool(answer == crop.label))
    return "  ".join(f"{source} {np.mean(ok):.3f}" for source, ok in sorted(right.items()))


def _calibrate(net: Any, crops: list[Crop], data: TrainingCrops, out: Path) -> None:
    """Fit the temperature on held-out crops: on real ones where there are some, for renders are too clean."""
    real = [crop for crop in crops if crop.source not in ("renders", "drawn")] or crops
    calibrate(_logits(net, real, data), np.array([crop.label for crop in real]), out)
