"""POST /v1/games/{game}/{operation}: every operation of every game, from one table.

Each game has its own paths, so the document shows its own position, moves and limits.
"""

from typing import Any

from flask import Response

from shelfie.api.answer_schemas import answer_name
from shelfie.api.blueprints import (
    CACHE_CONTROL,
    ETAG,
    IF_NONE_MATCH,
    SERVER_TIMING,
    ServiceBlueprint,
    View,
)
from shelfie.api.caching import conditional_answer
from shelfie.api.examples import request_example
from shelfie.api.operations import OPERATIONS, Operation
from shelfie.api.schemas import request_schema

STATUSES = (304, 400, 406, 413, 415, 422, 429, 500)


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
            name=f"{game}_{operation.name.replace('-', '_')}",
            answer=answer_name(game, operation.name),
            statuses=(*STATUSES, 503) if operation.searches else STATUSES,
            headers=answer_headers(operation),
            parameters=[IF_NONE_MATCH],
            body=(request_schema(game, operation.name), request_example(game, operation.name)),
        )
    return blueprint


def answer_headers(operation: Operation) -> dict[str, Any]:
    """What the document says about the headers of a 200."""
    timing = {"Server-Timing": SERVER_TIMING} if operation.searches else {}
    return {"ETag": ETAG, "Cache-Control": CACHE_CONTROL, **timing}


def view_of(game: str, operation: Operation) -> View:
    """The view of one operation of one game; its docstring is the summary in the document."""

    def view(request: dict[str, Any]) -> Response:
        return conditional_answer(game, operation, request)

    view.__doc__ = operation.summary
    return view
