"""Which scenes every variant is trained on, and how its detector takes the place of the installed one."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from datasets.evaluate.ablate import _variants, replaced
from models import load_manifest

PLAIN = "without material variety"


def scenes(folder: Path, count: int, *, lookalikes: int = 0) -> Path:
    """A folder of rendered scenes with a die in each; in the first few lies a look-alike too."""
    (folder / "labels").mkdir(parents=True)
    for number in range(count):
        die = {"kind": "d6", "value": 5, "box": [10, 10, 40, 40], "hidden": 0, "top_seen": 1, "view": 80}
        pieces = [die, *([{"kind": "other", "box": [50, 50, 70, 70]}] if number < lookalikes else [])]
        (folder / "labels" / f"{number:03}.json").write_text(json.dumps({"pieces": pieces}))
    return folder


def options(renders: Path, *plain: Path, count: int = 6) -> argparse.Namespace:
    return argparse.Namespace(renders=[renders], plain=list(plain), count=count)


def test_variants_differ_in_one_thing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rich, plain = scenes(tmp_path / "rich", 12, lookalikes=4), scenes(tmp_path / "plain", 12)
    variants = _variants(options(rich, plain))
    full = variants["full"]
    assert [scene.path.stem for scene in full] == [f"{number:03}" for number in range(6)]
    assert variants["half the scenes"] == full[:3]
    assert variants["twice the scenes"][:6] == full
    assert len(variants["twice the scenes"]) == 12
    assert [scene.path.stem for scene in variants["without look-alikes"]] == [f"{n:03}" for n in range(4, 10)]
    assert [scene.path for scene in variants[PLAIN]] == [plain / "images" / scene.path.name for scene in full]
    assert capsys.readouterr().out == ""


def test_raw_scenes_are_the_same_ones_before_the_lens(tmp_path: Path) -> None:
    variants = _variants(options(scenes(tmp_path / "rich", 12)))
    full, raw = variants["full"], variants["without lens and sensor"]
    assert [scene.path for scene in raw] == [tmp_path / "rich" / "raw" / scene.path.name for scene in full]
    assert [scene.boxes for scene in raw] == [scene.boxes for scene in full]


def test_a_variant_that_is_left_out_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert PLAIN not in _variants(options(scenes(tmp_path / "rich", 12)))
    assert capsys.readouterr().out == f"left out: {PLAIN} (give --plain)\n"


def test_too_few_scenes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="11 scenes are too few for twice 6"):
        _variants(options(scenes(tmp_path / "few", 11)))
    with pytest.raises(SystemExit, match="too few scenes for: without look-alikes"):
        _variants(options(scenes(tmp_path / "cluttered", 12, lookalikes=10)))
    with pytest.raises(SystemExit, match=f"too few scenes for: {PLAIN}"):
        _variants(options(scenes(tmp_path / "rich", 12), scenes(tmp_path / "plain", 2)))


def test_only_the_detector_is_replaced_and_the_new_file_is_sound(tmp_path: Path) -> None:
    file = tmp_path / "best.onnx"
    file.write_bytes(b"another network")
    before = load_manifest()
    after = replaced(before, "detector", file, {})
    after["detector"].check()
    assert after["detector"].path == file
    assert after["detector"].classes == before["detector"].classes
    assert replaced(before, "detector", file, {}, ["die", "tile"])["detector"].classes == ("die", "tile")
    assert [model for model in after.models if model.name != "detector"] == [
        model for model in before.models if model.name != "detector"
    ]
