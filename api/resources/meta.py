"""GET /v1/version, /livez, /readyz, and the kinds of problems."""

from flask import Response, current_app
from werkzeug.exceptions import NotFound

from shelfie.api.blueprints import ServiceBlueprint
from shelfie.api.build import version_document
from shelfie.api.problems import PROBLEMS, address, problem
from shelfie.api.responses import json_response

blueprint = ServiceBlueprint("meta", __name__, description="The service itself")


def version() -> Response:
    """Name, version, build, models"""
    return json_response(version_document())


def livez() -> Response:
    """The process answers"""
    return json_response({"status": "live"})


def readyz() -> Response:
    """Requests are welcome: everything is loaded and the service is not stopping"""
    state = current_app.extensions["shelfie"].state
    if state != "ready":
        return problem(503, PROBLEMS[state].meaning, kind=state)
    return json_response({"status": "ready"})


def problem_kind(kind: str) -> Response:
    """What a kind of problem means"""
    known = PROBLEMS.get(kind)
    if known is None:
        raise NotFound
    return json_response(
        {
            "type": address(kind),
            "title": known.title,
            "status": known.status,
            "meaning": known.meaning,
        }
    )


for _path, _view, _answer, _statuses in (
    ("/v1/version", version, "Version", (401, 403, 406, 500)),
    ("/livez", livez, "State", (406,)),
    ("/readyz", readyz, "State", (406, 503)),
    ("/problems/<kind>", problem_kind, "ProblemKind", (404, 406)),
):
    blueprint.add_view("GET", _path, _view, name=_view.__name__, answer=_answer, statuses=_statuses)
