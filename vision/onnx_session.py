"""Opening a network in ONNX Runtime, the one way the project does it."""

from __future__ import annotations

import os
from typing import Any

from models import ModelFile

_threads = min(4, os.cpu_count() or 1)


def limit_threads(most: int) -> None:
    """Let every session opened from now on in this process use at most so many threads: for one of several processes."""
    global _threads
    _threads = most


def open_session(model: ModelFile) -> Any:
    """An `onnxruntime.InferenceSession` on the CPU for a checked model file.

    Raises:
        models.ModelError: the file is missing or damaged.
    """
    # ONNX Runtime reports its use to its maker unless this is set before it is loaded; Muggins reports to nobody.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    model.check()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _threads
    # Spinning threads fight with any other busy process for the cores, and lose.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model.path), options, providers=["CPUExecutionProvider"])
