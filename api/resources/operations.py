"""POST /v1/games/{game}/{operation}: every operation of every game, from one table.

Each game has its own paths, so the document shows its own position, moves and limits.
"""

from typing import Any

from flask import Response, current_app

from shelfie.api.answer_schemas import answer_name, line_name
from shelfie.api.blueprints import (
    CACHE_CONTROL,
    ETAG,
    IF_NONE_MATCH,
    SERVER_TIMING,
    STREAM_HEADERS,
    VARY,
    ServiceBlueprint,
    View,
)
from shelfie.api.caching import conditional_answer
from shelfie.api.examples import request_example
from shelfie.api.operations import OPERATIONS, Operation
from shelfie.api.quota import charge
from shelfie.api.request_context import JSON, NDJSON, media_type
from shelfie.api.schemas import request_schema
from shelfie.api.streams import told
from shelfie.api.work import calls, check_review
from shelfie.engine import GAMES

STATUSES = (304, 400, 401, 403, 406, 408, 413, 415, 422, 429, 500)


def operations_blueprint(game: str) -> ServiceBlueprint:
    """The blueprint of one game's operations."""
    blueprint = ServiceBlueprint(
        game, __name__, url_prefix=f"/v1/games/{game}", description=f"Operations of {game}"
    )
    for operation in OPERATIONS.values():
        blueprint.add_view(
            "POST",
            f"/{operation.name}",
            view_of(game, operation),
            name=view_name(game, operation),
            answer=answer_name(game, operation.name),
            statuses=(*STATUSES, 503) if operation.searches else STATUSES,
            headers=answer_headers(operation),
            parameters=[IF_NONE_MATCH],
            lines=line_name(game, operation.name) if operation.lines else None,
            body=(request_schema(game, operation.name), request_example(game, operation.name)),
        )
    return blueprint


def answer_headers(operation: Operation) -> dict[str, Any]:
    """What the document says about the headers of a 200."""
    headers: dict[str, Any] = {"ETag": ETAG, "Cache-Control": CACHE_CONTROL}
    if operation.lines is not None:
        headers |= {"Server-Timing": {**SERVER_TIMING, "required": False}, "Vary": VARY}
        headers |= {"X-Accel-Buffering": {**STREAM_HEADERS["X-Accel-Buffering"], "required": False}}
    elif operation.searches:
        headers["Server-Timing"] = SERVER_TIMING
    return headers


def view_of(game: str, operation: Operation) -> View:
    """The view of one operation of one game; its docstring is the summary in the document."""

    def view(request: dict[str, Any]) -> Response:
        if operation.name == "review":
            admit_review(game, request)
        if operation.lines is None:
            return conditional_answer(game, operation, request)
        if media_type() == NDJSON:
            response = told(game, operation, request)
        else:
            response = conditional_answer(game, operation, request)
        response.vary.add("Accept")
        return response

    view.__doc__ = operation.summary
    return view


def admit_review(game: str, values: dict[str, Any]) -> None:
    """Refuses too much work; a review counts as one call for each move that it judges."""
    service = current_app.extensions["shelfie"]
    check_review(game, values, service.settings)
    if service.quota is not None:
        charge(service.quota, calls("review", values) - 1)  # one has been counted already


def view_name(game: str, operation: Operation) -> str:
    """The operationId, and the name of the view."""
    return f"{game}_{operation.name.replace('-', '_')}"


MEDIA_TYPES: dict[str, tuple[str, ...]] = {
    f"{game}.{view_name(game, operation)}": (NDJSON, JSON) if operation.stepwise else (JSON, NDJSON)
    for game in GAMES
    for operation in OPERATIONS.values()
    if operation.lines
}
