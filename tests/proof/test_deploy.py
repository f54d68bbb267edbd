"""What is in `deploy/` beside the proxies, as far as it can be checked without being root on a computer of its own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.served import served

UNIT, CONTAINER = Path("deploy/muggins.service"), Path("deploy/Containerfile")
_EXPOSED = 40
"""Tenths of systemd's measure, from 0 (nothing can be reached) to 100; "OK" is below 50."""


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit, with a program that is there."""
    file, text = tmp_path / UNIT.name, UNIT.read_text()
    assert "/opt/muggins/bin/muggins serve" in text
    file.write_text(text.replace("/opt/muggins/bin/muggins", sys.executable))
    return file


def analyzed(*arguments: str) -> str:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed here")
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=120)
    said = done.stdout + done.stderr
    if "unrecognized option" in said:
        pytest.skip(f"systemd-analyze is too old here: {said}")
    assert done.returncode == 0, said
    return said


def test_systemd_finds_nothing_wrong_with_the_unit(unit: Path) -> None:
    assert "muggins.service" not in analyzed("verify", str(unit)), "it warns of something"


def test_a_misspelt_line_of_the_unit_would_be_noticed(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("ProtectHome=", "ProtectHouse="))
    assert "ProtectHouse" in analyzed("verify", str(unit))


def test_the_service_reaches_little_of_the_computer(unit: Path) -> None:
    analyzed("security", "--offline=true", f"--threshold={_EXPOSED}", str(unit))


def test_the_health_check_of_the_image_tells_a_server_that_serves_from_one_that_does_not(tmp_path: Path) -> None:
    """The command in the Containerfile; no image is built here."""
    found = re.search(r"HEALTHCHECK.*CMD \\\n\s*(\[.*\])", CONTAINER.read_text())
    assert found
    program, *arguments = json.loads(found[1])
    assert (program, "127.0.0.1:8000" in arguments[-1]) == ("python", True)
    with served(tmp_path / "server", "--host", "127.0.0.1") as server:
        check = [sys.executable, *(each.replace(":8000", f":{server.port}") for each in arguments)]
        assert subprocess.run(check, capture_output=True, timeout=60).returncode == 0
        server.ended()
        assert subprocess.run(check, capture_output=True, timeout=60).returncode != 0
