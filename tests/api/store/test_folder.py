"""The data folder is its owner's, and one server's."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from api.store import StoreError
from api.store.folder import DATABASE, only_server, prepare

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files")


def mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


@posix
def test_a_new_folder_is_closed_to_others(tmp_path: Path) -> None:
    prepare(tmp_path / "data")
    assert mode(tmp_path / "data") == 0o700


@posix
@pytest.mark.parametrize(
    "holds", [[], [DATABASE], ["profiles"], [DATABASE, f"{DATABASE}-wal", "photos", "config.toml"]]
)
def test_a_folder_of_ours_is_closed(tmp_path: Path, holds: list[str]) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o755)
    for name in holds:
        (folder / name).touch()
    prepare(folder)
    assert mode(folder) == 0o700


@posix
@pytest.mark.parametrize("holds", [["letters.txt"], ["letters.txt", DATABASE], ["photos"]])
def test_a_folder_with_other_things_stays_as_it_is_and_that_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, holds: list[str]
) -> None:
    folder = tmp_path / "holiday"
    folder.mkdir()
    folder.chmod(0o755)
    for name in holds:
        (folder / name).touch()
    with caplog.at_level(logging.WARNING):
        prepare(folder)
        prepare(folder)
    assert mode(folder) == 0o755
    assert caplog.text.count(f"chmod 700 {folder}") == 1


def test_a_second_server_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with only_server(tmp_path):
        other = "from pathlib import Path; from api.store.folder import only_server; only_server(Path(%r)).__enter__()"
        said = subprocess.run(
            [sys.executable, "-c", other % str(tmp_path)], capture_output=True, text=True, check=False
        )
    assert said.returncode == 1
    assert "--database" in said.stderr
    with only_server(tmp_path):
        pass


def test_a_second_server_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    with only_server(tmp_path), pytest.raises(StoreError) as refused, only_server(tmp_path):
        pass
    assert refused.value.code == "folder-in-use"
