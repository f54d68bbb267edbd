"""Training the detector: YOLO11n with oriented boxes, on photos and renders (ultralytics)."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import yaml
from rich.progress import track

from datasets.labels import photos as labelled
from datasets.train.detector_views import closeup, part, poor, shape_of
from datasets.train.dice_crops import the_die
from datasets.train.precision import bfloat16_pays
from datasets.train.resume_from_onnx import from_onnx
from models import load_manifest
from vision.detect.boxes import SHAPES, Detection
from vision.detect.detector import Detector

_STATISTICS = 48
"""Pictures on which a shipped network's statistics are measured before it is trained on."""

_VALIDATED = 64
"""Pictures held apart that ultralytics looks at in the end."""
_FRESH = 4.0
"""How much faster the head for angles learns."""
_SURE, _SECOND = 0.25, 0.4
"""Score from which the one die of a photo is where the shipped detector finds it, unless it finds a second from this on."""


def train(
    recipe: dict[str, Any], pictures: Sequence[labelled.Labelled], out: Path, options: argparse.Namespace
) -> Path:
    """Train as the recipe says, from `out`'s last checkpoint if there is one, and export to ONNX."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    from ultralytics import YOLO

    data = _data(recipe, pictures, out / "data")
    last = out / "weights" / "last.pt"
    YOLO(last if last.exists() else _start(recipe, out, options.start)).train(
        trainer=_trainer(options.threads),
        data=str(data),
        project=str(out.parent.resolve()),
        name=out.name,
        exist_ok=True,
        resume=last.exists(),
        device="cpu",
        **recipe["yolo"],
    )
    return export(last)


def export(checkpoint: Path) -> Path:
    """Write a checkpoint's network as ONNX beside it, for pictures of any size."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    from ultralytics import YOLO

    return Path(YOLO(checkpoint).export(format="onnx", dynamic=True, simplify=True, opset=17, imgsz=640))


def _trainer(threads: int) -> Any:
    import torch
    from ultralytics.models.yolo.obb import OBBTrainer

    class Going(OBBTrainer):
        """Trains the very network it is given; ultralytics would build one with a narrower head and drop what does not fit.

        With bfloat16, and colours last in memory, which ultralytics does on graphics cards only.
        """

        def _setup_train(self) -> None:
            super()._setup_train()
            torch.set_num_threads(threads)  # ultralytics leaves one core to the loader, which hardly needs it
            self.amp = self.device.type == "cpu" and bfloat16_pays()
            self.model.to(memory_format=torch.channels_last)

        def optimizer_step(self) -> None:
            """The learning rate falls with every step: ultralytics lowers it between epochs, of which a leg has one or two."""
            steps = math.ceil(len(self.train_loader) / self.accumulate)
            self.taken = 1 + getattr(self, "taken", self.start_epoch * steps)
            falling = 1 - (1 - self.args.lrf) * self.taken / (self.epochs * steps)
            for group in self.optimizer.param_groups:
                group["lr"] = min(group["lr"], group["initial_lr"] * falling)
            super().optimizer_step()

        def preprocess_batch(self, batch: Any) -> Any:
            batch = super().preprocess_batch(batch)
            batch["img"] = batch["img"].contiguous(memory_format=torch.channels_last)
            return batch

        def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:  # noqa: ARG002
            net = weights.float()
            net.init_criterion = lambda: _criterion(net)
            return net

        def save_model(self) -> None:
            """A checkpoint holds the network alone: the criterion of this training is not part of it."""
            kept = self.model.__dict__.pop("init_criterion"), self.ema.ema.__dict__.pop("init_criterion", None)
            super().save_model()
            self.model.init_criterion, self.ema.ema.init_criterion = kept

        def build_optimizer(self, model: Any, *given: Any, **options: Any) -> Any:
            """The head for angles may be new where all else is trained: it learns faster."""
            optimiser = super().build_optimizer(model, *given, **options)
            fresh = {id(weight) for weight in model.model[-1].cv4.parameters()}
            moved = [weight for group in optimiser.param_groups for weight in group["params"] if id(weight) in fresh]
            for group in optimiser.param_groups:
                group["params"] = [weight for weight in group["params"] if id(weight) not in fresh]
            rest = {key: value for key, value in optimiser.param_groups[0].items() if key not in ("params", "lr")}
            optimiser.add_param_group(rest | {"params": moved, "lr": optimiser.param_groups[0]["lr"] * _FRESH})
            return optimiser

    return Going


def _criterion(net: Any) -> Any:
    """The loss of oriented boxes, but with an angle that counts in half turns.

    That of ultralytics takes quarter turns for equal, and so pulls a tile that stands across the guess away from its angle.
    Weighted by how far from square the box is: of a square no turn can be seen.
    """
    import torch
    from ultralytics.utils.loss import v8OBBLoss

    class HalfTurns(v8OBBLoss):
        """See above. Computed in full precision: a coordinate in bfloat16 would be off by pixels."""

        def loss(self, preds: Any, batch: Any) -> Any:
            whole = {key: _whole(value) for key, value in preds.items()}
            with torch.autocast(self.device.type, enabled=False):
                return super().loss(whole, batch)

        def calculate_angle_loss(self, found: Any, truth: Any, mask: Any, weight: Any, total: Any, *_: Any) -> Any:
            turned = torch.sin(found[mask][:, 4] - truth[mask][:, 4]) ** 2
            slim = 1 - (truth[mask][:, 3] / truth[mask][:, 2].clamp_min(1e-6)).clamp(0, 1) ** 2
            return (turned * slim * weight).sum() / total

    return HalfTurns(net)


def _whole(value: Any) -> Any:
    return [part.float() for part in value] if isinstance(value, list) else value.float()


def _start(recipe: dict[str, Any], out: Path, start: Path | None) -> Path:
    if start is None:
        raise SystemExit("give --start: the weights to begin with, such as models/detector.onnx or a YOLO11n .pt")
    if start.suffix != ".onnx":
        return start
    some = [Path(line) for line in (out / "data" / "train.txt").read_text().splitlines()]
    chosen = np.random.default_rng(0).choice(len(some), min(len(some), _STATISTICS), replace=False)
    return from_onnx(start, recipe["architecture"], SHAPES, [some[i] for i in chosen], out / "start.pt")


def _data(recipe: dict[str, Any], pictures: Sequence[labelled.Labelled], out: Path) -> Path:
    """The pictures as YOLO wants them: shrunk (a training step should not spend its time on decoding), with text labels."""
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    lists: dict[bool, list[str]] = {False: [], True: []}
    rng, finder = np.random.default_rng(0), Detector(load_manifest()["detector"])
    for picture in track(pictures, "preparing pictures"):
        image = out / "images" / f"{'__'.join(picture.path.with_suffix('').parts[-3:])}.jpg"
        read = cv2.imread(str(picture.path))
        if read is None:
            raise OSError(f"cannot read {picture.path}")
        pixels = np.asarray(read, np.uint8)
        pieces = _pieces(picture, pixels, finder)
        if pieces is None:
            continue
        views: list[tuple[Path, Any, Sequence[labelled.Box]]] = [(image, pixels, pieces)]
        often = recipe["closeups"][max((shape_of(box) for box in pieces), key=SHAPES.index, default="die")]
        if rng.random() < often and (near := closeup(pixels, pieces, rng)):
            views.append((image.with_stem(f"{image.stem}_near"), *near))
        if rng.random() < recipe["poor"]:
            views.append((image.with_stem(f"{image.stem}_poor"), *poor(pixels, pieces, rng)))
        if not pieces and rng.random() < recipe["parts"]:
            views.append((image.with_stem(f"{image.stem}_part"), part(pixels, rng), ()))
        for file, view, boxes in views:
            _shrunk(view, file, recipe["long_side"])
            rows = [row(box, view.shape[1], view.shape[0]) for box in boxes]
            (out / "labels" / f"{file.stem}.txt").write_text("\n".join(rows))
            lists[picture.held_out] += [str(file.resolve())] * recipe["repeats"].get(picture.source, 1)
    (out / "train.txt").write_text("\n".join(lists[False]))
    # Validated after the last epoch whatever one asks for; what counts is measured by `datasets.evaluate`.
    # It asks for some even where it is told not to look at any.
    (out / "val.txt").write_text("\n".join((lists[True] or lists[False])[:_VALIDATED]))
    names = dict(enumerate(recipe["classes"]))
    (out / "data.yaml").write_text(
        yaml.safe_dump({"path": str(out.resolve()), "train": "train.txt", "val": "val.txt", "names": names})
    )
    return out / "data.yaml"


def _pieces(picture: labelled.Labelled, pixels: Any, finder: Detector) -> Sequence[labelled.Box] | None:
    """What is to be found in a picture; None where that is not known, or where a die is all of it."""
    if picture.shows == "table":
        return picture.pieces
    if picture.shows == "crop":
        return None
    box = one_die(finder.detect(np.ascontiguousarray(pixels[..., ::-1])))
    return None if box is None else (box,)


def one_die(detections: Sequence[Detection]) -> labelled.Box | None:
    """The box of the one die of a photo, as the shipped detector finds it; None where it is not sure, or finds two."""
    best = the_die([detection for detection in detections if detection.score > _SURE])
    if best is None or sum(detection.score > _SECOND for detection in detections) > 1:
        return None
    return labelled.Box(best.left, best.top, best.right, best.bottom, None, kind="other die")


def _shrunk(image: Any, target: Path, long_side: int) -> None:
    """Write a picture no larger than `long_side`."""
    height, width = image.shape[:2]
    scale = min(1.0, long_side / max(width, height))
    size = round(width * scale), round(height * scale)
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    cv2.imwrite(str(target), small, [cv2.IMWRITE_JPEG_QUALITY, 92])


def row(box: labelled.Box, width: int, height: int) -> str:
    """A piece as a line of YOLO's text for oriented boxes: its class, and its outline inside the picture in parts of its size."""
    outline = _clipped(box, width, height) / (width, height)
    return f"{SHAPES.index(shape_of(box))} " + " ".join(f"{n:.6f}" for n in outline.clip(0, 1).ravel())


def _clipped(box: labelled.Box, width: int, height: int) -> Any:
    corners = ((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))
    outline = np.array(box.quad or corners, np.float32)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, common = cv2.intersectConvexConvex(outline, frame)
    return common.reshape(-1, 2) if area > 0 and len(common) >= 4 else outline.clip(0, (width, height))
