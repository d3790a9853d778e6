"""What is noted about a request on arrival, and what is asked of its headers."""

import re
import time
import uuid

from flask import Flask, Response, g, request
from werkzeug.exceptions import NotAcceptable, UnsupportedMediaType

_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~+/=:@-]{0,127}")

JSON = "application/json"


def request_id() -> str:
    """The caller's X-Request-Id when it is well-formed, else a new one; fixed per request."""
    if "request_id" not in g:
        sent = request.headers.get("X-Request-Id", "")
        g.request_id = sent if _WELL_FORMED.fullmatch(sent) else uuid.uuid4().hex
    found: str = g.request_id
    return found


def arrived() -> float:
    """When the request came, in time.monotonic() seconds."""
    found: float = g.arrived
    return found


def check_accept(offered: str) -> None:
    """406 when the Accept header excludes what this address offers."""
    if request.headers.get("Accept") and request.accept_mimetypes.quality(offered) <= 0:
        raise NotAcceptable


def check_content_type() -> None:
    """415, with Accept-Post, unless the body is declared as JSON."""
    if request.mimetype != JSON:
        error = UnsupportedMediaType()
        error.get_headers = lambda *_: [("Accept-Post", JSON)]  # type: ignore[method-assign]
        raise error


def install(app: Flask) -> None:
    """Makes the app note arrival and id, check Accept, and send the id back."""

    @app.before_request
    def note_arrival() -> None:
        g.arrived = time.monotonic()
        if request.routing_exception is None and request.method in ("GET", "HEAD", "POST"):
            check_accept(app.extensions["shelfie"].media_types.get(request.endpoint or "", JSON))

    @app.after_request
    def send_id(response: Response) -> Response:
        response.headers["X-Request-Id"] = request_id()
        return response
