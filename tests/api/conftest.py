"""The real command and the real service, around a drawn throw."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.http.app import create_app
from tests.api.pictures import drawn_throw, jpeg
from tests.pace import slowness

Muggins = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def throw() -> bytes:
    """The bytes of a good photo: a drawn throw of seven dice."""
    return jpeg(drawn_throw())


@pytest.fixture
def throw_file(tmp_path: Path, throw: bytes) -> Path:
    file = tmp_path / "throw.jpg"
    file.write_bytes(throw)
    return file


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(), base_url="http://localhost") as running:
        yield running


@pytest.fixture(scope="session")
def command() -> list[str]:
    return [sys.executable, "-c", "from api.cli.main import main; main()"]


@pytest.fixture(scope="session")
def muggins(command: list[str]) -> Muggins:
    """Runs the real command in its own process, after `before`; other keywords go to `subprocess.run`.

    `timeout` is in seconds of a machine at rest.
    """
    patience = min(6.0, slowness())

    def run(*arguments: str | Path, before: tuple[str, ...] = (), **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*before, *command, *map(str, arguments)],
            **{"capture_output": True, "text": True} | options | {"timeout": options.get("timeout", 120) * patience},
        )

    return run
