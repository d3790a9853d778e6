"""gunicorn, started by the program itself with the settings that suit a CPU-bound engine.

The search runs without the GIL, so threads of a worker answer probes while others search.
"""

import logging
import select
import signal
from collections.abc import Mapping
from types import FrameType
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from shelfie.api import logs, metrics
from shelfie.api.app import create_app
from shelfie.api.batch import answer_sibling
from shelfie.api.build import version_document
from shelfie.api.caching import service_digest
from shelfie.api.launch import shared_memory
from shelfie.api.logs import ServerLogger
from shelfie.api.settings import Settings

logger = logging.getLogger(__name__)


def gunicorn_options(settings: Settings) -> dict[str, Any]:
    """gunicorn's settings. Why each is what it is:

    preload_app: tables and models are loaded once and shared by the workers.
    timeout: a dead-man switch far above the longest search; deadlines do the real work.
    graceful_timeout: a stop waits for the longest search.
    worker_tmp_dir: heartbeats on a slow disk can block a worker.
    control_socket_disable: it needs a writable home, which containers lack.
    """
    ports = [settings.port]
    if settings.metrics and settings.metrics_port:
        ports.append(settings.metrics_port)
    options: dict[str, Any] = {
        "bind": [f"{settings.host}:{port}" for port in ports],
        "workers": settings.processes,
        "worker_class": "shelfie.api.worker.Worker",
        "threads": settings.worker_threads,
        "preload_app": True,
        "timeout": 120,
        "graceful_timeout": 60,
        "keepalive": 30,
        "backlog": 128,
        "control_socket_disable": True,
        "worker_tmp_dir": shared_memory(),
        "logger_class": ServerLogger,
        "loglevel": settings.log_level,
        "post_worker_init": begin,
        "child_exit": lambda _, worker: metrics.forget(worker.pid),
    }
    return options


def begin(worker: Any) -> None:
    """Joins the other workers; ready from now until the worker is told to stop."""
    service = worker.app.wsgi().extensions["shelfie"]
    service.gate.siblings.join(answer_sibling)
    service.state = "ready"
    stop = signal.getsignal(signal.SIGTERM)

    def drain(number: int, frame: FrameType | None) -> None:
        service.state = "draining"
        worker.method_queue.defer(close_door, worker)
        if callable(stop):
            stop(number, frame)

    signal.signal(signal.SIGTERM, drain)


def close_door(worker: Any) -> None:
    """Takes whoever has knocked already, then nobody: a new connection is refused at once.

    gunicorn itself would leave both in the kernel's queue, to be cut off when the worker ends.
    """
    worker.set_accept_enabled(False)
    for listener in worker.sockets:
        while select.select([listener], [], [], 0)[0]:
            before = worker.nr_conns
            worker.accept(listener)
            if worker.nr_conns == before:  # another worker was quicker
                break
        listener.close()


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn ships no types
    """gunicorn's application with options from code instead of a command line."""

    def __init__(self, settings: Settings, options: Mapping[str, Any]) -> None:
        self.settings = settings
        self.options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.options.items():
            if value is not None:
                self.cfg.set(name, value)

    def load(self) -> Flask:
        # Loads every model, takes the fingerprint and reads the code, once for all workers.
        version_document()
        service_digest()
        app = create_app(self.settings)
        app.extensions["shelfie"].state = "starting"
        return app


def serve(settings: Settings) -> None:
    """Serves until it is told to stop."""
    logs.configure(settings.log_level)
    logger.info("settings", extra=settings.shown())
    Server(settings, gunicorn_options(settings)).run()
