"""GET /v1/games and GET /v1/games/{game}: what there is to play, and with which options."""

from flask import Response, current_app

from shelfie.api import capabilities
from shelfie.api.blueprints import ServiceBlueprint, View
from shelfie.api.responses import json_response
from shelfie.engine import GAMES

STATUSES = (401, 403, 406, 500)

blueprint = ServiceBlueprint(
    "games", __name__, url_prefix="/v1/games", description="The games and what can be asked"
)


def games() -> Response:
    """The games"""
    return json_response({"games": [capabilities.summary(game) for game in GAMES]})


def view_of(game: str) -> View:
    """The view of one game's capabilities."""

    def view() -> Response:
        """Rules, levels, options with their ranges, limits, and an example of each request"""
        settings = current_app.extensions["shelfie"].settings
        return json_response(capabilities.in_force(game, settings))

    return view


blueprint.add_view("GET", "", games, name="games", answer="Games", statuses=STATUSES)
for _game in GAMES:
    blueprint.add_view(
        "GET",
        f"/{_game}",
        view_of(_game),
        name=f"{_game}_capabilities",
        answer="Capabilities",
        statuses=STATUSES,
    )
