"""shelfie serve: the HTTP service."""

import argparse
import os
from typing import Any

from shelfie.api.commands.config import read
from shelfie.api.launch import make_metrics_folder, remove

OPTIONS = ("host", "port", "workers", "threads")


def add(commands: Any) -> None:
    """Adds the command; what is not given comes from the environment, else has a default."""
    command = commands.add_parser("serve", help="The HTTP service")
    command.add_argument("--host", help="address to listen on (HOST; 127.0.0.1)")
    command.add_argument("--port", type=int, help="port to listen on (PORT; 8000)")
    command.add_argument("--workers", type=int, help="processes (SHELFIE_WORKERS; one a core)")
    command.add_argument("--threads", type=int, help="threads a process (SHELFIE_THREADS; enough)")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Serves until it is told to stop."""
    settings = read(**{name: getattr(given, name) for name in OPTIONS})
    folder, owner = make_metrics_folder(), os.getpid()
    try:
        # Not before: the metrics library looks for the folder when it is imported.
        from shelfie.api.server import serve

        serve(settings)
    finally:
        if folder is not None and os.getpid() == owner:  # workers come by here too
            remove(folder)
