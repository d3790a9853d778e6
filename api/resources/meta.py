"""GET /v1/version, /livez, /readyz, and the kinds of problems."""

from http import HTTPStatus

from flask import Response, current_app
from werkzeug.exceptions import NotFound

from shelfie.api.body import ServiceBlueprint
from shelfie.api.build import version_document
from shelfie.api.openapi import REQUEST_ID
from shelfie.api.problems import PROBLEMS, address, problem
from shelfie.api.responses import json_response

blueprint = ServiceBlueprint("meta", __name__, description="The service itself")
HEADERS = {"X-Request-Id": REQUEST_ID}
NOT_ACCEPTABLE = HTTPStatus.NOT_ACCEPTABLE.name
FAILED = HTTPStatus.INTERNAL_SERVER_ERROR.name


@blueprint.route("/v1/version")
@blueprint.response(200, "Version", headers=HEADERS)
@blueprint.alt_response(406, NOT_ACCEPTABLE)
@blueprint.alt_response(500, FAILED)
@blueprint.doc(operationId="version")
def version() -> Response:
    """Name, version, build, models"""
    return json_response(version_document())


@blueprint.route("/livez")
@blueprint.response(200, "State", headers=HEADERS)
@blueprint.alt_response(406, NOT_ACCEPTABLE)
@blueprint.doc(operationId="livez")
def livez() -> Response:
    """The process answers"""
    return json_response({"status": "live"})


@blueprint.route("/readyz")
@blueprint.response(200, "State", headers=HEADERS)
@blueprint.alt_response(406, NOT_ACCEPTABLE)
@blueprint.alt_response(503, HTTPStatus.SERVICE_UNAVAILABLE.name)
@blueprint.doc(operationId="readyz")
def readyz() -> Response:
    """Requests are welcome: everything is loaded and the service is not stopping"""
    if current_app.extensions["shelfie"].draining:
        return problem(503, PROBLEMS["draining"].meaning, kind="draining")
    return json_response({"status": "ready"})


@blueprint.route("/problems/<kind>")
@blueprint.response(200, "ProblemKind", headers=HEADERS)
@blueprint.alt_response(404, HTTPStatus.NOT_FOUND.name)
@blueprint.alt_response(406, NOT_ACCEPTABLE)
@blueprint.doc(operationId="problem_kind")
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
