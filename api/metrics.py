"""Metrics for Prometheus, right over all worker processes.

The library keeps counts in files under PROMETHEUS_MULTIPROC_DIR when that is set before it is
imported; `shelfie serve` sees to it (`prepare`). Slots are told from the slots themselves.
"""

import os
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from shelfie.api.admission import Gate
from shelfie.api.build import version_document
from shelfie.api.launch import SHARED_FOLDER

REGISTRY = CollectorRegistry()  # of this process

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)

REQUESTS = Counter(
    "shelfie_requests",
    "Requests answered.",
    ["route", "game", "status"],
    registry=REGISTRY,
)
LATENCY = Histogram(
    "shelfie_request_seconds",
    "Arrival of a request to its answer, batches to their last line.",
    ["route", "game"],
    buckets=_SECONDS,
    registry=REGISTRY,
)
QUEUE = Histogram(
    "shelfie_queue_seconds",
    "Wait of a call for a slot.",
    ["game"],
    buckets=_SECONDS,
    registry=REGISTRY,
)
SEARCH = Histogram(
    "shelfie_search_seconds",
    "Searching, of calls and of items of batches.",
    ["game", "operation"],
    buckets=_SECONDS,
    registry=REGISTRY,
)
PLAYOUTS = Counter(
    "shelfie_playouts",
    "Tree descents, of calls and of items of batches.",
    ["game"],
    registry=REGISTRY,
)
ITEMS = Counter(
    "shelfie_batch_items",
    "Items of batches that were answered.",
    ["game", "operation", "status"],
    registry=REGISTRY,
)
REFUSALS = Counter(
    "shelfie_refusals",
    "Calls refused for want of room, by reason.",
    ["reason"],
    registry=REGISTRY,
)


class State(Collector):
    """What is the case at this moment, whichever process is asked."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate

    def collect(self) -> Iterator[Metric]:
        gate = self.gate
        slots = GaugeMetricFamily("shelfie_slots", "Search slots.", labels=["of", "state"])
        for name, line in (("calls", gate.calls), ("batches", gate.items)):
            slots.add_metric([name, "all"], len(line.slots))
            slots.add_metric([name, "busy"], len(gate.seats.taken(line.slots)))
        yield slots
        yield GaugeMetricFamily("shelfie_waiting", "Calls in the queue.", gate.calls.waiting())
        running = len(gate.seats.taken(gate.batches))
        yield GaugeMetricFamily("shelfie_batches", "Batches that are being answered.", running)
        build = version_document()
        names = ("version", "build", "fingerprint")
        about = GaugeMetricFamily("shelfie_build_info", "What is running; always 1.", labels=names)
        about.add_metric([build[name] for name in names], 1)
        yield about


def text(gate: Gate) -> bytes:
    """All metrics of all worker processes."""
    now = CollectorRegistry()
    now.register(State(gate))
    counted = REGISTRY
    if SHARED_FOLDER in os.environ:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    return generate_latest(counted) + generate_latest(now)


def forget(pid: int) -> None:
    """A worker has ended: what only it stood for is dropped, its counts stay."""
    if SHARED_FOLDER in os.environ:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]
