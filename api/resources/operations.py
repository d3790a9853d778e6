"""POST /v1/games/{game}/{operation}: every operation of every game, from one table.

Each game has its own paths, so the document shows its own position, moves and limits.
"""

from typing import Any

from flask import Response

from shelfie.api.answer_schemas import answer_name
from shelfie.api.blueprints import ServiceBlueprint, View
from shelfie.api.examples import request_example
from shelfie.api.operations import OPERATIONS, Operation
from shelfie.api.request_context import arrived
from shelfie.api.responses import json_response
from shelfie.api.schemas import request_schema

STATUSES = (400, 406, 413, 415, 422, 500)


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
            statuses=STATUSES,
            body=(request_schema(game, operation.name), request_example(game, operation.name)),
        )
    return blueprint


def view_of(game: str, operation: Operation) -> View:
    """The view of one operation of one game; its docstring is the summary in the document."""

    def view(request: dict[str, Any]) -> Response:
        return json_response(operation.answer(game, request, arrived()))

    view.__doc__ = operation.summary
    return view
