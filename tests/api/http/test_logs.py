"""The log of the server and of its worker."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime

import pytest

SERVER = "import logging.config; logging.config.dictConfig(logs.server())"
WORKER = "logs.worker()"
SAY = "import logging; logging.getLogger('api.store.changes').warning('Lost the live updates')"


@pytest.mark.parametrize("begin", [SERVER, WORKER])
def test_what_the_modules_say_is_logged_once_with_its_time(begin: str) -> None:
    code = f"from api.http import logs; {begin}; {SAY}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (line,) = done.stderr.splitlines()
    at, *_ = line.split()
    assert abs((datetime.now().astimezone() - datetime.fromisoformat(at)).total_seconds()) < 600
    assert "WARNING" in line
    assert line.endswith("Lost the live updates")
