"""The command that fuzzes: what it prepares, what it takes from the fuzzer, and what it calls a find."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz.__main__ import Progress, prepared
from tests.fuzz.targets import TARGETS, Target


def test_samples_and_words_lie_ready(tmp_path: Path) -> None:
    target = TARGETS["place"]
    arguments = prepared(target, tmp_path)
    assert {file.read_bytes() for file in (tmp_path / "corpus").iterdir()} == set(target.seeds())
    assert r'"\x45\x78\x69\x66\x00\x00"' in (tmp_path / "words").read_text().splitlines()  # Exif
    assert f"-max_len={target.longest}" in arguments
    assert arguments[-1] == str(tmp_path / "corpus")


def test_progress_is_what_the_fuzzer_says() -> None:
    progress = Progress()
    for line in (
        "#2\tINITED cov: 120 ft: 120 corp: 1/10b exec/s: 0 rss: 90Mb",
        "SLOWEST 0.031",
        "SLOWEST 0.120",
        "#4096\tNEW    cov: 246 ft: 300 corp: 119/40Kb lim: 60000 exec/s: 900 rss: 97Mb L: 5/60 MS: 1 EraseBytes-",
        "Done 40297 runs in 31 second(s)",
    ):
        progress.note(line)
    assert (progress.tried, progress.coverage, progress.corpus, progress.slowest) == (40297, 246, 119, 0.12)


def busy(seconds: float) -> Callable[[bytes], object]:
    def take(_: bytes) -> None:
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass

    return take


def test_what_takes_too_long_is_a_find() -> None:
    pytest.importorskip("atheris", reason="atheris is not installed here")
    from tests.fuzz.one import Measured, TooCostlyError

    def target(take: Callable[[bytes], object], seconds: float) -> Target:
        return Target(take, lambda: iter(()), seconds, 1000, 100)

    Measured(target(busy(0.0), 30.0))(b"")
    with pytest.raises(TooCostlyError, match="processor time"):
        # So much more than allowed that no slow machine is an excuse.
        Measured(target(busy(0.5), 0.0001))(b"")


def test_what_takes_too_much_memory_is_a_find() -> None:
    pytest.importorskip("atheris", reason="atheris is not installed here")
    from tests.fuzz.one import Measured, TooCostlyError

    # More than the process ever had: its peak has to rise.
    hungry = Measured(Target(lambda data: bytearray(b"\1") * (len(data) << 20), lambda: iter(()), 1000.0, 50, 100))
    hungry(b"")
    with pytest.raises(TooCostlyError, match="memory"):
        hungry(bytes(700))
