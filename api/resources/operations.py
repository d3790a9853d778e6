"""POST /v1/games/{game}/{operation}: every operation of every game, from one table.

Each game has its own paths, so the document shows its own position, moves and limits.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from flask import Response

from shelfie.api.answer_schemas import answer_name
from shelfie.api.body import ServiceBlueprint
from shelfie.api.examples import request_example
from shelfie.api.openapi import REQUEST_ID
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
        blueprint.add_url_rule(
            f"/{operation.name}",
            operation.name,
            documented(blueprint, game, operation),
            methods=["POST"],
        )
    return blueprint


def documented(
    blueprint: ServiceBlueprint, game: str, operation: Operation
) -> Callable[..., Response]:
    """The view of one operation, with what the document says about it."""

    def view(request: dict[str, Any]) -> Response:
        return json_response(operation.answer(game, request, arrived()))

    view.__doc__ = operation.summary
    identifier = f"{game}_{operation.name.replace('-', '_')}"
    schema = request_schema(game, operation.name)
    decorated: Callable[..., Response] = view
    for status in STATUSES:
        decorated = blueprint.alt_response(status, HTTPStatus(status).name)(decorated)
    decorated = blueprint.response(
        200, answer_name(game, operation.name), headers={"X-Request-Id": REQUEST_ID}
    )(decorated)
    decorated = blueprint.arguments(schema, example=request_example(game, operation.name))(
        decorated
    )
    return blueprint.doc(operationId=identifier)(decorated)  # type: ignore[no-any-return]
