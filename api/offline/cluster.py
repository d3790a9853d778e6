"""Runs tasks on a cluster of Dask distributed, which is used as it is."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future

from distributed import Client, KilledWorker

from shelfie.api.offline.driver import MOST_DEATHS, Stopped
from shelfie.api.offline.work import Done, Task, answer_task

WINDOW = 3  # tasks under way per thread of a worker: one that runs, and two that have arrived
CONNECT = "20s"
LOOK = 5.0  # seconds between two looks at how many workers there are


class Cluster:
    """The workers behind a scheduler; use it as a context."""

    def __init__(self, address: str, warn: Callable[[str], object]) -> None:
        # When a scheduler goes it may tell of it in its own ways, beside what is said here.
        for name in ("distributed", "distributed.client"):  # each has a level of its own
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self.client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise Stopped(f"no scheduler answers at {address}: {error}") from None
        # pure: a key would be made of the content, and a repeat be taken for what was done before
        self.executor = self.client.get_executor(pure=False)
        self.threads = 0
        self.seen = 0.0
        if not self._threads():
            warn(f"no workers at {address} yet; waiting for some")

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self.executor.shutdown(wait=False)
        self.client.close(timeout=5)

    def room(self) -> int:
        """Some tasks for each thread; more when workers join."""
        return WINDOW * max(1, self._threads())

    def _threads(self) -> int:
        if time.monotonic() - self.seen > LOOK:
            try:
                self.threads = sum(self.client.nthreads().values())
            except OSError:
                raise gone() from None
            self.seen = time.monotonic()
        return self.threads

    def submit(self, task: Task) -> Future[Done]:
        """Has a task run by some worker."""
        future: Future[Done] = self.executor.submit(answer_task, task)
        return future

    def deaths(self, error: BaseException) -> int:
        """The scheduler itself gives a task to other workers until it gives it up."""
        if isinstance(error, CancelledError):
            raise gone() from error
        return MOST_DEATHS if isinstance(error, KilledWorker) else 0


def gone() -> Stopped:
    """What to say when the scheduler, which keeps nothing, is no longer there."""
    return Stopped("the scheduler is gone")
