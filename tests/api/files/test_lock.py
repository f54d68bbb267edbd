"""Lock files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from api.files.lock import LockedError, held

OTHER = "import sys; from pathlib import Path; from api.files.lock import held; held(Path(sys.argv[1])).__enter__()"


def another(file: Path) -> str:
    """What another process says that wants the lock."""
    return subprocess.run([sys.executable, "-c", OTHER, str(file)], capture_output=True, text=True, check=False).stderr


def test_one_process_at_a_time_holds_it(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl.lock"
    with held(file) as alone:
        assert alone
        assert "LockedError" in another(file)
        with pytest.raises(LockedError), held(file):
            pass
        assert "LockedError" in another(file)  # who was refused has not taken it away
    assert another(file) == ""


def test_nothing_of_it_stays(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), held(tmp_path / "lock"):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_stays_is_free_again(tmp_path: Path) -> None:
    file = tmp_path / "server.lock"
    for _ in range(2):
        with held(file, mode=0o600, stays=True):
            assert "LockedError" in another(file)
    assert list(tmp_path.iterdir()) == [file]


def test_where_it_cannot_be_made_nobody_waits(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="o such file"), held(tmp_path / "nowhere" / "lock"):
        pass
