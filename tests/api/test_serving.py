"""Where the server keeps things."""

from pathlib import Path

import pytest

from api.serving import data_folder
from tests.api.conftest import Muggins


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, Path.home() / ".local/share/muggins"),
        ("linux", {"XDG_DATA_HOME": "/var/data"}, Path("/var/data/muggins")),
        ("linux", {"XDG_DATA_HOME": "data"}, Path.home() / ".local/share/muggins"),
        ("darwin", {"XDG_DATA_HOME": "/var/data"}, Path.home() / "Library/Application Support/Muggins"),
        ("win32", {"LOCALAPPDATA": "/appdata"}, Path("/appdata/Muggins")),
    ],
)
def test_each_system_has_its_folder(platform: str, environment: dict[str, str], expected: Path) -> None:
    assert data_folder(platform, environment) == expected


def test_a_database_that_cannot_be_used_is_said_without_its_password(muggins: Muggins, tmp_path: Path) -> None:
    done = muggins("serve", "--port", "0", "--data", tmp_path, "--database", "mysql://ann:secret@localhost/games")
    assert done.returncode == 1
    assert "postgresql+psycopg://" in done.stderr
    assert "secret" not in done.stderr


def test_a_folder_that_cannot_be_used_is_said(muggins: Muggins, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = muggins("serve", "--port", "0", "--data", tmp_path / "file")
    assert (done.returncode, done.stdout) == (1, "")
    assert str(tmp_path / "file") in done.stderr
