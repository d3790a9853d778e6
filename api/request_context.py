"""What is noted about a request on arrival, and what is asked of its headers."""

import re
import uuid

from flask import Flask, Response, g, request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import (
    BadRequest,
    ClientDisconnected,
    NotAcceptable,
    NotFound,
    RequestEntityTooLarge,
    RequestTimeout,
    UnsupportedMediaType,
)

_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~+/=:@-]{0,127}")

JSON = "application/json"
NDJSON = "application/x-ndjson"


class TooSlow(ConnectionResetError):
    """The rest of the request did not come in time; the server lets the connection go."""


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


def media_type() -> str:
    """The media type that the answer shall have."""
    found: str = g.media_type
    return found


def preferred(*offered: str) -> str:
    """What the caller likes best of what this address offers, the first of equals; 406 if none."""
    if not request.headers.get("Accept"):
        return offered[0]
    liked = max(offered, key=request.accept_mimetypes.quality)
    if request.accept_mimetypes.quality(liked) <= 0:
        raise NotAcceptable
    return liked


def check_content_type(*accepted: str) -> None:
    """415, with Accept-Post, unless the body is declared as one of these, and as it is."""
    coding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if request.mimetype not in accepted or coding != "identity":
        error = UnsupportedMediaType()
        listed = [("Accept-Post", ", ".join(accepted)), ("Accept-Encoding", "identity")]
        error.get_headers = lambda *_: listed  # type: ignore[method-assign]
        raise error


def limit_body(most: int) -> None:
    """Sets the largest body of this request, in bytes, where it is not the usual one."""
    # One more than the limit: of a body without Content-Length the library reads this much and
    # cuts the rest off in silence, so `read_body` looks at the length itself.
    request.max_content_length = most + 1


def body_limit() -> int:
    """The largest body of this request, in bytes."""
    return (request.max_content_length or 1) - 1


def read_body() -> bytes:
    """The whole body; 413 above the limit."""
    try:
        data = request.get_data(cache=False)
    except ClientDisconnected as error:  # in which the library wraps what the server raised
        raise (RequestTimeout if isinstance(error.__context__, TooSlow) else BadRequest) from None
    except (OSError, ParseException):  # broken off, or chunks that are none
        raise BadRequest from None
    if len(data) > body_limit():
        raise RequestEntityTooLarge
    return data


def install(app: Flask) -> None:
    """Makes the app check address and Accept, and send the id back."""

    @app.before_request
    def check() -> None:
        if request.environ["PATH_INFO"].startswith("//"):  # which the router takes for one slash
            raise NotFound
        if request.routing_exception is None and request.method in ("GET", "HEAD", "POST"):
            offered = app.extensions["shelfie"].media_types.get(request.endpoint or "", (JSON,))
            g.media_type = preferred(*offered)

    @app.after_request
    def send_id(response: Response) -> Response:
        response.headers["X-Request-Id"] = request_id()
        return response
