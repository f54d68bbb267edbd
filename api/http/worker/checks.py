"""Checks the evidence on standard input, and prints each finding as it is found: a line of JSON, then one with the verdict.

    python -P -m api.http.worker.checks 2048 1800 '{"heads": [], "key": null}' < evidence.zip

The numbers are its limits: megabytes of memory, and seconds of CPU time.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO

from api.evidence.archive import has_photos
from api.evidence.findings import Finding, Verdict
from api.evidence.throws import hash_of
from api.evidence.verify import Verification
from api.http.worker.tasks import limit_memory, limit_time
from vision.reader import TableReader

_YIELDING = 10
"""Its niceness above the server's: people at a table do not wait for somebody who checks an old game."""


def check(evidence: BinaryIO, asked: Mapping[str, Any]) -> None:
    """Print the findings."""
    reader = TableReader() if has_photos(evidence) else None
    checks = Verification(evidence, reader, heads=asked["heads"], key=asked["key"])
    found: list[Finding] = []
    for finding in checks:
        found.append(finding)
        _say(finding.to_json())
    heads = [hash_of(line) for line in checks.record.lines] if checks.record else []
    signed = {"game": checks.signed_game or None, "key": checks.signer or None}
    _say({"verdict": Verdict(tuple(found)).level, **signed, "heads": heads})


def _say(what: Mapping[str, Any]) -> None:
    print(json.dumps(what), flush=True)


def main() -> None:
    """The main function of this process."""
    # Ctrl-C is handled by the server, which ends its children itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_YIELDING)
    limit_memory(int(sys.argv[1]))
    limit_time(float(sys.argv[2]))
    check(sys.stdin.buffer, json.loads(sys.argv[3]))


if __name__ == "__main__":
    main()
