"""Photos read by several processes, which are killed in the middle: every photo has one result, and none has two.

The command is the real one, and so are the processes, the Dask cluster and the S3 server.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from api.cli.batch.pool import read_all
from api.cli.batch.processes import Processes
from api.cli.batch.task import Task
from api.cli.report.photos import Unread
from api.interpret.score_request import ScoreRequest
from tests.api.cli.batch.photos import DAMAGED, tables

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the processes to be killed in /proc")
COMMAND = [sys.executable, "-c", "from api.cli.main import main; main()", "read"]
_WITHIN = 600
"""Seconds that anything may take."""


def children(pid: int) -> set[int]:
    """The processes that it has started itself, multiprocessing's own tracker left out."""
    return {each for each in processes() if parent(each) == pid and "resource_tracker" not in cmdline(each)}


def processes() -> list[int]:
    return [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]


def parent(pid: int) -> int | None:
    try:
        # The name of the program comes before, in brackets, and may hold anything.
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def cmdline(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + _WITHIN
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def names(path: Path) -> list[str]:
    """Of all whole lines."""
    text = path.read_text() if path.exists() else ""
    return [json.loads(line)["photo"] for line in text.splitlines(keepends=True) if line.endswith("\n")]


@contextmanager
def reading(*arguments: object, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """The command, running."""
    everything = [*COMMAND, *map(str, arguments)]
    process = subprocess.Popen(everything, stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})})
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> int:
    """Its exit code."""
    _, said = process.communicate(timeout=_WITHIN)
    assert "Traceback" not in said, said
    return process.returncode


def killing(process: subprocess.Popen[str], out: Path, workers: Callable[[], set[int]], times: int) -> None:
    """Kill a worker of the command so many times, each after more photos have been read."""
    for _ in range(times):
        before = len(names(out))
        until(lambda before=before: process.poll() is not None or (len(names(out)) > before and workers()))
        assert process.poll() is None, "it had ended before it could be killed so often"
        os.kill(min(workers()), signal.SIGKILL)


def assert_each_once(out: Path, photos: Sequence[str], damaged: int) -> None:
    assert Counter(names(out)) == Counter(photos)
    assert sum("error" in json.loads(line) for line in out.read_text().splitlines()) == damaged


def test_workers_that_are_killed_lose_and_double_no_photo(tmp_path: Path) -> None:
    photos, out = tables(tmp_path / "photos", 100, damaged=[7, 40]), tmp_path / "out.jsonl"
    with reading(tmp_path / "photos", "--workers", 2, "--out", out) as process:
        killing(process, out, lambda: children(process.pid), 2)
        assert ended(process) == 2, "two files are no photos"
    assert_each_once(out, photos, damaged=2)
    assert names(out) == photos, "in order"


def test_a_command_that_is_killed_goes_on_where_it_was_and_leaves_no_process(tmp_path: Path) -> None:
    photos, out = tables(tmp_path / "photos", 50), tmp_path / "out.jsonl"
    with reading(tmp_path / "photos", "--workers", 2, "--out", out) as process:
        until(lambda: len(names(out)) > 5)
        workers = children(process.pid)
        process.kill()
    assert workers
    until(lambda: not any("spawn" in cmdline(each) for each in workers))
    before = names(out)
    assert len(before) < len(photos), "it was killed in the middle"
    with reading(tmp_path / "photos", "--workers", 2, "--out", out) as process:
        assert ended(process) == 0
    assert names(out)[: len(before)] == before, "what was done is kept as it was"
    assert_each_once(out, photos, damaged=0)


def test_a_photo_that_always_ends_its_process_is_a_result_and_the_rest_is_read(tmp_path: Path) -> None:
    deadly, *others = tables(tmp_path, 5)
    before = children(os.getpid())
    with Processes(Task(ScoreRequest()), 1) as pool:
        outcome = pool.submit(deadly)
        while not outcome.done():
            for each in children(os.getpid()) - before:
                os.kill(each, signal.SIGKILL)
            time.sleep(0.05)
        told = outcome.result().result
        assert isinstance(told, Unread)
        assert (told.photo, told.error.code) == (deadly, "too-costly")
        rest = [done.name for done in read_all(pool, others)]
    assert rest == others


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, Callable[[], set[int]]]]:
    """The address of a Dask scheduler with two workers, and who these are."""
    if find_spec("distributed") is None:
        pytest.skip("Dask is not installed (the extra 'cluster')")
    file = tmp_path / "scheduler.json"
    log = (tmp_path / "dask.log").open("w")
    common = {
        "stdout": log,
        "stderr": log,
        "cwd": tmp_path,
        "env": {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    }
    dask = [sys.executable, "-m", "dask"]
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)],
        **common,
    )
    workers = subprocess.Popen(
        [*dask, "worker", "--scheduler-file", str(file), "--nworkers", "2", "--nthreads", "1", "--no-dashboard"],
        **common,
    )
    try:
        until(file.exists)
        yield json.loads(file.read_text())["address"], lambda: children(workers.pid)
    finally:
        for process in (workers, scheduler):
            process.terminate()
            process.wait(60)
        log.close()


def test_workers_of_a_cluster_that_are_killed_lose_and_double_no_photo(
    tmp_path: Path, cluster: tuple[str, Callable[[], set[int]]]
) -> None:
    address, workers = cluster
    photos, out = tables(tmp_path / "photos", 100, damaged=[3]), tmp_path / "out.jsonl"
    with reading(tmp_path / "photos", "--cluster", address, "--out", out) as process:
        killing(process, out, workers, 2)
        assert ended(process) == 2
    assert_each_once(out, photos, damaged=1)


@pytest.fixture
def store() -> Iterator[dict[str, str]]:
    """How to reach a server that speaks S3."""
    if find_spec("moto") is None or find_spec("s3fs") is None:
        pytest.skip("moto[server] (in no extra) or s3fs (the extra 's3') is not installed")
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "ann", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}
    yield {**keys, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}
    server.stop()


def test_photos_in_a_store_are_read_like_those_in_a_folder(tmp_path: Path, store: dict[str, str]) -> None:
    import s3fs

    names_here = tables(tmp_path / "photos", 6, damaged=[2])
    bucket = s3fs.S3FileSystem(
        key=store["AWS_ACCESS_KEY_ID"], secret=store["AWS_SECRET_ACCESS_KEY"], endpoint_url=store["AWS_ENDPOINT_URL"]
    )
    bucket.mkdir("throws")
    for name in names_here:
        bucket.pipe(f"throws/day one/{Path(name).name}", Path(name).read_bytes())
    bucket.pipe("throws/day one/notes.txt", DAMAGED)
    photos = [f"s3://throws/day one/{Path(name).name}" for name in names_here]
    for named, wanted in (("s3://throws", photos), ("s3://throws/day*/*0.png", photos[:1]), (photos[1], photos[1:2])):
        out = tmp_path / f"{len(named)}.jsonl"
        with reading(named, "--workers", 2, "--out", out, env=store) as process:
            assert ended(process) == (2 if len(wanted) > 1 else 0)
        assert names(out) == wanted
    with reading("s3://no-such-bucket", "--out", tmp_path / "none.jsonl", env=store) as process:
        assert ended(process) == 2
    assert json.loads((tmp_path / "none.jsonl").read_text())["error"]["code"] == "not-found"
