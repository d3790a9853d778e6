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
from shelfie.api.admission import Busy
from shelfie.api.quota import QuotaExceeded
from shelfie.api.refusals import Refused
from shelfie.api.request_context import body_limit, request_id

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
    "limit-exceeded": Kind(422, "A limit is exceeded", "`maximum` is the most that is accepted."),
    "unknown-level": Kind(422, "There is no such level", "`allowed` lists the levels."),
    "quota-exceeded": Kind(
        429, "The caller's quota is used up", "Try again after `Retry-After` seconds."
    ),
    "internal-error": Kind(
        500, "The service failed", "Quote `request_id`; the cause is in the service's log."
    ),
    "temporary-reduced-capacity": Kind(
        503, "All search slots are busy", "Try again after `Retry-After` seconds."
    ),
    "starting": Kind(503, "The service is starting", "Ask again in a moment."),
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
    body = problem_body(status, detail, request_id(), kind=kind, errors=errors, **more)
    return response_of(body, headers)


def problem_body(
    status: int,
    detail: str,
    request_id: str,
    *,
    kind: str | None = None,
    errors: Sequence[Mapping[str, Any]] = (),
    **more: Any,
) -> dict[str, Any]:
    """The problem details themselves, for a response or for a line of a batch."""
    body: dict[str, Any] = {
        "type": address(kind) if kind else "about:blank",
        "title": PROBLEMS[kind].title if kind else HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **more,
    }
    if errors:
        body["errors"] = list(errors)
    body["request_id"] = request_id
    return body


def from_refusal(refused: Refused) -> Response:
    """A request whose content is refused, with its faults."""
    return response_of(refusal_body(refused, request_id()))


def from_busy(busy: Busy) -> Response:
    """A call that there is no room for now, with the time to wait."""
    return _later("temporary-reduced-capacity", busy.retry_after)


def from_quota(error: QuotaExceeded) -> Response:
    """A call of a caller who has asked too much, with the time to wait."""
    return _later("quota-exceeded", error.retry_after)


def _later(kind: str, seconds: int) -> Response:
    known = PROBLEMS[kind]
    headers = [("Retry-After", str(seconds))]
    return problem(known.status, known.meaning, kind=kind, headers=headers)


def refusal_body(refused: Refused, request_id: str) -> dict[str, Any]:
    """The problem details of a request whose content is refused."""
    return problem_body(
        PROBLEMS[refused.kind].status,
        refused.summary,
        request_id,
        kind=refused.kind,
        errors=[fault.to_json() for fault in refused.faults],
    )


def failure_body(request_id: str) -> dict[str, Any]:
    """The problem details of a failure: an id to ask with, and nothing about the cause."""
    detail = "The service failed to answer; its log holds the cause under this request_id."
    return problem_body(500, detail, request_id, kind="internal-error")


def response_of(body: Mapping[str, Any], headers: Sequence[tuple[str, str]] = ()) -> Response:
    """A response with these problem details."""
    response = Response(json_text.dumps(body), body["status"], content_type=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    response.headers.extend(headers)
    return response


# What is said about plain HTTP faults; the library's own texts speak of browsers and URLs.
_DETAILS = {
    400: "The request cannot be understood.",
    404: "There is nothing at this address; GET /v1/games lists the games and their links.",
    405: "This method is not available here; see the Allow header.",
    406: "The Accept header excludes the media type of the answer.",
    408: "The body did not come in time.",
    415: "The body has to be sent as a media type out of the Accept-Post header, uncompressed.",
}


def from_http_exception(error: HTTPException) -> Response:
    """Werkzeug's exceptions. Their headers (Allow and the like) are kept, their texts are not."""
    status = error.code or 500
    if error.response is not None or status < 400:
        return Response.force_type(error.get_response())  # type: ignore[return-value]
    if status == 413:
        most = body_limit()
        detail = f"At most {most} bytes are accepted."
        return problem(status, detail, kind="request-too-large", maximum=most)
    if status >= 500:
        return response_of(failure_body(request_id()))
    headers = [(k, v) for k, v in error.get_headers() if k.lower() not in ("content-type", "allow")]
    if isinstance(error, MethodNotAllowed):  # the library keeps the methods in a set
        headers.append(("Allow", ", ".join(sorted(error.valid_methods or ()))))
    detail = _DETAILS.get(status, HTTPStatus(status).description or HTTPStatus(status).phrase)
    return problem(status, detail, headers=headers)
