"""The protocol between the server and its worker: a line of JSON, then as many bytes as the line announces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

_LONGEST_LINE = 16 * 1024**2
"""In bytes; a reading of hundreds of pieces has some hundred thousand."""
_SIZE = "bytes"


class Gone(Exception):  # noqa: N818 - it says what became of the other side
    """The other side has ended, or sent something invalid."""


class TooLong(Exception):  # noqa: N818 - it says what the line is
    """The other side would not read the whole line, so nothing was written."""


def send(stream: BinaryIO, said: Mapping[str, Any], data: bytes = b"") -> None:
    """Write one message.

    Raises:
        TooLong: the line of JSON is too long; large data belongs into `data`.
        OSError: the other side has ended.
    """
    line = json.dumps({**said, _SIZE: len(data)}).encode() + b"\n"
    if len(line) > _LONGEST_LINE:
        raise TooLong(f"a line of {len(line)} bytes; at most {_LONGEST_LINE} are read")
    stream.write(line)
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict[str, Any], bytes]:
    """Wait for one message.

    Raises:
        Gone: there is none, or only a part of it.
        OSError: the pipe cannot be read.
    """
    line = stream.readline(_LONGEST_LINE)
    try:
        said = json.loads(line)
        size = said.pop(_SIZE)
        data = stream.read(size)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Gone("no message came") from error
    if len(data) != size:
        raise Gone("a message was cut off")
    return said, data
