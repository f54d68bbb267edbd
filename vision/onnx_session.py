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


def open_session(model: ModelFile, also: Sequence[str] = (), *, provider: str = "CPUExecutionProvider") -> Any:
    """An `onnxruntime.InferenceSession` for a checked model file.

    Args:
        model: the file.
        also: tensors inside the network that become outputs, after its own. What these are stays the same to the bit.
        provider: what computes; `bench/threads.py` compares those that are installed.

    Raises:
        models.ModelError: the file is missing or damaged.
    """
    # ONNX Runtime reports its use to its maker unless this is set before it is loaded; Muggins reports to nobody.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    model.check()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads()
    _share_memory()
    options.add_session_config_entry("session.use_env_allocators", "1")
    # Pictures and batches have many sizes. A plan for each would take its memory in one piece, and pieces of other sizes do
    # not fit where it was: over ten minutes of film that came to hundreds of megabytes.
    options.enable_mem_pattern = False
    # Spinning threads fight with any other busy process for the cores, and lose.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    network = model.path.read_bytes() + b"".join(map(_output, also)) if also else str(model.path)
    return onnxruntime.InferenceSession(network, options, providers=[provider])


class _Opening(Thread):
    """Opens a network. `session`: None until it is done, and if it failed: who needs the network then hears why."""

    def __init__(self, model: ModelFile) -> None:
        super().__init__(name=f"opening {model.name}")
        self._model, self.session = model, None

    def run(self) -> None:
        with suppress(Exception):
            self.session = open_session(self._model)


_opening: dict[str, _Opening] = {}


def open_ahead(model: ModelFile) -> None:
    """Begin to open a network in a thread, for the first `Network` of this file: while the code is loaded that will run it."""
    import numpy  # noqa: F401 # ONNX Runtime loads it, and NumPy cannot be loaded by two threads at once

    _opening[model.sha256] = _Opening(model)
    _opening[model.sha256].start()


def _opened_ahead(model: ModelFile) -> Any:
    """The session, once it is open; None if nobody has begun to open it."""
    if (opening := _opening.pop(model.sha256, None)) is None:
        return None
    opening.join()
    return opening.session


class Network:
    """A network that is opened when it is first needed: a table without tiles needs none of theirs.

    Whether its file is there is looked at once; its content is compared with its hash as it is opened.
    """

    def __init__(self, model: ModelFile, also: Sequence[str] = ()) -> None:
        """What is given is as for `open_session`.

        Raises:
            models.ModelError: the file is missing.
        """
        model.find()
        self._model, self._also = model, also
        self._lock, self._session = Lock(), None

    @property
    def session(self) -> Any:
        """The `onnxruntime.InferenceSession`, the same for all threads.

        Raises:
            models.ModelError: the file is missing or damaged.
        """
        with self._lock:
            if self._session is None:
                ahead = None if self._also else _opened_ahead(self._model)
                self._session = ahead or open_session(self._model, self._also)
            return self._session


_AS_REQUESTED = 1
"""`ArenaExtendStrategy` of ONNX Runtime. By default what it takes from the system doubles each time."""


@cache
def _share_memory() -> None:
    """Let all networks of this process work in the same memory, which grows by no more than they need.

    Each would otherwise have its own, and the larger that is, the more it takes at once and never gives back.
    """
    import onnxruntime

    kind = onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR
    place = onnxruntime.OrtMemoryInfo("Cpu", kind, 0, onnxruntime.OrtMemType.DEFAULT)
    growth = onnxruntime.OrtArenaCfg({"arena_extend_strategy": _AS_REQUESTED})
    onnxruntime.create_and_register_allocator(place, growth)


_GRAPH, _OUTPUT, _NAME, _TYPE, _TENSOR_TYPE, _FLOAT = 7, 12, 1, 2, 1, b"\x08\x01"
"""Field numbers of ModelProto, GraphProto, ValueInfoProto and TypeProto in onnx.proto, and a tensor of floats."""


def _output(name: str) -> bytes:
    """What makes a tensor an output when it is appended to an ONNX file.

    ONNX files are Protocol Buffers, in which messages that follow each other are merged: so a model that consists of one more
    output can simply be appended (https://protobuf.dev/programming-guides/encoding/#last-one-wins).
    """
    kind = _field(_TENSOR_TYPE, _FLOAT)
    return _field(_GRAPH, _field(_OUTPUT, _field(_NAME, name.encode()) + _field(_TYPE, kind)))


def _field(number: int, content: bytes) -> bytes:
    """A field of bytes: its tag, its length, itself."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + _varint(rest) if rest else bytes([low])
