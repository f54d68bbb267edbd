"""Trains the detector: YOLO11n with oriented boxes, on photos and renders (ultralytics)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.progress import track

from datasets.labels import photos as labelled
from datasets.labels.picture_files import write_jpeg
from datasets.train.detector_canvas import Piece, Shown, canvas, shares_of
from datasets.train.detector_file import without_boxes
from datasets.train.detector_views import closeup, part, poor, shape_of
from datasets.train.dice_crops import the_die
from datasets.train.learning import Learning, tensor
from datasets.train.prefetch import made_ahead
from datasets.train.resume_from_onnx import from_onnx
from models import load_manifest
from vision.detect.boxes import SHAPES, Detection
from vision.detect.detector import Detector

_STATISTICS = 48
"""Pictures on which a shipped network's batch statistics are measured before fine-tuning."""

_FIRST, _SLOWER = 6, 0.25
"""The number of early layers, and their learning rate as a share of the others'."""
_MEAN = 0.999
"""Decay of the moving average of the weights, per step."""
_KEPT = 100
"""Steps between checkpoints."""
_SURE, _SECOND = 0.25, 0.4
"""On a photo of one die, the shipped detector's best box above the first score is the label, unless a second box scores above
the second."""
_TRACE, _ENOUGH = 0.05, 2.0
"""Scores up to the first do not count as false detections; a picture whose scores sum up to the second gets the full weight."""


def train(
    recipe: dict[str, Any], pictures: Sequence[labelled.Labelled], out: Path, options: argparse.Namespace
) -> Path:
    """Train as the recipe says, from `out`'s last checkpoint if there is one, and export to ONNX."""
    import torch

    _quiet()
    from ultralytics import YOLO
    from ultralytics.cfg import get_cfg

    shown = list(_shown(recipe, pictures, out / "pictures"))
    shares = shares_of(shown, recipe["shares"])
    yolo = YOLO(_start(recipe, shown, out, options.start))
    net = yolo.model.float().to(options.device)
    net.args = get_cfg(overrides=recipe["gains"])
    criterion = _criterion(net)
    steps = int(options.steps or recipe["steps"])
    learning = Learning(net, steps, _rates(net, recipe), decay=5e-4, warm_up=0.04, clip=10.0, mean=_MEAN)
    learning.resume(out / "last.pt")
    torch.set_num_threads(options.threads)
    batches = made_ahead(lambda step: _batch(recipe, shown, shares, step), learning.left, options.workers)
    for pixels, rows in track(batches, "training", total=steps, completed=learning.step):
        answers = learning.answers(tensor(pixels).to(options.device))
        learning.learn(criterion(answers, _targets(rows, options.device))[0].sum())
        if learning.step % _KEPT == 0 or learning.step == learning.steps:
            learning.keep(out / "last.pt")
            print(f"{learning.step} of {learning.steps}, loss {learning.recent:.2f}", flush=True)
    yolo.model, yolo.ckpt = learning.average.cpu(), {}
    yolo.save(str(out / "detector.pt"))
    return export(out / "detector.pt")


def export(checkpoint: Path) -> Path:
    """Write a checkpoint's network as ONNX beside it, for pictures of any size, without the box computation."""
    _quiet()
    from ultralytics import YOLO

    whole = Path(YOLO(checkpoint).export(format="onnx", dynamic=True, simplify=True, opset=17, imgsz=640))
    return without_boxes(whole, whole)


def _quiet() -> None:
    """Keep ultralytics from downloading or installing anything."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")


def _rates(net: Any, recipe: dict[str, Any]) -> list[tuple[list[Any], float]]:
    """Learning rates: lower for the first layers, which start from a network that already knows edges and spots."""
    first: list[Any] = []
    others: list[Any] = []
    for name, weights in net.named_parameters():
        if ".dfl." not in name:  # it has no weights that are learned
            weights.requires_grad = True
            (first if int(name.split(".")[1]) < _FIRST else others).append(weights)
    return [(others, recipe["rate"]), (first, recipe["rate"] * _SLOWER)]


def _batch(recipe: dict[str, Any], shown: Sequence[Shown], shares: Any, step: int) -> tuple[Any, list[Any]]:
    """Pictures (n x side x side x 3), and the rows of each (`Canvas.rows`)."""
    rng = np.random.default_rng((recipe.get("seed", 0), step))
    drawn = [canvas(rng, shown, shares, recipe["side"]) for _ in range(recipe["batch"])]
    return np.stack([each.pixels for each in drawn]), [each.rows for each in drawn]


def _targets(rows: Sequence[Any], device: str) -> dict[str, Any]:
    """The rows of a batch in the format of ultralytics' loss."""
    import torch

    every = torch.from_numpy(np.concatenate(rows)).to(device)
    of = torch.from_numpy(np.repeat(np.arange(len(rows)), [len(each) for each in rows])).to(device)
    return {"batch_idx": of.float(), "cls": every[:, 0], "bboxes": every[:, 1:]}


def _criterion(net: Any) -> Any:
    """The oriented box loss with an angle term that is periodic in half turns.

    In that of ultralytics quarter turns are equal, which pulls a predicted tile across the true one away from its angle.
    The term is weighted by how far from square the box is: a square shows no turn.
    """
    import torch
    from ultralytics.utils.loss import v8OBBLoss

    class HalfTurns(v8OBBLoss):
        """See above."""

        def calculate_angle_loss(self, found: Any, truth: Any, mask: Any, weight: Any, total: Any, *_: Any) -> Any:
            turned = torch.sin(found[mask][:, 4] - truth[mask][:, 4]) ** 2
            slim = 1 - (truth[mask][:, 3] / truth[mask][:, 2].clamp_min(1e-6)).clamp(0, 1) ** 2
            return (turned * slim * weight).sum() / total

    return HalfTurns(net)


def _start(recipe: dict[str, Any], shown: Sequence[Shown], out: Path, start: Path | None) -> Path:
    if start is None:
        raise SystemExit("give --start: the initial weights, such as models/detector.onnx or a YOLO11n .pt")
    if start.suffix != ".onnx":
        return start
    chosen = np.random.default_rng(0).choice(len(shown), min(len(shown), _STATISTICS), replace=False)
    files = [shown[int(i)].file for i in chosen]
    return from_onnx(start, recipe["architecture"], SHAPES, files, out / "start.pt")


def _shown(recipe: dict[str, Any], pictures: Sequence[labelled.Labelled], out: Path) -> Iterator[Shown]:
    """Write the pictures, and views of some, shrunk, so that training steps spend no time on decoding large files."""
    out.mkdir(parents=True, exist_ok=True)
    rng, finder = np.random.default_rng(0), Detector(load_manifest()["detector"])
    for picture in track([each for each in pictures if not each.held_out], "preparing pictures"):
        image = out / f"{'__'.join(picture.path.with_suffix('').parts[-3:])}.jpg"
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
            scale, (height, width) = _shrunk(view, file, recipe["long_side"]), view.shape[:2]
            found = [piece(box, width, height) for box in boxes]
            smaller = tuple(Piece(each.shape, each.outline * scale) for each in found)
            weight = 1.0 if boxes else 1 + recipe["mined"] * in_vain(finder, view)
            yield Shown(file, smaller, picture.source, weight)


def _pieces(picture: labelled.Labelled, pixels: Any, finder: Detector) -> Sequence[labelled.Box] | None:
    """The labels of a picture; None where they are unknown, or where the picture is a crop of a die."""
    if picture.shows == "table":
        return picture.pieces
    if picture.shows == "crop":
        return None
    box = one_die(finder.detect(np.ascontiguousarray(pixels[..., ::-1])))
    return None if box is None else (box,)


def in_vain(finder: Detector, pixels: Any) -> float:
    """The rate of false detections in a picture (BGR) without pieces: the sum of their scores over `_ENOUGH`, at most 1."""
    scores = (detection.score for detection in finder.detect(np.ascontiguousarray(pixels[..., ::-1])))
    return min(1.0, sum(score for score in scores if score > _TRACE) / _ENOUGH)


def one_die(detections: Sequence[Detection]) -> labelled.Box | None:
    """The box of the only die in a photo, by the shipped detector; None where it is not confident, or finds two."""
    best = the_die([detection for detection in detections if detection.score > _SURE])
    if best is None or sum(detection.score > _SECOND for detection in detections) > 1:
        return None
    return labelled.Box(best.left, best.top, best.right, best.bottom, None, kind="other die")


def _shrunk(image: Any, target: Path, long_side: int) -> float:
    """Write a picture, shrunk to at most `long_side`; returns the scale factor."""
    height, width = image.shape[:2]
    scale = min(1.0, long_side / max(width, height))
    size = round(width * scale), round(height * scale)
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    write_jpeg(target, small, 92)
    return float(scale)


def piece(box: labelled.Box, width: int, height: int) -> Piece:
    """The training target for a labelled piece in a picture of this size: the visible part of its face or box."""
    corners = ((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))
    outline = np.array(box.quad or corners, np.float32)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, common = cv2.intersectConvexConvex(outline, frame)
    inside = common.reshape(-1, 2) if area > 0 and len(common) >= 4 else outline.clip(0, (width, height))
    return Piece(SHAPES.index(shape_of(box)), inside.astype(float))
