"""Runs tasks in processes of this machine.

An executor of the standard library with one process each: when a process dies, its executor is
broken, and so it is known over which task it died, and no other task is lost.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor

from shelfie.api.offline.driver import Stopped
from shelfie.api.offline.work import Done, Task, answer_task


class Worker:
    """One process. hello: its pid, known once it runs."""

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.executor = ProcessPoolExecutor(1, spawn, initializer=prepare)
        self.hello: Future[int] = self.executor.submit(os.getpid)

    def end(self) -> None:
        """Ends the process in the middle of its work."""
        with contextlib.suppress(BrokenExecutor):  # when it has gone already
            pid = self.hello.result()
            for child in multiprocessing.active_children():
                if child.pid == pid:
                    child.terminate()
        self.executor.shutdown(cancel_futures=True)


class Processes:
    """So many processes; use it as a context, which leaves none behind. work: what they do."""

    def __init__(self, count: int, work: Callable[[Task], Done] = answer_task) -> None:
        self.work = work
        self.idle = [Worker() for _ in range(count)]
        self.count = count
        self.busy: dict[Future[Done], Worker] = {}

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in [*self.idle, *self.busy.values()]:
            worker.end()

    def room(self) -> int:
        """One task for each process: a second one would not make it faster."""
        return self.count

    def submit(self, task: Task) -> Future[Done]:
        """Has a task run by a process that is idle."""
        for future in [future for future in self.busy if future.done()]:
            self.idle.append(self._alive(self.busy.pop(future), future))
        worker = self.idle.pop()
        try:
            future = worker.executor.submit(self.work, task)
        except BrokenExecutor:  # it died of idleness
            worker = self._replaced(worker)
            future = worker.executor.submit(self.work, task)
        self.busy[future] = worker
        return future

    def _alive(self, worker: Worker, last: Future[Done]) -> Worker:
        broken = isinstance(last.exception(), BrokenExecutor)
        return self._replaced(worker) if broken else worker

    def _replaced(self, worker: Worker) -> Worker:
        worker.executor.shutdown()
        if worker.hello.exception():
            raise Stopped("processes end while they start; is there enough memory?")
        return Worker()

    def deaths(self, error: BaseException) -> int:
        """A broken executor is one death."""
        return int(isinstance(error, BrokenExecutor))


def prepare() -> None:
    """Makes a process end with its parent, however that ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
