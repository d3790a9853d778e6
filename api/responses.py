"""Successful answers as bytes."""

from typing import Any

from flask import Response

from shelfie.api import json_text
from shelfie.api.request_context import JSON


def json_response(value: Any, status: int = 200) -> Response:
    """The one JSON text of a value."""
    return Response(json_text.dumps(value), status, content_type=JSON)
