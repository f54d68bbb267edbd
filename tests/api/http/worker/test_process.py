"""A photo that takes too much is given up, whatever it does to the process that reads it; the next one is read."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator

import pytest

from api.http.worker import messages
from api.http.worker.process import Budget, Interrupted, WorkerFailed, WorkerProcess
from scorer.engine.expected import pieces
from tests.api.http.worker.photos import large_photo
from tests.api.pictures import drawn_throw, jpeg
from vision.photo import Limits, PhotoError
from vision.taught.pieces import InvalidProfile, TaughtPiece
from vision.taught.profile import Profile


@pytest.fixture(scope="module")
def throw() -> bytes:
    return jpeg(drawn_throw())


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerProcess]:
    running = WorkerProcess(Limits(), Budget())
    yield running
    running.close()


posix = pytest.mark.skipif(os.name != "posix", reason="signals")
ASKED = {"do": "look-again", "name": "photo", "expected": None, "max_bytes": 10**8, "max_pixels": 10**8}


def hung(worker: WorkerProcess) -> subprocess.Popen[bytes]:
    """Its process, which does nothing from now on."""
    process = worker._running()
    process.send_signal(signal.SIGSTOP)
    return process


def dice(worker: WorkerProcess, photo: bytes) -> int:
    answer, _ = worker.ask("read", "throw", photo)
    return len(answer["reading"]["dice"])


def test_it_reads_one_photo_after_the_other(worker: WorkerProcess, throw: bytes) -> None:
    first, second = (worker.ask("take", "photo", throw) for _ in range(2))
    assert first[1] == second[1] == throw
    assert first[0]["reading"]["sha256"] == second[0]["reading"]["sha256"]


def test_it_looks_for_what_the_game_is_played_with(worker: WorkerProcess, throw: bytes) -> None:
    assert dice(worker, throw)
    answer, _ = worker.ask("read", "throw", throw, pieces("domino"))
    assert answer["reading"]["dice"] == []


def test_a_photo_that_cannot_be_read_is_refused_as_ever(worker: WorkerProcess, throw: bytes) -> None:
    with pytest.raises(PhotoError) as refused:
        worker.ask("read", "photo", throw[:1000])
    assert refused.value.code == "truncated"
    assert dice(worker, throw) == 7


def test_a_photo_that_takes_too_much_memory_is_refused_and_the_next_one_read(throw: bytes) -> None:
    worker = WorkerProcess(Limits(), Budget(megabytes=500))
    try:
        with pytest.raises(PhotoError) as refused:
            worker.ask("read", "photo", large_photo(40))
        assert refused.value.code == "too-costly"
        assert dice(worker, throw) == 7
    finally:
        worker.close()


def test_a_profile_of_the_game_that_is_damaged_is_named_with_the_way_out(worker: WorkerProcess, throw: bytes) -> None:
    corners = ((40.0, 40.0), (120.0, 40.0), (120.0, 120.0), (40.0, 120.0))
    damaged = Profile("mine", (TaughtPiece("d6", (6,), corners, b"no picture"),)).data
    with pytest.raises(
        InvalidProfile, match=r"^The profile mine of this game .*'Share', choose 'Stop using' beside it"
    ):
        worker.ask("take", "photo", throw, profiles=[damaged])
    assert dice(worker, throw) == 7


def test_profiles_of_any_size_come_with_a_photo(worker: WorkerProcess, throw: bytes) -> None:
    corners = ((40.0, 40.0), (120.0, 40.0), (120.0, 120.0), (40.0, 120.0))
    picture = jpeg(drawn_throw().crop((0, 0, 160, 160))) + bytes(5_000_000)
    large = [Profile(name, (TaughtPiece("d6", (6,), corners, picture),)).data for name in ("a", "b", "c")]
    assert sum(map(len, large)) > messages._LONGEST_LINE
    answer, kept = worker.ask("take", "photo", throw, profiles=large)
    assert kept == throw
    assert list(answer["reading"]["profiles"]) == ["a", "b", "c"]


def test_a_line_that_is_too_long_is_no_fault_of_the_photo(worker: WorkerProcess, throw: bytes) -> None:
    dice(worker, throw)
    process = worker._running()
    with pytest.raises(WorkerFailed, match="too long"):
        worker.ask("read", "photo", throw, more={"said": "x" * messages._LONGEST_LINE})
    assert dice(worker, throw) == 7
    assert worker._running() is process


@posix
def test_a_photo_that_takes_too_long_is_given_up_and_the_next_one_read(
    worker: WorkerProcess, throw: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    dice(worker, throw)  # its networks are open
    hung(worker)
    worker._budget = Budget(seconds=0.05)
    with pytest.raises(PhotoError) as refused:
        worker.ask("read", "photo", throw)
    assert refused.value.code == "too-costly"
    assert "longer than 0.15 seconds" in refused.value.message
    assert [each.getMessage() for each in caplog.records] == [
        "A photo was not read within 0.15 s by the clock: its worker was ended."
    ]
    worker._budget = Budget()
    assert dice(worker, throw) == 7


@posix
def test_a_photo_that_takes_too_much_of_a_core_is_given_up_before_that(worker: WorkerProcess) -> None:
    process = worker._running()
    large = large_photo(95)  # the system counts whole seconds of a core, so it must take more than one
    with pytest.raises(PhotoError) as refused:
        worker._answered({**ASKED, "seconds": 0.2}, large)
    assert refused.value.code == "too-costly"
    assert "more than 20 seconds of a processor's time" in refused.value.message  # those of the worker's own budget
    assert process.returncode == -signal.SIGXCPU


@posix
@pytest.mark.parametrize("ends", [signal.SIGSEGV, signal.SIGKILL] if os.name == "posix" else [])
def test_a_photo_that_crashes_what_reads_it_is_refused_and_the_next_one_read(
    worker: WorkerProcess, throw: bytes, ends: signal.Signals
) -> None:
    dice(worker, throw)
    process = hung(worker)
    threading.Timer(0.1, lambda: process.send_signal(ends)).start()
    threading.Timer(0.2, lambda: process.send_signal(signal.SIGCONT)).start()
    with pytest.raises(PhotoError) as refused:
        worker.ask("read", "photo", throw)
    assert refused.value.code == "too-costly"
    assert dice(worker, throw) == 7


@posix
def test_what_nobody_waits_for_ends_at_once_and_is_no_fault_of_the_photo(
    worker: WorkerProcess, throw: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    dice(worker, throw)
    hung(worker)
    threading.Timer(0.1, worker.interrupt).start()
    with pytest.raises(Interrupted):
        worker.ask("read", "photo", throw)
    assert caplog.records == []
    assert dice(worker, throw) == 7


def test_a_worker_that_does_not_start_is_no_fault_of_the_photo(throw: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    worker = WorkerProcess(Limits(), Budget())
    with pytest.raises(WorkerFailed):
        worker.ask("read", "photo", throw)
