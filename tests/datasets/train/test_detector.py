"""Training the detector for a few steps, from the shipped one."""

import argparse
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

torch = pytest.importorskip("torch", reason="needs the train extra")
pytest.importorskip("ultralytics", reason="needs the train extra")

from datasets.evaluate.ablate import replaced  # noqa: E402
from datasets.labels.photos import Box, Labelled  # noqa: E402
from datasets.train import detector  # noqa: E402
from datasets.train.__main__ import halve  # noqa: E402
from models import FOLDER, load_manifest  # noqa: E402
from vision.detect.detector import WEAK, Detector, View  # noqa: E402
from vision.photo import load  # noqa: E402

# What torch says of the way in which ultralytics exports.
pytestmark = pytest.mark.filterwarnings("ignore")

RECIPE = yaml.safe_load(Path("datasets/recipes/detector.yaml").read_text()) | {"side": 128, "batch": 2, "steps": 2}
TILE = ((60.0, 40.0), (140.0, 40.0), (140.0, 80.0), (60.0, 80.0))


def pictures(folder: Path) -> list[Labelled]:
    """A table with a tile and a die, and an empty one."""
    table = np.full((160, 200, 3), 90, np.uint8)
    laid = table.copy()
    laid[40:80, 60:140] = laid[100:120, 30:50] = 240
    pieces = (Box(60, 40, 140, 80, None, kind="domino", ends=(0, 0), quad=TILE), Box(30, 100, 50, 120, None))
    found = []
    for name, pixels, boxes in (("laid", laid, pieces), ("empty", table, ())):
        path = folder / "a" / "images" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), pixels)
        found.append(Labelled(path, "renders", boxes))
    return found


def options(**changed: object) -> argparse.Namespace:
    given = {"start": FOLDER / "detector.onnx", "steps": None, "threads": 1, "workers": 1, "device": "cpu"}
    return argparse.Namespace(**(given | changed))


def same_boxes(found: Detector, checkpoint: Path) -> None:
    """The exported file makes the boxes that the network itself makes, of the places that score."""
    from ultralytics import YOLO

    view = View.of(load(Path("docs/sample-hand.jpg")).pixels)
    with torch.no_grad():
        answers = YOLO(checkpoint).model.eval()(torch.from_numpy(view.tensor()))[0]
    expected = answers[0].numpy().T
    expected = expected[expected[:, 4:-1].max(1) >= WEAK]
    assert len(expected) >= 4
    assert found.rows(view) == pytest.approx(expected, rel=1e-3, abs=1e-2)


def test_it_learns_exports_and_goes_on_where_it_stopped(tmp_path: Path):
    shown = pictures(tmp_path)
    torch.manual_seed(0)
    exported = detector.train(RECIPE, shown, tmp_path / "run", options())
    kept = torch.load(tmp_path / "run" / "last.pt")
    assert (kept["step"], kept["steps"]) == (2, 2)
    trained = replaced(load_manifest(), "detector", exported, {}, RECIPE["classes"])
    same_boxes(Detector(trained["detector"]), tmp_path / "run" / "detector.pt")
    halve(exported, tmp_path / "shipped.onnx")
    shipped = replaced(load_manifest(), "detector", tmp_path / "shipped.onnx", {}, RECIPE["classes"])
    assert len(Detector(shipped["detector"]).detect(load(Path("docs/sample-hand.jpg")).pixels)) >= 4
    written = exported.stat().st_mtime_ns
    again = detector.train(RECIPE, shown, tmp_path / "run", options())
    assert again == exported
    assert exported.stat().st_mtime_ns > written
    assert torch.load(tmp_path / "run" / "last.pt")["step"] == 2


def test_without_a_start_it_says_what_to_give(tmp_path: Path):
    with pytest.raises(SystemExit, match="give --start"):
        detector.train(RECIPE, pictures(tmp_path), tmp_path / "run", options(start=None))


def test_what_the_shipped_detector_finds_in_vain_counts_more(tmp_path: Path):
    finder = Detector(load_manifest()["detector"])
    assert detector.in_vain(finder, np.full((160, 200, 3), 90, np.uint8)) == 0
    assert detector.in_vain(finder, cv2.imread("docs/sample-hand.jpg")) == 1  # four plain tiles
    hand = tmp_path / "a" / "images" / "hand.png"
    laid, empty = pictures(tmp_path)
    cv2.imwrite(str(hand), cv2.imread("docs/sample-hand.jpg"))
    without = RECIPE | {"parts": 0, "poor": 0, "closeups": {"die": 0, "tile": 0}}
    shown = list(detector._shown(without, [laid, empty, Labelled(hand, "renders", ())], tmp_path / "views"))
    assert [each.weight for each in shown] == [1, 1, 1 + RECIPE["mined"]]
