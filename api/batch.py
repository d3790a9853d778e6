"""Answers the items of a batch on a few threads and tells each as soon as it is known.

The search runs without the global lock, so threads are enough to use every core.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any

from shelfie.api import json_text
from shelfie.api.admission import Gate, GivenUp, Lease, step
from shelfie.api.batch_items import Item
from shelfie.api.observation import searched
from shelfie.api.operations import OPERATIONS
from shelfie.api.problems import failure_body, refusal_body
from shelfie.api.refusals import Refused
from shelfie.api.search_operations import hurried, latest_start

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Line:
    """What is known of an item once it is finished. playouts: those of its search."""

    item: Item
    status: int
    text: bytes
    playouts: int = 0


class Batch:
    """The items of one batch and the threads that answer them.

    credits: how many more items may be begun; each line that is taken gives one back, so a
    reader that is slow or gone stops the work.
    """

    AHEAD = 4  # lines per thread that the reader may be behind

    def __init__(self, items: Sequence[Item], arrived: float, request_id: str, gate: Gate) -> None:
        self.items = iter(items)
        self.arrived = arrived
        self.request_id = request_id
        self.gate = gate
        self.given_up = threading.Event()
        self.threads = max(1, min(gate.slots, len(items)))
        self.credits = threading.Semaphore(self.AHEAD * self.threads)
        self.taking = threading.Lock()
        self.lines: SimpleQueue[Line] = SimpleQueue()

    def start(self) -> None:
        """Starts the threads; they end with the items, or when the batch is given up."""
        for _ in range(self.threads):
            # Each with the request's context, so that its log lines name the request.
            run = copy_context().run
            threading.Thread(target=run, args=(self._answer_items,), name="batch").start()

    def give_up(self) -> None:
        """No further item is begun."""
        self.given_up.set()
        self.credits.release(self.threads)

    def _answer_items(self) -> None:
        lease = Lease(self.gate, self.given_up)
        try:
            while (item := self._next(lease)) is not None:
                self.lines.put(answer_line(item, self.arrived, self.request_id, lease))
        finally:
            lease.release()

    def _next(self, lease: Lease) -> Item | None:
        if not self.credits.acquire(blocking=False):
            lease.release()  # nobody reads: others may search meanwhile
            self.credits.acquire()
        if self.given_up.is_set():
            return None
        with self.taking:
            return next(self.items, None)


def answer_lines(
    items: Sequence[Item], arrived: float, request_id: str, gate: Gate
) -> Iterator[Line]:
    """The lines of a batch's items in order of finishing."""
    batch = Batch(items, arrived, request_id, gate)
    batch.start()
    try:
        for _ in items:
            yield batch.lines.get()
            batch.credits.release()
    finally:
        batch.give_up()


def answer_line(item: Item, arrived: float, request_id: str, lease: Lease) -> Line:
    """The line of one item: the body or the problem that the single call would have."""
    try:
        body = body_of(item, arrived, lease)
        if "search" in body:
            searched(item.game, item.op, body)
        playouts = body.get("search", {}).get("playouts", 0)
        return Line(item, 200, line_of(item, 200, body=body), playouts)
    except Refused as error:
        problem = refusal_body(error, request_id)
    except GivenUp:
        problem = failure_body(request_id)  # nobody reads it
    except Exception:
        logger.exception("Item %d of a batch failed", item.index)
        problem = failure_body(request_id)
    status = problem["status"]
    return Line(item, status, line_of(item, status, problem=problem))


def body_of(item: Item, arrived: float, lease: Lease) -> dict[str, Any]:
    """The answer to an item; raises `Refused`."""
    if item.refused is not None:
        raise item.refused
    values = item.values
    assert values is not None
    operation = OPERATIONS[item.op]
    if operation.stepwise:
        return operation.answer(item.game, values, arrived, partial(step, lease, keep=True))
    if operation.searches and not lease.hold(latest_start(values, arrived)):
        values = hurried(values)
    return operation.answer(item.game, values, arrived)


def line_of(item: Item, status: int, **content: Any) -> bytes:
    """The text of an item's line, with its line end."""
    name = {} if item.id is None else {"id": item.id}
    return json_text.dumps({"index": item.index, **name, "status": status, **content}) + b"\n"


def summary_line(items: int, answered: int) -> bytes:
    """The last line: a stream without it was cut."""
    counts = {"items": items, "ok": answered, "failed": items - answered, "complete": True}
    return json_text.dumps({"summary": counts}) + b"\n"
