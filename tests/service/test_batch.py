"""Batches over a socket: streamed line by line, the same from every worker, cut cleanly."""

import contextlib
import http.client
import json
import signal
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from http_client import SCRIPTS, ask, chunks, running, without_time
from sample_positions import DECISIONS

from shelfie.api.examples import request_examples
from shelfie.engine import GAMES

COMMAND = [str(SCRIPTS / "shelfie"), "serve", "--workers", "2"]
NDJSON = {"Content-Type": "application/x-ndjson"}
ITEMS: list[dict[str, Any]] = [
    {"id": f"{game} {op}", "game": game, "op": op, "request": request}
    for game in GAMES
    for op, request in request_examples(game).items()
]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running(COMMAND) as (port, _):
        yield port


def text_of(items: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in items)


def test_items_equal_single_calls_on_any_worker(port: int) -> None:
    singles = {}
    for item in ITEMS:
        path = f"/v1/games/{item['game']}/{item['op']}"
        status, _, body = ask(port, "POST", path, item["request"], Accept="application/json")
        assert status == 200
        singles[item["id"]] = without_time(body)
    for _ in range(4):
        status, headers, body = ask(port, "POST", "/v1/batch", text_of(ITEMS), **NDJSON)
        assert status == 200
        assert headers["transfer-encoding"] == "chunked"
        assert headers["x-accel-buffering"] == "no"
        *lines, last = body.splitlines()
        assert json.loads(last)["summary"] == {
            "items": len(ITEMS), "ok": len(ITEMS), "failed": 0, "complete": True,
        }  # fmt: skip
        for line in lines:
            value = json.loads(line)
            inner = line[line.index(b'"body":') + len(b'"body":') : -1]
            assert without_time(inner) == singles[value["id"]]
        assert len(lines) == len(ITEMS)


def test_every_line_is_sent_on_its_own(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(connection):
        connection.request("POST", "/v1/batch", text_of(ITEMS), NDJSON)
        found = list(chunks(connection.getresponse()))
    assert len(found) == len(ITEMS) + 1
    for chunk in found:
        assert chunk.endswith(b"\n")
        json.loads(chunk)


def test_a_reader_who_leaves_does_no_harm(port: int) -> None:
    search = {"position": DECISIONS["tile"], "limits": {"playouts": 2000}}
    items = [{"game": "tile", "op": "evaluation", "request": search}] * 200
    for _ in range(4):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with contextlib.closing(connection):
            connection.request("POST", "/v1/batch", text_of(items), NDJSON)
            answer = connection.getresponse()
            assert json.loads(answer.readline())["status"] == 200
            assert connection.sock is not None
            connection.sock.shutdown(socket.SHUT_RDWR)
    status, _, body = ask(port, "POST", "/v1/batch", text_of(ITEMS), **NDJSON)
    assert status == 200
    assert json.loads(body.splitlines()[-1])["summary"]["complete"] is True


def test_limits_over_the_wire(port: int) -> None:
    status, headers, body = ask(port, "POST", "/v1/batch", b"{}\n" * 1001, **NDJSON)
    assert (status, headers["content-type"]) == (422, "application/problem+json")
    assert json.loads(body)["errors"][0]["maximum"] == 1000


def test_a_stop_finishes_a_batch_that_runs() -> None:
    """SIGTERM comes after the first line: all others follow, and the server ends with 0."""
    search = {"position": DECISIONS["tile"], "limits": {"playouts": 500}}
    items = [{"game": "tile", "op": "evaluation", "request": search}] * 40
    with running(COMMAND) as (port, process):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with contextlib.closing(connection):
            connection.request("POST", "/v1/batch", text_of(items), NDJSON)
            answer = connection.getresponse()
            assert json.loads(answer.readline())["status"] == 200
            process.send_signal(signal.SIGTERM)
            *lines, last = answer.read().splitlines()
        assert len(lines) == len(items) - 1
        assert json.loads(last)["summary"]["ok"] == len(items)
        assert process.wait(60) == 0
