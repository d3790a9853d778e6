"""Answers the items of a batch on a few threads and tells each as soon as it is known.

The search runs without the global lock, so threads are enough to use every core.
"""

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from itertools import islice
from typing import Any

from shelfie.api import json_text
from shelfie.api.batch_items import Item
from shelfie.api.operations import OPERATIONS
from shelfie.api.problems import failure_body, refusal_body
from shelfie.api.refusals import Refused

logger = logging.getLogger(__name__)

Line = tuple[bool, bytes]  # whether the item was answered, and its line


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    """The threads that all batches of this process share; made after the server has forked."""
    return ThreadPoolExecutor(threads, thread_name_prefix="batch")


def answer_lines(
    items: Sequence[Item], arrived: float, request_id: str, threads: int
) -> Iterator[bytes]:
    """One line an item in order of finishing, and the summary.

    No more items are started than there are threads and lines taken, so a reader that is slow
    or gone stops the work, and batches take turns.
    """
    waiting = iter(items)
    running: set[Future[Line]] = set()
    answered = 0
    try:
        while True:
            for item in islice(waiting, threads - len(running)):
                running.add(pool(threads).submit(answer_line, item, arrived, request_id))
            if not running:
                break
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                ok, line = future.result()
                answered += ok
                yield line
    finally:
        for future in running:
            future.cancel()
    yield summary_line(len(items), answered)


def answer_line(item: Item, arrived: float, request_id: str) -> Line:
    """The line of one item: the body or the problem that the single call would have."""
    try:
        return True, line_of(item, 200, body=body_of(item, arrived))
    except Refused as error:
        problem = refusal_body(error, request_id)
    except Exception:
        logger.exception("Item %d of batch %s failed", item.index, request_id)
        problem = failure_body(request_id)
    return False, line_of(item, problem["status"], problem=problem)


def body_of(item: Item, arrived: float) -> dict[str, Any]:
    """The answer to an item; raises `Refused`."""
    if item.refused is not None:
        raise item.refused
    assert item.values is not None
    return OPERATIONS[item.op].answer(item.game, item.values, arrived)


def line_of(item: Item, status: int, **content: Any) -> bytes:
    """The text of an item's line, with its line end."""
    name = {} if item.id is None else {"id": item.id}
    return json_text.dumps({"index": item.index, **name, "status": status, **content}) + b"\n"


def summary_line(items: int, answered: int) -> bytes:
    """The last line: a stream without it was cut."""
    counts = {"items": items, "ok": answered, "failed": items - answered, "complete": True}
    return json_text.dumps({"summary": counts}) + b"\n"
