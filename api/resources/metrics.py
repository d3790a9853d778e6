"""GET /metrics, on the service's port or on one of its own. It is not part of the API."""

from flask import Blueprint, Flask, Response, current_app, request
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from werkzeug.exceptions import NotFound

from shelfie.api.metrics import text
from shelfie.api.settings import Settings

blueprint = Blueprint("metrics", __name__)
MEDIA_TYPES: dict[str, tuple[str, ...]] = {"metrics.metrics": ("text/plain",)}


@blueprint.get("/metrics")
def metrics() -> Response:
    """The counts of all workers, as Prometheus reads them."""
    found = text(current_app.extensions["shelfie"].gate)
    return Response(found, content_type=CONTENT_TYPE_PLAIN_0_0_4)


def install(app: Flask, settings: Settings) -> None:
    """Adds the address, unless it is switched off; a port of its own serves nothing else."""
    if not settings.metrics:
        return
    app.register_blueprint(blueprint)
    if not settings.metrics_port:
        return
    port = str(settings.metrics_port)

    @app.before_request
    def keep_apart() -> None:
        for_metrics = request.endpoint == "metrics.metrics"
        if for_metrics != (request.environ.get("SERVER_PORT") == port):
            raise NotFound
