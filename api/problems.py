"""Every error as RFC 9457 problem details, in one shape: `application/problem+json`.

`PROBLEMS` is the whole list of kinds; the OpenAPI document and `/problems/{kind}` are made of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from flask import Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from shelfie.api import json_text
from shelfie.api.refusals import Refused
from shelfie.api.request_context import request_id

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem: its status, its title and what it means."""

    status: int
    title: str
    meaning: str


PROBLEMS = {
    "malformed-json": Kind(
        400,
        "The body is not acceptable JSON",
        "Not JSON, NaN or Infinity, a number beyond 64 bits, a repeated key, nested too deep, "
        "or not UTF-8.",
    ),
    "request-too-large": Kind(413, "The body is too large", "`maximum` is the limit in bytes."),
    "invalid-request": Kind(
        422,
        "The request does not fit the schema",
        "A wrong type or range, a missing field, an unknown field, or a malformed position.",
    ),
    "illegal-position": Kind(
        422,
        "The rules make this position impossible",
        "One entry of `errors` per rule broken.",
    ),
    "illegal-move": Kind(
        422,
        "The move is not legal here",
        "`allowed` lists the legal moves, when the move and not its outcome is at fault.",
    ),
    "no-move-left-by-filters": Kind(
        422, "The filters leave no move", "`allowed` lists the legal moves."
    ),
    "limit-exceeded": Kind(422, "A limit is above the maximum", "`maximum` is the largest limit."),
    "unknown-level": Kind(422, "There is no such level", "`allowed` lists the levels."),
    "internal-error": Kind(
        500, "The service failed", "Quote `request_id`; the cause is in the service's log."
    ),
    "draining": Kind(503, "The service is stopping", "Ask another instance."),
}


def address(kind: str) -> str:
    """The `type` of a kind of problem: a stable address that also answers a GET."""
    return f"/problems/{kind}"


def problem(
    status: int,
    detail: str,
    *,
    kind: str | None = None,
    errors: Sequence[Mapping[str, Any]] = (),
    headers: Sequence[tuple[str, str]] = (),
    **more: Any,
) -> Response:
    """A problem response. Without a kind the status says it all (`about:blank`)."""
    body: dict[str, Any] = {
        "type": address(kind) if kind else "about:blank",
        "title": PROBLEMS[kind].title if kind else HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **more,
    }
    if errors:
        body["errors"] = list(errors)
    body["request_id"] = request_id()
    response = Response(json_text.dumps(body), status, content_type=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    response.headers.extend(headers)
    return response


def from_refusal(refused: Refused) -> Response:
    """A request whose content is refused, with its faults."""
    return problem(
        PROBLEMS[refused.kind].status,
        refused.summary,
        kind=refused.kind,
        errors=[fault.to_json() for fault in refused.faults],
    )


# What is said about plain HTTP faults; the library's own texts speak of browsers and URLs.
_DETAILS = {
    400: "The request cannot be understood.",
    404: "There is nothing at this address; GET /v1/games lists the games and their links.",
    405: "This method is not available here; see the Allow header.",
    406: "The answer is JSON, which the Accept header excludes.",
    415: "The body has to be sent as application/json.",
}


def from_http_exception(error: HTTPException, max_body_bytes: int) -> Response:
    """Werkzeug's exceptions. Their headers (Allow and the like) are kept, their texts are not."""
    status = error.code or 500
    if error.response is not None or status < 400:
        return Response.force_type(error.get_response())  # type: ignore[return-value]
    if status == 413:
        detail = f"At most {max_body_bytes} bytes are accepted."
        return problem(status, detail, kind="request-too-large", maximum=max_body_bytes)
    if status >= 500:
        detail = "The service failed to answer; its log holds the cause under this request_id."
        return problem(500, detail, kind="internal-error")
    headers = [(k, v) for k, v in error.get_headers() if k.lower() not in ("content-type", "allow")]
    if isinstance(error, MethodNotAllowed):  # the library keeps the methods in a set
        headers.append(("Allow", ", ".join(sorted(error.valid_methods or ()))))
    detail = _DETAILS.get(status, HTTPStatus(status).description or HTTPStatus(status).phrase)
    return problem(status, detail, headers=headers)
