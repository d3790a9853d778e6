"""The service against its own document: what Schemathesis makes of it, good and bad."""

from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from shelfie.api.app import create_app
from shelfie.api.options import limit_maxima
from shelfie.api.settings import Settings

CONFIG = SchemathesisConfig(
    projects=ProjectsConfig(
        default=ProjectConfig(generation=GenerationConfig(deterministic=True, max_examples=20))
    )
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# A search that a generated request really starts has to be short.
SHORT = {"playouts": 50, "depth": 1, "time_ms": 20, "deadline_ms": 20}
MAXIMA = {**limit_maxima("tile"), **limit_maxima("dice"), "deadline_ms": 30_000}

SEARCHES = ("/analysis", "/move", "/evaluation", "/review")

schema = schemathesis.openapi.from_wsgi("/openapi.json", create_app(Settings()), config=CONFIG)


def shorten(values: Any) -> None:
    """Makes accepted limits small, in place; what is refused anyway stays as it is."""
    if not isinstance(values, dict):
        return
    for name, short in SHORT.items():
        value = values.get(name)
        if type(value) is int and short < value <= MAXIMA[name]:
            values[name] = short
    shorten(values.get("limits"))


def set_limit(values: Any) -> None:
    """A small limit where the default would hold; whether the request is valid stays as it is."""
    if isinstance(values, dict) and values.get("limits") is None:
        values["limits"] = {"playouts": SHORT["playouts"]}


def quicken(body: Any, path: str) -> None:
    """Keeps the searches that a body of this address would start short."""
    shorten(body)
    if path.startswith("/v1/games/tile/") and path.endswith(SEARCHES):
        set_limit(body)
    elif path == "/v1/batch" and isinstance(body, list):
        for item in body:
            if isinstance(item, dict):
                quicken(item.get("request"), f"/v1/games/{item.get('game')}/{item.get('op')}")


@schemathesis.serializer("application/x-ndjson")
def write_lines(context: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "replace")


@schema.parametrize()
@settings(max_examples=20, derandomize=True, deadline=None, database=None,
          suppress_health_check=list(HealthCheck))  # fmt: skip
def test_the_service_does_what_its_document_says(case: Any) -> None:
    quicken(case.body, case.path)
    # A batch accepts items that are no good: each is told so in a line of its own.
    rejecting = [negative_data_rejection] if case.path != "/v1/batch" else []
    # It asks for gzip by itself, and cannot read it where no socket lies between.
    plain = {"Accept-Encoding": "identity"}
    case.call_and_validate(checks=[*CHECKS, *rejecting], headers=plain)
