"""Answers that a client may keep: a tag from the question and the build, found without searching.

An answer that no clock and no random seed had a part in is a function of the checked request and
of the build. Its tag is a hash of these two, so a client that shows it is answered 304 before
any search. Everything else is `no-store`.
"""

from functools import cache
from hashlib import blake2b
from typing import Any

import orjson
from flask import Response, current_app, request

from shelfie.api import metrics, observation
from shelfie.api.admission import Admitted
from shelfie.api.build import digest_of
from shelfie.api.operations import Answer, Operation
from shelfie.api.request_context import arrived
from shelfie.api.responses import json_response
from shelfie.api.search_operations import hurried, latest_start
from shelfie.api.streams import stepwise
from shelfie.engine import Position

Values = dict[str, Any]

# A client may keep the answer, but asks whether the build is still the same.
KEEP = "private, no-cache"
NO_STORE = "no-store"


def conditional_answer(game: str, operation: Operation, values: Values) -> Response:
    """The answer to a checked request, or 304 when the client holds it already."""
    tag = entity_tag(game, operation.name, values) if repeatable(operation.name, values) else None
    if tag is not None and shown(tag):
        return kept(Response(status=304), tag)
    if operation.searches:
        return searched(game, operation, values, tag)
    # Rules alone: no number in the answer is computed.
    return kept(json_response(operation.answer(game, values, arrived()), computed=False), tag)


def searched(game: str, operation: Operation, values: Values, tag: str | None) -> Response:
    """The answer of a search, once there is a slot for it; raises `Busy`."""
    gate = current_app.extensions["shelfie"].gate
    if operation.stepwise:
        with stepwise(gate) as slot:
            answer = operation.answer(game, values, arrived(), slot)
        return timed(game, operation, answer, tag, Admitted(0.0))
    with gate.search(latest_start(values, arrived())) as admitted:
        asked = hurried(values) if admitted.late else values
        answer = operation.answer(game, asked, arrived())
    metrics.QUEUE.labels(game).observe(admitted.waited)
    return timed(game, operation, answer, tag, admitted)


def timed(
    game: str, operation: Operation, answer: Answer, tag: str | None, admitted: Admitted
) -> Response:
    """The response to a search, told to metrics and log."""
    response = kept(json_response(answer), tag if reproduced(answer) else None)
    queued, spent = round(1000 * admitted.waited), answer["search"]["time_ms"]
    observation.searched(game, operation.name, answer)
    observation.note(
        queue_ms=queued, search_ms=spent, playouts=answer["search"]["playouts"], late=admitted.late
    )
    response.headers["Server-Timing"] = f"queue;dur={queued}, search;dur={spent}"
    return response


def repeatable(operation: str, values: Values) -> bool:
    """Whether an equal request has an equal answer: no clock in it, and no seed made up."""
    if operation == "new":
        return values["seed"] is not None
    limits = values.get("limits") or {}
    return values.get("deadline_ms") is None and limits.get("time_ms") is None


def reproduced(answer: Answer) -> bool:
    """Whether the search itself says that a clock had no part in its answer."""
    reproducible: bool = answer.get("search", {}).get("reproducible", True)
    return reproducible


def entity_tag(game: str, operation: str, values: Values) -> str:
    """The tag (without quotes) of the answer to a checked request from this build.

    Checked values hold defaults and a position in its one notation, so two spellings of a
    request share a tag exactly when they share the answer's inputs.
    """
    inputs = [service_digest(), game, operation, values]
    text = orjson.dumps(inputs, option=orjson.OPT_SORT_KEYS, default=_notation)
    return blake2b(text, digest_size=16).hexdigest()


def _notation(value: object) -> str:
    assert isinstance(value, Position)
    return value.notation()


@cache
def service_digest() -> str:
    """A digest of all code that has a part in the bytes of an answer."""
    return digest_of("shelfie.engine", "shelfie.search", "shelfie.api")


def shown(tag: str) -> bool:
    """Whether `If-None-Match` lists this tag. `*` asks for what is stored here: nothing is."""
    sent = request.if_none_match
    return not sent.star_tag and sent.contains_weak(tag)


def kept(response: Response, tag: str | None) -> Response:
    """The response with its tag, or marked as not to be stored when it has none."""
    if tag is None:
        response.headers["Cache-Control"] = NO_STORE
    else:
        response.headers["Cache-Control"] = KEEP
        # Weak: a repeat differs in `time_ms`, and the body may come as gzip.
        response.set_etag(tag, weak=True)
    return response
