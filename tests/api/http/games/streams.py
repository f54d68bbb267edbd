"""Server-sent events, as a browser takes them apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2


@dataclass
class Seen:
    """An event as it came: its id, and the snapshot in it."""

    id: int
    told: dict[str, Any]


def parsed(event: bytes) -> Seen:
    fields = dict(line.split(": ", 1) for line in event.decode().splitlines() if line)
    assert fields["event"] == "snapshot"
    return Seen(int(fields["id"]), json.loads(fields["data"]))


def events(response: httpx2.Response) -> Iterator[Seen]:
    text = ""
    for chunk in response.iter_text():
        text += chunk
        while "\n\n" in text:
            event, text = text.split("\n\n", 1)
            if "event: snapshot\n" in event:
                yield parsed(event.encode())
