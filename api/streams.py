"""Answers line by line (NDJSON), each line sent as soon as it is found."""

import logging
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from flask import Response, stream_with_context

from shelfie.api import json_text
from shelfie.api.problems import failure_body, refusal_body
from shelfie.api.refusals import Refused
from shelfie.api.request_context import NDJSON, request_id

logger = logging.getLogger(__name__)

# A proxy that waits for more, or compresses, would hold finished lines back.
HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store, no-transform"}


def streamed(lines: Iterator[Mapping[str, Any]]) -> Response:
    """The lines as a response.

    The first one is found before the status is sent, so whatever is wrong until then is an
    ordinary problem response.
    """
    first = next(lines)
    body = stream_with_context(texts(first, lines, request_id()))
    return Response(body, content_type=NDJSON, headers=HEADERS)


def texts(
    first: Mapping[str, Any], rest: Iterator[Mapping[str, Any]], request_id: str
) -> Iterator[bytes]:
    """Each line's bytes. A failure on the way is the last line: `{"problem": {...}}`."""
    try:
        yield line_text(first)
        for line in rest:
            yield line_text(line)
    except Refused as error:
        yield line_text({"problem": refusal_body(error, request_id)})
    except Exception:
        logger.exception("The stream of request %s failed", request_id)
        yield line_text({"problem": failure_body(request_id)})
    finally:
        if isinstance(rest, Generator):
            rest.close()  # a reader who leaves ends the work


def line_text(line: Mapping[str, Any]) -> bytes:
    """One line, with its line end."""
    return json_text.dumps(line) + b"\n"
