"""`python -m tests.fuzz NAME --minutes 60`: atheris changes the samples of a target, guided by what code they reach.

A find is an error that is not documented, an input that takes more time or memory than the target allows, or a crash. It ends
the run with exit code 1, and the input is kept. What reached new code is kept, too, and the next run goes on from there:

    runs/fuzz/NAME/corpus   inputs that reach different code
    runs/fuzz/NAME/found    finds: `python -m tests.fuzz NAME --input FILE` tries one again

It needs atheris (`pip install atheris`), which is no dependency of the project.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from tests.fuzz.targets import ROOT, TARGETS, Target

_EVERY = 30.0
"""Seconds between two lines of progress."""
_HANGS = 600
"""Seconds by the clock after which an input is given up: its time is measured on the processor, if it ends."""
_MEMORY = 2048
"""Megabytes of the whole process."""
_TAIL = 40
"""Lines that are shown of what was said last, if something is found."""
_STATUS = re.compile(r"#(\d+)\s+\S+\s+.*?cov: (\d+).*?corp: (\d+)")
_DONE = re.compile(r"Done (\d+) ")
_SLOWEST = re.compile(r"SLOWEST ([\d.]+)")


@dataclass
class Progress:
    """How far a run is.

    Attributes:
        tried: inputs.
        coverage: edges of code that were reached.
        corpus: inputs that reach different code.
        slowest: seconds of processor time of one input.
        tail: what was said last.
    """

    tried: int = 0
    coverage: int = 0
    corpus: int = 0
    slowest: float = 0.0
    tail: deque[str] = field(default_factory=lambda: deque(maxlen=_TAIL))

    def note(self, line: str) -> None:
        """Take in a line of what the fuzzer says."""
        self.tail.append(line)
        if found := _STATUS.search(line):
            self.tried, self.coverage, self.corpus = map(int, found.groups())
        elif found := _DONE.search(line):
            self.tried = int(found[1])
        elif found := _SLOWEST.search(line):
            self.slowest = max(self.slowest, float(found[1]))

    def __str__(self) -> str:
        told = f"{self.tried} inputs, {self.coverage} edges, {self.corpus} inputs kept"
        return f"{told}, the slowest {self.slowest:.2f} s of processor time"


def main() -> None:
    """Fuzz one target, and say what came of it."""
    options = _options()
    if find_spec("atheris") is None:
        raise SystemExit("atheris is not installed: pip install atheris")
    folder = options.out / options.name
    if options.input:
        raise SystemExit(subprocess.run(_command(options.name, str(options.input)), cwd=ROOT).returncode)
    arguments = prepared(TARGETS[options.name], folder)
    begun = time.monotonic()
    code, progress = _fuzzed(options.name, [*arguments, f"-max_total_time={round(options.minutes * 60)}"])
    minutes = (time.monotonic() - begun) / 60
    print(f"{options.name}: {minutes:.1f} minutes, {progress}", flush=True)
    if code:
        print(*progress.tail, sep="\n")
        raise SystemExit(f"{options.name}: found something, see above and {folder / 'found'}")
    print(f"{options.name}: nothing was found")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=TARGETS)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", type=Path, default=ROOT / "runs/fuzz")
    parser.add_argument("--input", type=Path, help="try this one only")
    return parser.parse_args()


def prepared(target: Target, folder: Path) -> list[str]:
    """The folders and the words of a target; what libFuzzer is to be told of them."""
    corpus, found, words = folder / "corpus", folder / "found", folder / "words"
    for each in (corpus, found):
        each.mkdir(parents=True, exist_ok=True)
    for seed in target.seeds():
        (corpus / hashlib.sha1(seed, usedforsecurity=False).hexdigest()).write_bytes(seed)
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words))
    limits = [f"-max_len={target.longest}", f"-timeout={_HANGS}", f"-rss_limit_mb={_MEMORY}", f"-dict={words}"]
    return [*limits, f"-artifact_prefix={found}/", str(corpus)]


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def _command(name: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.fuzz.one", name, *arguments]


def _fuzzed(name: str, arguments: Iterable[str]) -> tuple[int, Progress]:
    progress, shown = Progress(), time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        _command(name, *arguments), cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    for line in _lines(process.stderr):
        progress.note(line)
        if time.monotonic() - shown > _EVERY:
            shown = time.monotonic()
            print(f"{name}: {progress}", flush=True)
    return process.wait(), progress


def _lines(said: IO[bytes] | None) -> Iterable[str]:
    assert said is not None
    return (line.decode(errors="replace").rstrip() for line in said)


if __name__ == "__main__":
    main()
