"""Each request is told twice: as a line of the log, and as counts for /metrics."""

import logging
import time
from typing import Any

from flask import Flask, Response, g, request
from structlog.contextvars import bind_contextvars, clear_contextvars
from werkzeug.routing import Rule

from shelfie.api import metrics
from shelfie.api.operations import Answer
from shelfie.api.request_context import request_id
from shelfie.api.trace_context import trace_id
from shelfie.engine import GAMES

logger = logging.getLogger("shelfie.requests")

QUIET = {"/livez", "/readyz", "/metrics"}  # asked all the time; logged at level debug
NO_ROUTE = "none"


def install(app: Flask) -> None:
    """Makes the app tell every request. To be installed first: it then comes first and last."""

    @app.before_request
    def begin() -> None:
        g.arrived = time.monotonic()
        g.noted = {}
        clear_contextvars()
        trace = trace_id(request.headers.get("traceparent", ""))
        bind_contextvars(request_id=request_id(), trace_id=trace)

    @app.after_request
    def end(response: Response) -> Response:
        found = Seen(response)
        if response.is_streamed:
            response.call_on_close(found.tell)  # once the last line is out
        else:
            found.tell()
        return response


def note(**values: Any) -> None:
    """Adds fields to the log line of this request."""
    g.noted.update(values)


def searched(game: str, operation: str, answer: Answer) -> None:
    """Counts a search, of a call or of an item of a batch."""
    search = answer["search"]
    metrics.SEARCH.labels(game, operation).observe(search["time_ms"] / 1000)
    if search["playouts"]:
        metrics.PLAYOUTS.labels(game).inc(search["playouts"])


class Seen:
    """What there is to tell about a request that has been answered."""

    def __init__(self, response: Response) -> None:
        self.route, self.game, self.operation = place(request.url_rule)
        self.arrived = g.arrived
        self.status = response.status_code
        self.noted = g.noted
        self.fields = {
            "method": request.method,
            "route": self.route,
            "game": self.game,
            "operation": self.operation,
            "caller": g.get("caller", "anonymous"),
            "status": self.status,
        }

    def tell(self) -> None:
        """Once, when the answer is complete."""
        spent = time.monotonic() - self.arrived
        metrics.REQUESTS.labels(self.route, self.game, self.status).inc()
        metrics.LATENCY.labels(self.route, self.game).observe(spent)
        level = logging.DEBUG if self.route in QUIET else logging.INFO
        if logger.isEnabledFor(level):
            known = {name: value for name, value in self.fields.items() if value != ""}
            extra = {**known, "duration_ms": round(1000 * spent, 1), **self.noted}
            logger.log(level, "request", extra=extra)


def place(found: Rule | None) -> tuple[str, str, str]:
    """Route, game and operation of an address; few enough to be labels."""
    if found is None:
        return NO_ROUTE, "", ""
    rule = found.rule
    parts = rule.split("/")
    game = next((part for part in parts if part in GAMES), "")
    operation = parts[-1] if rule.startswith("/v1/") else ""
    return rule.replace(f"/{game}", "/{game}") if game else rule, game, operation
