"""Muggins where only `deploy/requirements-reading.txt` is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from api.extras import EXTRAS, MissingExtra, require

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LISTED = [line for line in (ROOT / "deploy/requirements-reading.txt").read_text().splitlines() if line[:1] != "#"]
WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
from api.cli.main import main
main()
"""


def kept() -> set[str]:
    """The small list, and all that it needs in turn."""
    found: set[str] = set()
    waiting = [Requirement(line).name for line in LISTED]
    while waiting:
        name = waiting.pop().lower()
        if name not in found:
            found.add(name)
            needed = (Requirement(line) for line in requires(name) or ())
            waiting += [each.name for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    return found


def absent() -> set[str]:
    """Modules of packages that Muggins needs and the small list does not bring."""
    left_out = {Requirement(line).name.lower() for line in PROJECT["dependencies"]} - kept()
    return {module for module, packages in packages_distributions().items() if {p.lower() for p in packages} & left_out}


def muggins(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT.format(absent=absent()), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"})


def test_the_small_list_asks_for_the_same_versions() -> None:
    assert set(LISTED) <= set(PROJECT["dependencies"])
    assert {"av", "cryptography", "fastapi"} <= absent()


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", "docs/sample-throw.jpg", "--game", "farkle-crib"),
        ("score", "cards", "5H", "5D", "5S", "JC", "--starter", "5C"),
        ("odds", "turn", "cribbage-dice"),
        ("advise", "farkle-crib", "1", "2", "6", "3", "3", "3", "--points", "10"),
        ("rules", "crib-dice"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_is_promised_works_without_the_rest(arguments: tuple[str, ...]) -> None:
    done = muggins(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("arguments", [("watch", "api/demo/game.mp4"), ("serve",), ("verify", "evidence.zip")])
def test_the_rest_says_what_is_missing_and_how_to_get_it(arguments: tuple[str, ...]) -> None:
    done = muggins(*arguments)
    assert done.returncode == 1
    assert "which is not installed. Install all of Muggins: pip install muggins" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_is_in_pyproject_and_is_named_where_it_is_missing(
    extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = {Requirement(line).name for line in PROJECT["optional-dependencies"][extra]}
    assert set(EXTRAS[extra]) <= packages
    monkeypatch.setitem(EXTRAS, extra, ("no_such_module",))
    with pytest.raises(MissingExtra, match=rf"no_such_module is not installed\. .*muggins\[{extra}\]"):
        require(extra, "This")
