"""What can go wrong with a call."""

import json
import time
from collections.abc import Mapping
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any


class ServiceError(Exception):
    """Base of everything that a call of the client raises on account of the service."""


class Unreachable(ServiceError):
    """No answer: nothing listens, the connection broke, or the time-out passed."""


class CutShort(ServiceError):
    """A stream of lines ended before its end. The lines that came are good."""


class Problem(ServiceError):
    """The service answered that it does not answer (RFC 9457 problem details).

    status: the HTTP status. type: what kind of problem, as in "/problems/illegal-move".
    errors: every fault of the request, with pointer, code and detail. request_id: what the
    service's log knows the call by. retry_after: seconds to wait, where it said so.
    body: the whole problem, with members that are not named here.
    """

    def __init__(self, body: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.body = dict(body)
        self.status: int = body["status"]
        self.type: str = body.get("type", "about:blank")
        self.title: str = body.get("title", "")
        self.detail: str = body.get("detail", "")
        self.errors: list[dict[str, Any]] = body.get("errors", [])
        self.request_id: str | None = body.get("request_id")
        self.retry_after = retry_after
        super().__init__(f"{self.status} {self.type}: {self.detail or self.title}")


def problem_from(status: int, headers: Message, body: bytes) -> Problem:
    """The problem in an answer; one that something on the way gave may be no JSON at all."""
    try:
        found = json.loads(body)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        found = {"title": "An answer that is not the service's"}
    if headers.get("X-Request-Id"):
        found.setdefault("request_id", headers["X-Request-Id"])
    return Problem({**found, "status": status}, seconds_of(headers.get("Retry-After")))


def seconds_of(retry_after: str | None) -> float | None:
    """The wait that a Retry-After asks for: a number of seconds, or a date."""
    if retry_after is None:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return None
