"""Answers line by line (NDJSON), each line sent as soon as it is found."""

import logging
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from threading import Event
from typing import Any

from flask import Response, current_app, g, stream_with_context

from shelfie.api import json_text, observation
from shelfie.api.admission import Gate, Lease, step
from shelfie.api.operations import Answer, Operation
from shelfie.api.problems import failure_body, refusal_body
from shelfie.api.refusals import Refused
from shelfie.api.request_context import NDJSON, arrived, request_id
from shelfie.api.search_operations import latest_start

logger = logging.getLogger(__name__)

# A proxy that waits for more, or compresses, would hold finished lines back.
HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store, no-transform"}


def told(game: str, operation: Operation, values: dict[str, Any]) -> Response:
    """The answer to a checked request line by line; raises what the first line raises."""
    assert operation.lines is not None
    gate = current_app.extensions["shelfie"].gate
    with ExitStack() as stack:
        if operation.stepwise:
            slot = stack.enter_context(stepwise(gate))
        else:
            slot = partial(gate.search, latest_start(values, arrived()))
        lines = operation.lines(game, values, arrived(), slot)
        response = streamed(counted(game, operation.name, lines, g.noted))
        response.call_on_close(stack.pop_all().close)
        return response


@contextmanager
def stepwise(gate: Gate) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Admits an answer of many searches as a batch; gives what makes the context of each.

    Between two searches nothing is held: a reader who is slow keeps no slot.
    """
    leave = gate.enter_batch()
    try:
        yield partial(step, Lease(gate, Event()), keep=False)
    finally:
        leave()


def counted(
    game: str, operation: str, lines: Iterator[Answer], noted: dict[str, Any]
) -> Iterator[Answer]:
    """The lines; the last one, which sums up the search, is told to metrics and log."""
    last: Answer = {}
    for last in lines:
        yield last
    if "search" in last:
        search = last["search"]
        observation.searched(game, operation, last)
        noted.update(search_ms=search["time_ms"], playouts=search["playouts"])


def streamed(lines: Iterator[Mapping[str, Any]]) -> Response:
    """The lines as a response.

    The first one is found before the status is sent, so whatever is wrong until then is an
    ordinary problem response.
    """
    first = next(lines)
    body = stream_with_context(texts(first, lines, request_id()))
    return Response(body, content_type=NDJSON, headers=HEADERS)


def texts(
    first: Mapping[str, Any], rest: Iterator[Mapping[str, Any]], request_id: str
) -> Iterator[bytes]:
    """Each line's bytes. A failure on the way is the last line: `{"problem": {...}}`."""
    try:
        yield line_text(first)
        for line in rest:
            yield line_text(line)
    except Refused as error:
        yield line_text({"problem": refusal_body(error, request_id)})
    except Exception:
        logger.exception("The stream of request %s failed", request_id)
        yield line_text({"problem": failure_body(request_id)})
    finally:
        if isinstance(rest, Generator):
            rest.close()  # a reader who leaves ends the work


def line_text(line: Mapping[str, Any]) -> bytes:
    """One line, with its line end."""
    return json_text.dumps(line) + b"\n"
