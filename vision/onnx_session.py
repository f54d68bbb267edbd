"""Opening a network in ONNX Runtime, the one way the project does it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from threading import Lock, Thread
from typing import Any

from models import ModelFile
from vision.threads import threads


def open_session(
    model: ModelFile, also: Sequence[str] = (), *, one_core: bool = False, provider: str = "CPUExecutionProvider"
) -> Any:
    """An `onnxruntime.InferenceSession` for a checked model file.

    Args:
        model: the file.
        also: inner tensors of the network that become additional outputs, after its own, which stay identical to the bit.
        one_core: use a single core, not as many as this process may use for a picture.
        provider: ONNX Runtime's execution provider; `bench/threads.py` compares those that are installed.

    Raises:
        models.ModelError: the file is missing or damaged.
    """
    # ONNX Runtime reports its use to its maker unless this is set before it is loaded; Muggins reports to nobody.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    model.check()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1 if one_core else threads()
    _share_memory()
    options.add_session_config_entry("session.use_env_allocators", "1")
    # Pictures and batches have many sizes. A memory plan for each takes one block, and blocks of other sizes do not fit where
    # it was: in ten minutes of film that added up to hundreds of megabytes.
    options.enable_mem_pattern = False
    # Spinning threads fight with any other busy process for the cores, and lose.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    network = model.path.read_bytes() + b"".join(map(_output, also)) if also else str(model.path)
    return onnxruntime.InferenceSession(network, options, providers=[provider])


class _Opening(Thread):
    """Opens a network. `session`: None until it is open, and if that failed: the caller that needs it then gets the error."""

    def __init__(self, model: ModelFile) -> None:
        super().__init__(name=f"opening {model.name}")
        self._model, self.session = model, None

    def run(self) -> None:
        with suppress(Exception):
            self.session = open_session(self._model)


_opening: dict[str, _Opening] = {}


def open_ahead(model: ModelFile) -> None:
    """Start to open a network in a thread, for the first `Network` of this file, while the code that will run it is imported."""
    import numpy  # noqa: F401 # ONNX Runtime loads it, and NumPy cannot be loaded by two threads at once

    _opening[model.sha256] = _Opening(model)
    _opening[model.sha256].start()


def _opened_ahead(model: ModelFile) -> Any:
    """The session that `open_ahead` opened, once it is open; None if it was not called or failed."""
    if (opening := _opening.pop(model.sha256, None)) is None:
        return None
    opening.join()
    return opening.session


class Network:
    """A network that is opened when it is first needed: a table without tiles needs none of the networks for tiles.

    The file must exist from the start; its content is compared with its hash when it is opened.
    """

    def __init__(self, model: ModelFile, also: Sequence[str] = (), *, one_core: bool = False) -> None:
        """Take the arguments of `open_session`.

        Raises:
            models.ModelError: the file is missing.
        """
        model.find()
        self._model, self._also, self.one_core = model, also, one_core
        self._lock, self._session = Lock(), None

    @property
    def session(self) -> Any:
        """The `onnxruntime.InferenceSession`, the same for all threads.

        Raises:
            models.ModelError: the file is missing or damaged.
        """
        with self._lock:
            if self._session is None:
                ahead = None if self._also or self.one_core else _opened_ahead(self._model)
                self._session = ahead or open_session(self._model, self._also, one_core=self.one_core)
            return self._session


_AS_REQUESTED = 1
"""`ArenaExtendStrategy` of ONNX Runtime. By default each extension is twice as large as the one before."""


@cache
def _share_memory() -> None:
    """Let all networks of this process share one memory arena, which grows by no more than they need.

    Otherwise each has its own, which takes more at once the larger it is, and never gives it back.
    """
    import onnxruntime

    kind = onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR
    place = onnxruntime.OrtMemoryInfo("Cpu", kind, 0, onnxruntime.OrtMemType.DEFAULT)
    growth = onnxruntime.OrtArenaCfg({"arena_extend_strategy": _AS_REQUESTED})
    onnxruntime.create_and_register_allocator(place, growth)


_GRAPH, _OUTPUT, _NAME, _TYPE, _TENSOR_TYPE, _FLOAT = 7, 12, 1, 2, 1, b"\x08\x01"
"""Field numbers of ModelProto, GraphProto, ValueInfoProto and TypeProto in onnx.proto, and a tensor of floats."""


def _output(name: str) -> bytes:
    """The bytes that make a tensor an output when they are appended to an ONNX file.

    ONNX files are Protocol Buffers, in which messages that follow each other are merged: so a model that consists of one more
    output can simply be appended (https://protobuf.dev/programming-guides/encoding/#last-one-wins).
    """
    kind = _field(_TENSOR_TYPE, _FLOAT)
    return _field(_GRAPH, _field(_OUTPUT, _field(_NAME, name.encode()) + _field(_TYPE, kind)))


def _field(number: int, content: bytes) -> bytes:
    """A length-delimited field: its tag, its length, its content."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + _varint(rest) if rest else bytes([low])
