"""Answers the items of a batch on a few threads and tells each as soon as it is known.

One thread answers here; each of the others has another worker answer, where there is one.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any

from structlog.contextvars import bind_contextvars

from shelfie.api import json_text
from shelfie.api.admission import Gate, GivenUp, Lease, step
from shelfie.api.batch_items import Item
from shelfie.api.observation import searched
from shelfie.api.operations import OPERATIONS
from shelfie.api.problems import failure_body, refusal_body
from shelfie.api.refusals import Refused
from shelfie.api.schemas import load
from shelfie.api.search_operations import hurried, latest_start
from shelfie.api.siblings import Connection, Gone

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a batch's items share: when it came, and by which id."""

    arrived: float
    request_id: str


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

    def __init__(self, items: Sequence[Item], asked: Asked, gate: Gate) -> None:
        self.items = iter(items)
        self.asked = asked
        self.gate = gate
        self.given_up = threading.Event()
        self.threads = max(1, min(gate.slots, len(items)))
        self.credits = threading.Semaphore(self.AHEAD * self.threads)
        self.taking = threading.Lock()
        self.lines: SimpleQueue[Line] = SimpleQueue()

    def start(self) -> None:
        """Starts the threads; they end with the items, or when the batch is given up."""
        for place in range(self.threads):
            # Each with the request's context, so that its log lines name the request.
            work = (self._answer_items, place)
            threading.Thread(target=copy_context().run, args=work, name="batch").start()

    def give_up(self) -> None:
        """No further item is begun."""
        self.given_up.set()
        self.credits.release(self.threads)

    def _answer_items(self, place: int) -> None:
        lease = Lease(self.gate, self.given_up)
        sibling = self.gate.siblings.partner(place)
        with sibling or nullcontext():
            try:
                while (item := self._next(lease)) is not None:
                    self.lines.put(self._answered(item, lease, sibling))
            finally:
                lease.release()

    def _answered(self, item: Item, lease: Lease, sibling: Connection | None) -> Line:
        late = item.searches and not lease.hold(latest_start(item.values, self.asked.arrived))
        line = None
        if sibling is not None and item.searches:
            line = sibling_line(sibling, item, self.asked, late)
        return line or answer_line(item, self.asked, late, lease)

    def _next(self, lease: Lease) -> Item | None:
        if not self.credits.acquire(blocking=False):
            lease.release()  # nobody reads: others may search meanwhile
            self.credits.acquire()
        if self.given_up.is_set():
            return None
        with self.taking:
            return next(self.items, None)


def answer_lines(items: Sequence[Item], asked: Asked, gate: Gate) -> Iterator[Line]:
    """The lines of a batch's items in order of finishing."""
    batch = Batch(items, asked, gate)
    batch.start()
    try:
        for _ in items:
            yield batch.lines.get()
            batch.credits.release()
    finally:
        batch.give_up()


def sibling_line(sibling: Connection, item: Item, asked: Asked, late: bool) -> Line | None:
    """The line of an item from another worker; None when that one is gone."""
    question = {
        "index": item.index,
        "id": item.id,
        "game": item.game,
        "op": item.op,
        "request": item.request,
        "arrived": asked.arrived,
        "request_id": asked.request_id,
        "late": late,
    }
    try:
        sibling.send(question)
        head, text = sibling.receive()
    except (Gone, OSError):
        return None
    return Line(item, head["status"], text, head["playouts"])


def answer_sibling(question: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The answer to an item of another worker's batch, which has checked the request."""
    index, name, game, op, request, arrived, request_id, late = question.values()
    bind_contextvars(request_id=request_id)
    item = Item(index, name, None, game, op, load(game, op, request))
    line = answer_line(item, Asked(arrived, request_id), late)
    return {"status": line.status, "playouts": line.playouts}, line.text


def answer_line(item: Item, asked: Asked, late: bool, lease: Lease | None = None) -> Line:
    """The line of one item: the body or the problem that the single call would have."""
    try:
        body = body_of(item, asked.arrived, late, lease)
        if item.searches:
            searched(item.game, item.op, body)
        playouts = body.get("search", {}).get("playouts", 0)
        return Line(item, 200, line_of(item, 200, body=body), playouts)
    except Refused as error:
        problem = refusal_body(error, asked.request_id)
    except GivenUp:
        problem = failure_body(asked.request_id)  # nobody reads it
    except Exception:
        logger.exception("Item %d of a batch failed", item.index)
        problem = failure_body(asked.request_id)
    status = problem["status"]
    return Line(item, status, line_of(item, status, problem=problem))


def body_of(item: Item, arrived: float, late: bool, lease: Lease | None) -> dict[str, Any]:
    """The answer to an item; raises `Refused`.

    late: there was no slot by its deadline. lease: where one of many searches gets its slot;
    none where there are no slots.
    """
    if item.refused is not None:
        raise item.refused
    assert item.values is not None
    answer = OPERATIONS[item.op].answer
    if item.stepwise and lease is not None:
        return answer(item.game, item.values, arrived, partial(step, lease, keep=True))
    return answer(item.game, hurried(item.values) if late else item.values, arrived)


def line_of(item: Item, status: int, **content: Any) -> bytes:
    """The text of an item's line, with its line end."""
    name = {} if item.id is None else {"id": item.id}
    return json_text.dumps({"index": item.index, **name, "status": status, **content}) + b"\n"


def summary_line(items: int, answered: int) -> bytes:
    """The last line: a stream without it was cut."""
    counts = {"items": items, "ok": answered, "failed": items - answered, "complete": True}
    return json_text.dumps({"summary": counts}) + b"\n"
