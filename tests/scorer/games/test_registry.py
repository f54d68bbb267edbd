"""Folders of games: one with a mistake in it does not take the others away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_LIST = (
    "import sys, scorer.games as folders; folders.__path__.append(sys.argv[1]);"
    "from scorer.games.registry import GAMES; print(*GAMES)"
)


@pytest.mark.parametrize(
    ("code", "wrong", "line"),
    [
        ("class Pig(:\n    pass\n", "invalid syntax", 1),
        ("from scorer.games.registry import register\n\nregister(Pig())\n", "NameError: name 'Pig' is not defined", 3),
        ("import no_such_package\n", "ModuleNotFoundError: No module named 'no_such_package'", 1),
    ],
)
def test_a_folder_that_cannot_be_loaded_is_left_out_and_said_so(
    tmp_path: Path, code: str, wrong: str, line: int
) -> None:
    folder = tmp_path / "pig"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "game.py").write_text(code)
    done = subprocess.run([sys.executable, "-c", _LIST, str(tmp_path)], capture_output=True, text=True, check=True)
    assert {"crib-dice", "farkle", "muggins"} <= set(done.stdout.split())
    told = done.stderr.strip().splitlines()
    assert len(told) == 1
    assert told[0].startswith("The game in the folder pig cannot be loaded, and is left out: ")
    assert wrong in told[0]
    assert f"({folder / 'game.py'}, line {line})" in told[0]


def test_a_folder_whose_game_is_not_registered_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "pig"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "game.py").write_text("class Pig:\n    pass\n")
    done = subprocess.run([sys.executable, "-c", _LIST, str(tmp_path)], capture_output=True, text=True, check=True)
    assert {"crib-dice", "farkle", "muggins"} <= set(done.stdout.split())
    told = done.stderr.strip().splitlines()
    assert len(told) == 1
    assert "the folder pig " in told[0]
    assert "register(...)" in told[0]
