"""An analysis told while it goes on: what the search thinks so far, and then the answer.

The search runs on a thread of its own at its own pace, so a reader who is slow keeps no search
slot, and one who leaves ends the search at its next partial result.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from functools import cache, partial
from queue import SimpleQueue
from threading import Event
from typing import Any

from shelfie.api import answers
from shelfie.api.admission import GivenUp
from shelfie.api.search_operations import hurried, searched
from shelfie.search import Analysis, analyze

Values = dict[str, Any]
Slot = Callable[[], AbstractContextManager[Any]]

MOST_THREADS = 1024  # the server's own threads are the limit: each reads one stream


@cache
def pool() -> ThreadPoolExecutor:
    """Threads for streams, kept for the next ones; made after the server has forked."""
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="stream")


def analysis_lines(
    game: str, request: Values, arrived: float, slot: Slot = nullcontext
) -> Iterator[Values]:
    """Lines `{"partial": answer so far}`, and last the answer.

    slot: makes the context in which the search runs, which may say that it comes late.
    """
    told: SimpleQueue[Values | Future[Values]] = SimpleQueue()
    left = Event()

    def progress(found: Analysis) -> None:
        if left.is_set():
            raise GivenUp
        told.put({"partial": answers.analysis(game, found, request)})

    def work() -> Values:
        with slot() as admitted:
            asked = hurried(request) if admitted is not None and admitted.late else request
            found = searched(partial(analyze, progress=progress), asked, arrived)
        return answers.analysis(game, found, request)

    running = pool().submit(copy_context().run, work)
    running.add_done_callback(told.put)
    try:
        while not isinstance(line := told.get(), Future):
            yield line
        yield line.result()
    finally:
        left.set()
