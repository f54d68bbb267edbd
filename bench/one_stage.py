"""The baseline that locate-and-read is measured against: one YOLO11n that finds and reads at once (six classes).

Trained by `python -m datasets.train datasets/recipes/one-stage.yaml` on the same pictures; its weights are not shipped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.locate import prepare
from vision.photo import load

_SCORE = 0.4
_IOU = 0.5


def reader(model: Path) -> Callable[[Path], list[int]]:
    """A function from a photo's path to the values it sees. Boxes of different values suppress each other: a die has one."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def read(path: Path) -> list[int]:
        tensor, scale = prepare(load(path).pixels)
        rows = session.run(None, {name: tensor})[0][0].T
        scores, values = rows[:, 4:].max(1), rows[:, 4:].argmax(1) + 1
        near = scores >= _SCORE
        boxes = np.hstack([rows[:, :2] - rows[:, 2:4] / 2, rows[:, 2:4]])[near] / scale
        kept = cv2.dnn.NMSBoxes(boxes.tolist(), scores[near].tolist(), _SCORE, _IOU)
        return [int(values[near][i]) for i in kept]

    return read
