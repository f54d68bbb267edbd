"""Networks are opened without a word to anybody."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models import ModelError, ModelFile, load_manifest
from vision import onnx_session, threads
from vision.onnx_session import Network, open_session
from vision.photo import load
from vision.reader import TableReader

DOCS = Path(__file__).parents[2] / "docs"

_OPENS = """
import time
from models import load_manifest
from vision.onnx_session import open_session
open_session(load_manifest().models[0])
time.sleep(1)
"""


def test_onnx_runtime_keeps_no_report_of_its_use(tmp_path: Path) -> None:
    """It would keep one in its user's cache, with a number for the computer, and send it to its maker."""
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(Path.cwd())}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    subprocess.run([sys.executable, "-c", _OPENS], env={**kept, **home}, check=True, timeout=300)
    assert list(tmp_path.rglob("*")) == []


def test_all_networks_of_a_process_work_in_the_same_memory() -> None:
    for name in ("detector", "dice"):
        options = open_session(load_manifest()[name]).get_session_options()
        assert options.get_session_config_entry("session.use_env_allocators") == "1"
        assert options.intra_op_num_threads == threads.threads()


def test_a_process_that_is_one_of_several_uses_no_more_threads_than_it_was_told() -> None:
    asked = "import cv2; from vision import threads as t; t.limit_threads(1); print(t.threads(), cv2.getNumThreads())"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=300)
    assert said.stdout.split() == ["1", "1"]


def test_a_network_is_looked_for_at_once_and_opened_once_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    model, opened = load_manifest()["ends"], []
    monkeypatch.setattr(onnx_session, "open_session", lambda *given, **more: opened.append((*given, more)) or object())
    network = Network(model)
    assert opened == []
    with ThreadPoolExecutor(8) as many:
        first, *others = many.map(lambda _: network.session, range(32))
    assert all(each is first for each in others)
    assert opened == [(model, (), {"one_core": False})]
    with pytest.raises(ModelError, match="missing"):
        Network(replace(model, file="nowhere.onnx"))


def test_a_network_that_is_opened_ahead_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model, opened = load_manifest()["detector"], []
    monkeypatch.setattr(onnx_session, "open_session", lambda *given, **_: opened.append(given) or object())
    onnx_session.open_ahead(model)
    first = Network(model).session
    assert opened == [(model,)]
    assert Network(model).session is not first, "it is taken by one"


def test_what_hinders_opening_ahead_is_told_to_who_needs_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_manifest()["detector"]
    network = Network(model)

    def damaged(*_: object, **__: object) -> None:
        raise ModelError("model-damaged", "damaged")

    monkeypatch.setattr(onnx_session, "open_session", damaged)
    onnx_session.open_ahead(model)
    with pytest.raises(ModelError, match="damaged"):
        _ = network.session


def test_a_photo_of_dice_opens_no_network_of_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def opening(model: ModelFile, also: Sequence[str] = (), *, one_core: bool) -> Any:
        opened.append(model.file)
        return open_session(model, also, one_core=one_core)

    monkeypatch.setattr(onnx_session, "open_session", opening)
    assert len(TableReader().read(load(DOCS / "sample-throw.jpg")).dice) == 6
    assert sorted(opened) == ["detector.onnx", "dice.onnx"]
