"""The application factory: wiring only."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response

from shelfie.api import keys, observation, quota, request_context, response_headers
from shelfie.api.admission import Busy, Gate
from shelfie.api.key_entries import read_keys
from shelfie.api.metrics import REFUSALS
from shelfie.api.openapi import ShelfieApi
from shelfie.api.problems import from_busy, from_quota, from_refusal
from shelfie.api.quota import Quota, QuotaExceeded
from shelfie.api.refusals import Refused
from shelfie.api.resources import batch, docs, games, meta, metrics, operations, page
from shelfie.api.settings import Settings
from shelfie.engine import GAMES


@dataclass(slots=True)
class Service:
    """What this process knows about itself.

    gate: the search slots. state: "starting", "ready" or "draining".
    quota: calls of each caller, where they are limited.
    media_types: endpoint -> what it offers, where that is not JSON alone; the first is what a
    caller gets who takes them all.
    """

    settings: Settings
    gate: Gate
    state: str = "ready"
    quota: Quota | None = None
    media_types: dict[str, tuple[str, ...]] = field(default_factory=dict)


class ServiceFlask(Flask):
    """Flask without the question, twenty times a request, whether a function is a coroutine."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def create_app(settings: Settings | None = None) -> Flask:
    """A WSGI application. `settings` default to what the environment says."""
    settings = settings or Settings.from_environment()
    # Flask cannot guess an instance folder below a namespace package; none is used.
    app = ServiceFlask("shelfie.api", static_folder=None, instance_path=sys.prefix)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes + 1  # see limit_body
    app.config["PROPAGATE_EXCEPTIONS"] = False  # a failure is a problem response, tests included
    app.url_map.merge_slashes = False  # an address with doubled slashes is 404, not a redirect
    app.extensions["shelfie"] = Service(settings, Gate(settings), media_types=media_types())
    observation.install(app)
    response_headers.install(app, settings)
    request_context.install(app)
    keys.install(app, read_keys(settings.keys))
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(Busy, _busy)
    app.register_error_handler(QuotaExceeded, _quota_exceeded)
    api = ShelfieApi(app, served=settings.docs)
    per_game = map(operations.operations_blueprint, GAMES)
    for blueprint in (games.blueprint, *per_game, batch.blueprint, meta.blueprint):
        api.register_blueprint(blueprint)
    if settings.docs:
        app.register_blueprint(docs.blueprint)
    if settings.page:
        app.register_blueprint(page.blueprint)
    metrics.install(app, settings)
    quota.install(app, settings)  # after whatever tells who the caller is
    return app


def media_types() -> dict[str, tuple[str, ...]]:
    """What each address offers, where that is not JSON alone."""
    pages = docs.MEDIA_TYPES | page.MEDIA_TYPES
    return pages | batch.MEDIA_TYPES | metrics.MEDIA_TYPES | operations.MEDIA_TYPES


def _refused(refused: Refused) -> Response:
    return from_refusal(refused)


def _busy(busy: Busy) -> Response:
    REFUSALS.labels(busy.reason).inc()
    observation.note(reason=busy.reason)
    return from_busy(busy)


def _quota_exceeded(error: QuotaExceeded) -> Response:
    REFUSALS.labels("quota").inc()
    observation.note(reason="quota")
    return from_quota(error)
