"""`python -m datasets.train datasets/recipes/locator.yaml --photos ../shared/photos --renders runs/renders`.

Trains one network as its recipe says and exports it to ONNX in `runs/NAME/`; `--ship` also puts it into `models/` and
its manifest. Needs the `train` extra. Interrupted runs go on from their last checkpoint.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from datasets import photos as labelled
from datasets.crops import Crop, cut_all, plain, vary
from models import FOLDER, load_manifest
from vision.locate import Locator

RUNS = Path("runs")


def main() -> None:
    """Train the network that the recipe names."""
    options = _options()
    recipe = yaml.safe_load(options.recipe.read_text())
    pictures = labelled.load(options.photos, options.renders, options.relabelled, recipe.get("most_renders"))
    out = RUNS / recipe["name"]
    out.mkdir(parents=True, exist_ok=True)
    kinds = {"locator": _train_yolo, "faces": _train_faces}
    file = kinds[recipe["kind"]](recipe, pictures, out, options)
    print(f"exported {file}")
    if options.ship:
        ship(
            file,
            recipe,
            json.loads((out / "calibration.json").read_text()) if (out / "calibration.json").exists() else {},
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--photos", type=Path, help="the folder with dice-train and negatives")
    parser.add_argument("--renders", type=Path, help="what `python -m datasets.render` wrote")
    parser.add_argument("--relabelled", type=Path, help="what `python -m datasets.relabel` wrote")
    parser.add_argument("--start", type=Path, help="weights to start from (locator: a YOLO11n .pt)")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--ship", action="store_true", help="put the result into models/")
    return parser.parse_args()


def ship(file: Path, recipe: dict[str, Any], calibration: dict[str, float]) -> None:
    """Copy an exported network into `models/` and write its entry in the manifest."""
    target = FOLDER / f"{recipe['ships_as']}.onnx"
    halve(file, target)
    manifest = FOLDER / "manifest.json"
    entries = json.loads(manifest.read_text())["models"] if manifest.exists() else []
    entry = {
        "name": recipe["ships_as"],
        "file": target.name,
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "size_bytes": target.stat().st_size,
        "input": recipe["input"],
        "classes": recipe["classes"],
        "licence": recipe["licence"],
        "trained": recipe["trained"],
        "calibration": calibration,
    }
    entries = sorted([e for e in entries if e["name"] != entry["name"]] + [entry], key=lambda e: str(e["name"]))
    manifest.write_text(json.dumps({"models": entries}, indent=2) + "\n")


def halve(source: Path, target: Path) -> None:
    """Write a network with its large weights in half precision, cast back when it is opened: half the file, the same speed."""
    import onnx
    from onnx import numpy_helper

    model = onnx.load(source)
    casts = []
    for tensor in model.graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if weights.dtype == np.float32 and weights.size > 256:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), f"{name}/half"))
            casts.append(onnx.helper.make_node("Cast", [f"{name}/half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, target)


# -- YOLO: the locator, and the one-stage baseline with six classes ------------------------------------------------


def _train_yolo(
    recipe: dict[str, Any], pictures: Sequence[labelled.Labelled], out: Path, options: argparse.Namespace
) -> Path:
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    import torch
    from ultralytics import YOLO

    torch.set_num_threads(options.threads)
    data = _yolo_data(recipe, pictures, out / "data")
    last = out / "weights" / "last.pt"
    start = last if last.exists() else options.start
    if start is None:
        raise SystemExit("give --start: the YOLO11n weights to begin with")
    YOLO(start).train(
        data=str(data),
        project=str(RUNS.resolve()),
        name=recipe["name"],
        exist_ok=True,
        resume=last.exists(),
        device="cpu",
        **recipe["yolo"],
    )
    best = YOLO(last)
    return Path(best.export(format="onnx", dynamic=True, simplify=True, opset=17, imgsz=640))


def _yolo_data(recipe: dict[str, Any], pictures: Sequence[labelled.Labelled], out: Path) -> Path:
    """The pictures as YOLO wants them: shrunk (a training step should not spend its time on decoding), with text labels."""
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    lists: dict[bool, list[str]] = {False: [], True: []}
    for picture in pictures:
        image = out / "images" / f"{picture.source}__{picture.path.stem}.jpg"
        width, height = _shrunk(picture.path, image, recipe["long_side"])
        rows = [
            _row(box, recipe) + _place(box, width, height) for box in picture.dice if recipe["one_class"] or box.value
        ]
        (out / "labels" / f"{image.stem}.txt").write_text("\n".join(rows))
        lists[picture.held_out].append(str(image.resolve()))
    (out / "train.txt").write_text("\n".join(lists[False]))
    (out / "val.txt").write_text("\n".join(lists[True]))
    names = dict(enumerate(recipe["classes"]))
    (out / "data.yaml").write_text(
        yaml.safe_dump({"path": str(out.resolve()), "train": "train.txt", "val": "val.txt", "names": names})
    )
    return out / "data.yaml"


def _shrunk(source: Path, target: Path, long_side: int) -> tuple[int, int]:
    """Write the picture no larger than `long_side`; give the size of the original."""
    image = cv2.imread(str(source))
    if image is None:
        raise OSError(f"cannot read {source}")
    height, width = image.shape[:2]
    if not target.exists():
        scale = min(1.0, long_side / max(width, height))
        small = (
            cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
            if scale < 1
            else image
        )
        cv2.imwrite(str(target), small, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return width, height


def _row(box: labelled.Box, recipe: dict[str, Any]) -> str:
    return "0 " if recipe["one_class"] else f"{(box.value or 1) - 1} "


def _place(box: labelled.Box, width: int, height: int) -> str:
    left, right = max(0.0, box.left) / width, min(float(width), box.right) / width
    top, bottom = max(0.0, box.top) / height, min(float(height), box.bottom) / height
    return f"{(left + right) / 2:.6f} {(top + bottom) / 2:.6f} {right - left:.6f} {bottom - top:.6f}"


# -- the face reader -----------------------------------------------------------------------------------------------


def _train_faces(
    recipe: dict[str, Any], pictures: Sequence[labelled.Labelled], out: Path, options: argparse.Namespace
) -> Path:
    import torch

    from datasets.facenet import FaceNet

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    crops = list(cut_all(pictures, np.random.default_rng(0), Locator(load_manifest()["locator"])))
    train, apart = [c for c in crops if not c.held_out], [c for c in crops if c.held_out]
    print(f"{len(train)} crops to train on, {len(apart)} held apart")
    net = FaceNet(tuple(recipe["widths"]))
    if options.start:
        net.load_state_dict(torch.load(options.start)["net"])
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe["rate"], weight_decay=0.02)
    steps = recipe["epochs"] * (recipe["crops_per_epoch"] // recipe["batch"])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe["rate"], total_steps=steps, pct_start=0.1)
    first = _resume(out / "last.pt", net, optimiser, schedule)
    for epoch in range(first, recipe["epochs"]):
        strength = min(1.0, recipe["first_strength"] + epoch / recipe["epochs"] * 2)
        loss = _epoch(net, optimiser, schedule, train, recipe, np.random.default_rng(epoch), strength)
        print(f"epoch {epoch + 1}/{recipe['epochs']}  loss {loss:.4f}  {_report(net, apart)}", flush=True)
        state = {
            "net": net.state_dict(),
            "optimiser": optimiser.state_dict(),
            "schedule": schedule.state_dict(),
            "epoch": epoch + 1,
        }
        torch.save(state, out / "last.pt")
    _calibrate(net, apart, out)
    return _export_faces(net, out / "faces.onnx")


def _resume(checkpoint: Path, net: Any, optimiser: Any, schedule: Any) -> int:
    import torch

    if not checkpoint.exists():
        return 0
    state = torch.load(checkpoint)
    net.load_state_dict(state["net"])
    optimiser.load_state_dict(state["optimiser"])
    schedule.load_state_dict(state["schedule"])
    return int(state["epoch"])


def _epoch(
    net: Any,
    optimiser: Any,
    schedule: Any,
    crops: list[Crop],
    recipe: dict[str, Any],
    rng: np.random.Generator,
    strength: float,
) -> float:
    import torch
    from torch.nn import functional

    net.train()
    weights = _weights(crops, recipe["shares"])
    picks = rng.choice(len(crops), recipe["crops_per_epoch"], p=weights)
    total, batch = 0.0, int(recipe["batch"])
    rounds = len(picks) // batch
    for i in range(rounds):
        chosen = [crops[k] for k in picks[i * batch : (i + 1) * batch]]
        pixels = torch.from_numpy(np.stack([vary(crop, rng, strength) for crop in chosen]))
        target = torch.tensor([crop.label for crop in chosen])
        loss = functional.cross_entropy(net(pixels), target, label_smoothing=recipe["smoothing"])
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        total += float(loss.item())
        if sys.stderr.isatty():
            print(f"\r{i + 1}/{rounds}", end="", file=sys.stderr)
    return total / max(1, rounds)


def _weights(crops: list[Crop], shares: dict[str, float]) -> NDArray[np.float64]:
    """How often each crop is drawn: every source and within it every class gets its share, however many crops it has."""
    groups = [(crop.source, crop.label) for crop in crops]
    counts = {group: groups.count(group) for group in set(groups)}
    weight = np.array(
        [
            shares.get(source, 1.0) * (shares["other"] if label == 0 else 1.0) / counts[source, label] ** 0.7
            for source, label in groups
        ]
    )
    return np.asarray(weight / weight.sum())


def _logits(net: Any, crops: list[Crop]) -> NDArray[np.float64]:
    import torch

    net.eval()
    with torch.no_grad():
        parts = [
            net(torch.from_numpy(np.stack([plain(c) for c in crops[i : i + 128]]))).numpy()
            for i in range(0, len(crops), 128)
        ]
    return np.concatenate(parts).astype(np.float64)


def _report(net: Any, crops: list[Crop]) -> str:
    answers = _logits(net, crops).argmax(1)
    right: dict[str, list[bool]] = {}
    for crop, answer in zip(crops, answers, strict=True):
        right.setdefault(crop.source if crop.label else "other", []).append(bool(answer == crop.label))
    return "  ".join(f"{source} {np.mean(ok):.3f}" for source, ok in sorted(right.items()))


def _calibrate(net: Any, crops: list[Crop], out: Path) -> None:
    """The temperature that makes the held-out real faces likeliest (renders are too clean to calibrate on)."""
    real = [crop for crop in crops if crop.source != "renders"]
    logits, labels = _logits(net, real), np.array([crop.label for crop in real])
    temperatures = np.geomspace(0.3, 4, 80)
    losses = [_nll(logits / t, labels) for t in temperatures]
    best = float(temperatures[int(np.argmin(losses))])
    print(f"temperature {best:.3f}: loss {min(losses):.4f} (at 1: {_nll(logits, labels):.4f})")
    (out / "calibration.json").write_text(json.dumps({"temperature": round(best, 4)}))


def _nll(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    shifted = logits - logits.max(1, keepdims=True)
    return float((np.log(np.exp(shifted).sum(1)) - shifted[np.arange(len(labels)), labels]).mean())


def _export_faces(net: Any, target: Path) -> Path:
    import torch

    from vision.faces import SIDE

    net.eval()
    axes = {"crops": {0: "n"}, "logits": {0: "n"}}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, SIDE, SIDE),),
        str(target),
        input_names=["crops"],
        output_names=["logits"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    return target


if __name__ == "__main__":
    main()
