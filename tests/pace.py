"""How much slower this machine is just now than one at rest: bounds on processor time are meant for that one."""

import time

_LOOP = 300_000
_AT_REST = 0.02
"""Seconds of processor time for the loop on a machine of today."""


def slowness() -> float:
    """4 or more; six times what is measured: fresh memory is dearer than a loop, and the pace changes by the second."""
    begun, total = time.thread_time(), 0
    for number in range(_LOOP):
        total += number
    return max(4.0, 6 * (time.thread_time() - begun) / _AT_REST)
