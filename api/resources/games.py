"""GET /v1/games and GET /v1/games/{game}: what there is to play, and with which options."""

from http import HTTPStatus

from flask import Response

from shelfie.api import capabilities
from shelfie.api.body import ServiceBlueprint
from shelfie.api.openapi import REQUEST_ID
from shelfie.api.responses import json_response
from shelfie.engine import GAMES

blueprint = ServiceBlueprint(
    "games", __name__, url_prefix="/v1/games", description="The games and what can be asked"
)
HEADERS = {"X-Request-Id": REQUEST_ID}


@blueprint.route("")
@blueprint.response(200, "Games", headers=HEADERS)
@blueprint.alt_response(406, HTTPStatus.NOT_ACCEPTABLE.name)
@blueprint.alt_response(500, HTTPStatus.INTERNAL_SERVER_ERROR.name)
@blueprint.doc(operationId="games")
def games() -> Response:
    """The games"""
    return json_response({"games": [capabilities.summary(game) for game in GAMES]})


def _add(game: str) -> None:
    @blueprint.route(f"/{game}", endpoint=game)
    @blueprint.response(200, "Capabilities", headers=HEADERS)
    @blueprint.alt_response(406, HTTPStatus.NOT_ACCEPTABLE.name)
    @blueprint.alt_response(500, HTTPStatus.INTERNAL_SERVER_ERROR.name)
    @blueprint.doc(operationId=f"{game}_capabilities")
    def one() -> Response:
        """Rules, levels, options with their ranges, limits, and an example of each request"""
        return json_response(capabilities.capabilities(game))


for _game in GAMES:
    _add(_game)
