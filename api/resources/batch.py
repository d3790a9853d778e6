"""POST /v1/batch: many operations in one request, answered line by line."""

from collections.abc import Callable, Iterator
from typing import Any

from flask import Response, current_app, g, request

from shelfie.api.batch import Asked, Line, answer_lines, summary_line
from shelfie.api.batch_items import ITEM, Item, read_array, read_lines
from shelfie.api.blueprints import STREAM_HEADERS, ServiceBlueprint
from shelfie.api.examples import request_example
from shelfie.api.metrics import ITEMS
from shelfie.api.quota import charge
from shelfie.api.request_context import (
    JSON,
    NDJSON,
    arrived,
    check_content_type,
    limit_body,
    read_body,
    request_id,
)
from shelfie.api.streams import HEADERS
from shelfie.api.work import calls

STATUSES = (400, 401, 403, 406, 408, 413, 415, 422, 429, 500, 503)

EXAMPLE = [
    {"id": "a", "game": "tile", "op": "score", "request": request_example("tile", "score")},
    {"id": "b", "game": "dice", "op": "analysis", "request": request_example("dice", "analysis")},
]
BODY: dict[str, Any] = {
    "required": True,
    "content": {
        JSON: {"schema": {"type": "array", "items": ITEM}, "example": EXAMPLE},
        NDJSON: {"schema": {"type": "string", "description": "One BatchItem a line."}},
    },
}

blueprint = ServiceBlueprint("batch", __name__, description="Many questions in one request")
MEDIA_TYPES: dict[str, tuple[str, ...]] = {"batch.batch": (NDJSON,)}


def batch() -> Response:
    """Any mix of operations; one line an item as it finishes, the last line sums up"""
    check_content_type(NDJSON, JSON)
    service = current_app.extensions["shelfie"]
    settings, gate = service.settings, service.gate
    limit_body(settings.max_batch_body_bytes)
    read = read_lines if request.mimetype == NDJSON else read_array
    leave = gate.enter_batch()
    try:
        items = read(read_body(), settings)
        if service.quota is not None:
            charge(service.quota, max(calls_of(items) - 1, 0))  # one has been counted already
        lines = answer_lines(items, Asked(arrived(), request_id()), gate)
        text = text_of(lines, len(items), leave, g.noted)
        response = Response(text, content_type=NDJSON, headers=HEADERS)
    except BaseException:
        leave()
        raise
    response.call_on_close(leave)  # also when nothing of it was read
    return response


def calls_of(items: list[Item]) -> int:
    """As how many calls a batch counts; an item that is refused is one too."""
    return sum(1 if item.values is None else calls(item.op, item.values) for item in items)


def text_of(
    lines: Iterator[Line], items: int, leave: Callable[[], None], noted: dict[str, Any]
) -> Iterator[bytes]:
    """The text of each line as it comes, and the summary; counts them and notes the sums."""
    answered = playouts = 0
    try:
        for line in lines:
            answered += line.status == 200
            playouts += line.playouts
            ITEMS.labels(line.item.game, line.item.op, line.status).inc()
            yield line.text
    finally:
        leave()
        noted.update(items=items, ok=answered, playouts=playouts)
    yield summary_line(items, answered)


blueprint.add_view(
    "POST",
    "/v1/batch",
    batch,
    name="batch",
    answer="BatchLine",
    media_type=NDJSON,
    statuses=STATUSES,
    headers=STREAM_HEADERS,
    request_body=BODY,
)
