"""Photos read by the workers of a Dask cluster (docs/decisions/0032-many-photos.md); needs the extra `cluster`.

Muggins has to be installed on every worker, and each has to find the photos under the same names: a shared folder, or a store.
"""

from __future__ import annotations

import uuid
from concurrent.futures import CancelledError, Future
from types import TracebackType

from distributed import Client, KilledWorker, WorkerPlugin
from distributed import Worker as DaskWorker

from api.cli.batch.pool import ClusterError, fatal
from api.cli.batch.task import Done, Task, Worker
from api.console import say

_AHEAD = 16
"""Photos per thread of the cluster that may be in progress or wait for a slower one before them."""
_SECONDS = 60
"""Timeouts to reach the scheduler, and until it has a worker."""


class Cluster:
    """A running Dask cluster."""

    def __init__(self, address: str, task: Task) -> None:
        """Connect, and tell all workers, present and future, how to read photos.

        Raises:
            ClusterError: there is no cluster there, or it has no workers.
        """
        self._run = f"muggins-{uuid.uuid4().hex}"
        say(f"Connecting to the Dask scheduler at {address}, for up to {_SECONDS} s.")
        try:
            self._client = Client(address, timeout=_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(
                f"No Dask scheduler answers at {address}. Start one with `dask scheduler`, workers with `dask worker ADDRESS`."
            ) from error
        try:
            self._client.wait_for_workers(1, timeout=_SECONDS)
            self._client.register_plugin(_Plugin(self._run, task), name=self._run)
        except TimeoutError as error:
            self._client.close()
            raise ClusterError(
                f"The Dask scheduler at {address} has no workers. Start some with `dask worker {address}`."
            ) from error
        except BaseException:
            self._client.close()
            raise
        self._executor = self._client.get_executor(pure=False)
        self.at_once = _AHEAD * sum(self._client.nthreads().values())

    def submit(self, name: str) -> Future[Done]:
        """Start reading a photo; Dask gives it to another worker if its own dies."""
        outcome: Future[Done] = Future()
        reading: Future[Done] = self._executor.submit(_read, self._run, name)
        reading.add_done_callback(lambda _: _pass_on(reading, outcome, name))
        return outcome

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client.status == "running":
            self._executor.shutdown(wait=False)  # also cancels what nobody waits for any longer
            self._client.unregister_worker_plugin(self._run)
        self._client.close()


def _pass_on(reading: Future[Done], outcome: Future[Done], name: str) -> None:
    try:
        outcome.set_result(reading.result())
    except KilledWorker:
        outcome.set_result(fatal(name))
    except CancelledError:
        text = "The connection to the Dask scheduler was lost. Restart it, then run this command again to resume."
        outcome.set_exception(ClusterError(text))
    except BaseException as error:  # any error must reach the thread that waits for the photo
        outcome.set_exception(error)


# In the worker

_WORKERS: dict[str, Worker] = {}
"""The readers of this process, one for each command that uses it."""


class _Plugin(WorkerPlugin):
    """Sent to every worker once, also to one that replaces another: profiles are not sent with every photo."""

    def __init__(self, run: str, task: Task) -> None:
        self._run, self._task = run, task

    def setup(self, worker: DaskWorker) -> None:  # noqa: ARG002 - Dask passes it
        _WORKERS[self._run] = Worker(self._task)

    def teardown(self, worker: DaskWorker) -> None:  # noqa: ARG002
        _WORKERS.pop(self._run, None)


def _read(run: str, name: str) -> Done:
    return _WORKERS[run].read(name)
