"""What is packed when Muggins is installed from a folder that it was installed from before."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = """
[project]
name = "small"
version = "1"

[tool.setuptools.packages.find]
include = ["scorer*"]

[tool.setuptools.package-data]
scorer = ["*.json"]
"""


def test_a_game_that_was_taken_away_is_not_packed_again(tmp_path: Path) -> None:
    """Setup.py as it is, with a project that any setuptools can build, offline."""
    pytest.importorskip("setuptools")
    shutil.copy("setup.py", tmp_path)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    pig = tmp_path / "scorer" / "pig"
    pig.mkdir(parents=True)
    for folder in (pig.parent, pig):
        (folder / "__init__.py").touch()
    (pig.parent / "old.json").touch()

    def built() -> set[str]:
        subprocess.run([sys.executable, "setup.py", "-q", "build"], cwd=tmp_path, check=True, capture_output=True)
        lib = tmp_path / "build" / "lib"
        return {file.relative_to(lib).as_posix() for file in lib.rglob("*") if file.is_file()}

    assert built() == {"scorer/__init__.py", "scorer/old.json", "scorer/pig/__init__.py"}
    shutil.rmtree(pig)
    (pig.parent / "old.json").unlink()
    assert built() == {"scorer/__init__.py"}
