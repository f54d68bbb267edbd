"""How much slower this machine is just now than one at rest: bounds on processor time are meant for that one."""

import time

_LOOP, _FRESH, _SAMPLES = 300_000, 8 * 1024**2, 5
_AT_REST = 0.024
"""Seconds of processor time for the loop and the fresh bytes on a machine of today that does nothing else."""


def slowness() -> float:
    """1 on a machine at rest, and more on a busy one: of some samples the slowest, for its pace changes by the second."""
    return max(1.0, *(_sample() / _AT_REST for _ in range(_SAMPLES)))


def _sample() -> float:
    begun, total = time.thread_time(), 0
    for number in range(_LOOP):
        total += number
    fresh = bytearray(_FRESH)
    fresh[::4096] = b"\1" * (_FRESH // 4096)
    return time.thread_time() - begun
