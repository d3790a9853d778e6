"""What is told about requests: lines of the log with ids, and counts."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from http_client import check_problem
from prometheus_client.parser import text_string_to_metric_families
from sample_positions import DECISIONS

from shelfie.api import batch, logs
from shelfie.api.app import create_app
from shelfie.api.build import version
from shelfie.api.settings import Settings
from shelfie.api.trace_context import trace_id

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
VALID = f"00-{TRACE}-{PARENT}-01"


@pytest.fixture
def lines() -> Iterator[Any]:
    """A function that gives the lines logged since it was last called, as JSON."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.formatter())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)

    def take() -> list[dict[str, Any]]:
        text = stream.getvalue()
        stream.seek(0)
        stream.truncate()
        return [json.loads(line) for line in text.splitlines()]

    yield take
    root.removeHandler(handler)
    root.setLevel(before)


def request_line(lines: list[dict[str, Any]]) -> dict[str, Any]:
    found = [line for line in lines if line["message"] == "request"]
    assert len(found) == 1
    return found[0]


def counts(client: FlaskClient) -> dict[tuple[str, ...], float]:
    """Name and label values of every sample of /metrics -> its value."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(answer.get_data(as_text=True))
        for sample in family.samples
    }


class Difference:
    """How much each sample grew while the block ran."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def __enter__(self) -> "Difference":
        self.before = counts(self.client)
        return self

    def __exit__(self, *_: object) -> None:
        self.after = counts(self.client)

    def __getitem__(self, sample: tuple[str, ...]) -> float:
        return self.after[sample] - self.before.get(sample, 0.0)


def test_a_search_is_logged(client: FlaskClient, lines: Any) -> None:
    request = {"position": DECISIONS["tile"], "limits": {"playouts": 20}}
    headers = {"X-Request-Id": "r-1", "traceparent": VALID}
    answer = client.post("/v1/games/tile/move", json=request, headers=headers)
    found = request_line(lines())
    expected = {
        "request_id": "r-1", "trace_id": TRACE, "level": "info", "method": "POST",
        "route": "/v1/games/{game}/move", "game": "tile", "operation": "move", "status": 200,
        "playouts": 20, "queue_ms": 0, "caller": "anonymous",
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert found["search_ms"] == answer.get_json()["search"]["time_ms"]
    assert found["duration_ms"] > 0
    assert found["time"].endswith("Z")


def test_a_batch_is_logged_when_it_ends(client: FlaskClient, lines: Any) -> None:
    item = {"game": "tile", "op": "evaluation", "request": {"position": DECISIONS["tile"],
            "limits": {"playouts": 10}}}  # fmt: skip
    body = json.dumps([item, item, {}]).encode()
    answer = client.post("/v1/batch", data=body, content_type="application/json")
    answer.get_data()
    answer.close()
    found = request_line(lines())
    assert (found["items"], found["ok"], found["playouts"]) == (3, 2, 20)
    assert found["operation"] == "batch"


def test_probes_are_not_logged(client: FlaskClient, lines: Any) -> None:
    for path in ("/livez", "/readyz", "/metrics"):
        client.get(path)
    assert lines() == []
    client.get("/nowhere")
    assert request_line(lines())["route"] == "none"


def test_the_cause_of_a_failure_is_in_the_log_alone(
    client: FlaskClient, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("shelfie.api.search_operations.analyze", fail)
    monkeypatch.setattr(batch, "body_of", fail)
    path, request = "/v1/games/dice/analysis", {"position": DECISIONS["dice"]}
    item = {"game": "dice", "op": "analysis", "request": request}
    for address, body in ((path, request), ("/v1/batch", [item])):
        answer = client.post(address, json=body, headers={"X-Request-Id": "r-2"})
        assert b"secret" not in answer.get_data()
        answer.close()
        [failure] = [line for line in lines() if line["level"] == "error"]
        assert failure["request_id"] == "r-2"
        assert "RuntimeError: secret" in failure["exception"]
    check_problem(client.post(path, json=request), 500, "internal-error")


def test_refusals_are_told_with_their_reason(lines: Any) -> None:
    app = create_app(Settings(slots=1, queue=0))
    client = app.test_client()
    with app.extensions["shelfie"].gate.search(None), Difference(client) as grown:
        client.post("/v1/games/dice/analysis", json={"position": DECISIONS["dice"]})
    assert request_line(lines())["reason"] == "queue-full"
    assert grown["shelfie_refusals_total", "queue-full"] == 1
    assert grown["shelfie_requests_total", "dice", "/v1/games/{game}/analysis", "503"] == 1


def test_counts(client: FlaskClient) -> None:
    route = "/v1/games/{game}/analysis"
    request = {"position": DECISIONS["tile"], "limits": {"playouts": 30}}
    with Difference(client) as grown:
        for _ in range(3):
            client.post("/v1/games/tile/analysis", json=request)
        client.post("/v1/games/tile/analysis", json={})
        client.get("/nowhere")
        client.put("/v1/games")
        item = {"game": "tile", "op": "analysis", "request": request}
        client.post("/v1/batch", json=[item, item, {}]).get_data()
    assert grown["shelfie_requests_total", "tile", route, "200"] == 3
    assert grown["shelfie_requests_total", "tile", route, "422"] == 1
    assert grown["shelfie_requests_total", "", "none", "404"] == 1
    assert grown["shelfie_requests_total", "", "none", "405"] == 1
    assert grown["shelfie_request_seconds_count", "tile", route] == 4
    assert grown["shelfie_queue_seconds_count", "tile"] == 3
    assert grown["shelfie_search_seconds_count", "tile", "analysis"] == 5
    assert grown["shelfie_playouts_total", "tile"] == 150
    assert grown["shelfie_batch_items_total", "tile", "analysis", "200"] == 2
    assert grown["shelfie_batch_items_total", "", "", "422"] == 1


def test_slots_are_told_as_they_are() -> None:
    app = create_app(Settings(slots=3))
    client, gate = app.test_client(), app.extensions["shelfie"].gate
    with gate.search(None):
        leave = gate.enter_batch()
        found = counts(client)
        leave()
    assert found["shelfie_slots", "calls", "all"] == 3
    assert found["shelfie_slots", "calls", "busy"] == 1
    assert found["shelfie_batches",] == 1
    found = counts(client)
    assert found["shelfie_slots", "calls", "busy"] == found["shelfie_batches",] == 0
    build = next(sample for sample in found if sample[0] == "shelfie_build_info")
    assert version() in build


def test_metrics_can_be_switched_off_or_moved() -> None:
    check_problem(create_app(Settings(metrics=False)).test_client().get("/metrics"), 404)
    client = create_app(Settings(metrics_port=9000)).test_client()
    check_problem(client.get("/metrics"), 404)
    there = {"base_url": "http://localhost:9000"}
    assert client.get("/metrics", **there).status_code == 200
    check_problem(client.get("/v1/games", **there), 404)
    assert client.get("/v1/games").status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "", "junk", VALID.upper(), VALID[:-1], f"{VALID}-more", VALID.replace("00-", "ff-", 1),
        f"00-{'0' * 32}-{PARENT}-01", f"00-{TRACE}-{'0' * 16}-01", f"{VALID},{VALID}",
    ],
)  # fmt: skip
def test_a_traceparent_that_is_not_valid_is_as_none(header: str) -> None:
    first, second = trace_id(header), trace_id(header)
    assert first != second
    for found in (first, second):
        assert len(found) == 32
        assert int(found, 16)
        assert found != TRACE


def test_later_versions_of_traceparent_may_go_on() -> None:
    assert trace_id(VALID) == TRACE
    assert trace_id(f"01-{TRACE}-{PARENT}-01-more") == TRACE


def test_requests_do_not_share_ids(app: Flask, lines: Any) -> None:
    for _ in range(2):
        app.test_client().get("/v1/games")
    first, second = lines()
    assert first["request_id"] != second["request_id"]
    assert first["trace_id"] != second["trace_id"]
