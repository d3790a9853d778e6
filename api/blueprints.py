"""Views with what the document says about them; bodies read by media type, JSON and schema."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any, NoReturn

import marshmallow as ma
from flask import Request, Response
from flask_smorest import Blueprint
from webargs.flaskparser import FlaskParser

from shelfie.api import json_text, schemas
from shelfie.api.request_context import JSON, NDJSON, check_content_type, read_body
from shelfie.api.streams import HEADERS

View = Callable[..., Response]

REQUEST_ID = {
    "description": "The caller's when well-formed, else a new one.",
    "schema": {"type": "string"},
    "required": True,
}
ETAG = {
    "description": "A hash of the request and the build, weak since `time_ms` and coding may "
    "differ; on answers that are reproducible.",
    "schema": {"type": "string"},
}
CACHE_CONTROL = {
    "description": "`private, no-cache` on reproducible answers, `no-store` on the others; "
    "with `no-transform` on lines.",
    "schema": {"type": "string"},
    "required": True,
}
SERVER_TIMING = {
    "description": "Milliseconds in the queue and in the search.",
    "schema": {"type": "string"},
    "required": True,
}
STREAM_HEADERS = {
    name: {"description": f"`{value}`.", "schema": {"type": "string"}, "required": True}
    for name, value in HEADERS.items()
}
VARY = {
    "description": "Names `Accept`: lines or one object, as the caller prefers.",
    "schema": {"type": "string"},
    "required": True,
}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of an answer that the caller holds; 304 when it is still the one.",
    "schema": {"type": "string"},
}


class BodyParser(FlaskParser):
    """webargs' parser with our JSON reader and our faults."""

    def _raw_load_json(self, req: Request) -> Any:
        check_content_type(JSON)
        return json_text.loads(read_body())

    def handle_error(self, error: ma.ValidationError, *_: Any, **__: Any) -> NoReturn:
        assert isinstance(error.messages, dict)
        raise schemas.refused(ma.ValidationError(error.messages["json"])) from None


class ServiceBlueprint(Blueprint):  # type: ignore[misc]  # flask-smorest ships no types
    """A blueprint whose arguments are read strictly and whose views list what they answer."""

    ARGUMENTS_PARSER = BodyParser()

    def add_view(
        self,
        method: str,
        path: str,
        view: View,
        *,
        name: str,
        answer: str,
        statuses: Iterable[int],
        body: tuple[ma.Schema, dict[str, Any]] | None = None,
        headers: Mapping[str, Any] | None = None,
        parameters: Sequence[dict[str, Any]] = (),
        media_type: str = JSON,
        request_body: dict[str, Any] | None = None,
        lines: str | None = None,
    ) -> None:
        """Adds one operation to the application and to the document.

        name: its operationId. answer: name of the schema of its 200. statuses: the other ones.
        body: schema and example of what it takes; the view then gets the checked values.
        headers: of its 200, besides X-Request-Id. parameters: request headers it looks at.
        media_type: of its 200. request_body: what it takes, for a view that reads it itself.
        lines: name of the schema of a line, where NDJSON is the other form of its 200.
        """
        more: dict[str, Any] = {"parameters": list(parameters)} if parameters else {}
        if request_body is not None:
            more["requestBody"] = request_body
        if lines is not None:
            line = {"$ref": f"#/components/schemas/{lines}"}
            more["responses"] = {200: {"content": {NDJSON: {"schema": line}}}}
        documented = self.doc(operationId=name, **more)(view)
        for status in statuses:
            documented = self.alt_response(status, HTTPStatus(status).name)(documented)
        named = {"X-Request-Id": REQUEST_ID, **(headers or {})}
        documented = self.response(200, answer, content_type=media_type, headers=named)(documented)
        served = without_wrappers(view, documented)
        if body is not None:
            schema, example = body
            served = self.arguments(schema, example=example)(served)
        self.add_url_rule(path, name, served, methods=[method])


def without_wrappers(view: View, documented: View) -> View:
    """A view with all that is documented of it, and none of a dozen functions around it.

    flask-smorest wraps a view once for each status; every call would go through all of them.
    """

    @wraps(view)
    def served(*args: Any, **kwargs: Any) -> Response:
        return view(*args, **kwargs)

    served._apidoc = documented._apidoc  # type: ignore[attr-defined]
    return served
