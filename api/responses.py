"""Successful answers as bytes."""

from typing import Any

from flask import Response

from shelfie.api import json_text
from shelfie.api.request_context import JSON


def json_response(value: Any, *, computed: bool = True) -> Response:
    """The one JSON text of a value; computed: see `json_text.dumps`."""
    return Response(json_text.dumps(value, computed=computed), content_type=JSON)
