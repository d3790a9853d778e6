"""The log: one JSON object a line, on standard error, with the request's id wherever one is known.

The service logs with the standard library; structlog renders what it and gunicorn say.
"""

import logging
import sys
from typing import Any

import orjson
import structlog
from gunicorn.glogging import Logger as GunicornLogger
from structlog.typing import Processor

SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    structlog.processors.format_exc_info,
]


def formatter() -> logging.Formatter:
    """Renders a record of the standard library as a line of JSON."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.EventRenamer("message"),
            structlog.processors.JSONRenderer(json_text_of),
        ],
    )


def json_text_of(event: Any, default: Any) -> str:
    """A record as JSON; `default` tells what JSON has no form for."""
    return orjson.dumps(event, default).decode()


def configure(level: str) -> None:
    """Sends everything of at least this weight to standard error, rendered."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)


class ServerLogger(GunicornLogger):  # type: ignore[misc]  # gunicorn ships no types
    """gunicorn's own messages through the same log; requests are logged by the application."""

    def setup(self, cfg: Any) -> None:
        self.error_log.propagate = True

    def access(self, *_: Any) -> None:
        pass
