"""An analysis told while it goes on: what the search thinks so far, and then the answer.

The search runs on a thread of its own at its own pace, so a reader who is slow keeps no search
slot, and one who leaves ends the search at its next partial result.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from queue import SimpleQueue
from threading import Event
from typing import Any

from shelfie.api import answers
from shelfie.api.search_operations import searched
from shelfie.search import Analysis, analyze

Values = dict[str, Any]

MOST_THREADS = 1024  # the server's own threads are the limit: each reads one stream


@cache
def pool() -> ThreadPoolExecutor:
    """Threads for streams, kept for the next ones; made after the server has forked."""
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="stream")


class Abandoned(Exception):
    """Nobody reads the answer any more."""


def analysis_lines(game: str, request: Values, arrived: float) -> Iterator[Values]:
    """Lines `{"partial": answer so far}`, and last the answer."""
    told: SimpleQueue[Values | Future[Values]] = SimpleQueue()
    left = Event()

    def progress(found: Analysis) -> None:
        if left.is_set():
            raise Abandoned
        told.put({"partial": answers.analysis(game, found, request)})

    def work() -> Values:
        found = searched(partial(analyze, progress=progress), request, arrived)
        return answers.analysis(game, found, request)

    running = pool().submit(copy_context().run, work)
    running.add_done_callback(told.put)
    try:
        while not isinstance(line := told.get(), Future):
            yield line
        yield line.result()
    finally:
        left.set()
