"""Prints the OpenAPI description of the HTTP API: `python -m api.http.openapi > docs/openapi.json`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from api.http.app import create_app


def description() -> str:
    """The OpenAPI document of the whole API including live games, as in docs/openapi.json."""
    return f"{json.dumps(create_app(data=Path()).openapi(), indent=2, ensure_ascii=False)}\n"


if __name__ == "__main__":
    sys.stdout.write(description())
