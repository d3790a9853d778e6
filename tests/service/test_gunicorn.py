"""The real server on a loopback port: two workers, equal bytes, plain HTTP, a clean stop."""

import contextlib
import http.client
import json
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from http_client import SCRIPTS, ask, chunks, running, without_time
from sample_positions import DECISIONS

from shelfie.api.examples import request_examples
from shelfie.search.arena import Match, run

WORKERS = 2
COMMAND = [str(SCRIPTS / "shelfie"), "serve", "--workers", str(WORKERS)]
GAMES = ["tile", "dice"]
AS_JSON = {"Accept": "application/json"}
SEARCHES = ("analysis", "move", "evaluation")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    # However slow the machine is, nothing is refused for waiting too long.
    with running(COMMAND, {"SHELFIE_QUEUE_MS": "60000"}) as (port, _):
        yield port


@pytest.mark.parametrize("game", GAMES)
def test_the_same_bytes_from_every_worker_and_repeat(port: int, game: str) -> None:
    """Each call comes on its own connection, so the kernel spreads them over the workers."""
    for operation, request in request_examples(game).items():
        path = f"/v1/games/{game}/{operation}"
        with ThreadPoolExecutor(4) as pool:
            answers = list(
                pool.map(lambda _: ask(port, "POST", path, request, **AS_JSON), range(8))  # noqa: B023
            )
        assert {status for status, _, _ in answers} == {200}
        assert len({without_time(body) for _, _, body in answers}) == 1, operation
        tags = {headers["etag"] for _, headers, _ in answers}
        assert len(tags) == 1, operation
        held = {**AS_JSON, "If-None-Match": tags.pop()}
        status, _, body = ask(port, "POST", path, request, **held)
        assert (status, body) == (304, b"")


def test_head_and_methods(port: int) -> None:
    status, headers, body = ask(port, "HEAD", "/v1/games")
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) == len(ask(port, "GET", "/v1/games")[2])
    status, headers, body = ask(port, "HEAD", "/v1/games/tile/analysis")
    assert (status, headers["allow"], body) == (405, "OPTIONS, POST", b"")
    for method in ("GET", "PUT", "DELETE", "PATCH"):
        status, headers, _ = ask(port, method, "/v1/games/tile/analysis")
        assert (status, headers["content-type"]) == (405, "application/problem+json")


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("review", request_examples("tile")["review"]),
        ("analysis", {"position": DECISIONS["tile"], "limits": {"playouts": 1100}}),
    ],
)
def test_each_line_is_sent_on_its_own(port: int, operation: str, request_: Any) -> None:
    """Over a socket, as chunks, and not compressed whatever the caller takes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/json", "Accept": "application/x-ndjson",
               "Accept-Encoding": "gzip"}  # fmt: skip
    with contextlib.closing(connection):
        path = f"/v1/games/tile/{operation}"
        connection.request("POST", path, json.dumps(request_), headers)
        answer = connection.getresponse()
        assert answer.headers["Transfer-Encoding"] == "chunked"
        assert "Content-Encoding" not in answer.headers
        lines = list(chunks(answer))
    assert len(lines) == 4
    for line in lines:
        assert line.endswith(b"\n")
        json.loads(line)


def test_the_server_names_no_version(port: int) -> None:
    for method, path in (("GET", "/livez"), ("GET", "/nothing"), ("POST", "/v1/batch")):
        _, headers, _ = ask(port, method, path)
        assert headers["server"] == "gunicorn"


def test_another_service_can_be_played(port: int) -> None:
    """The arena's remote agent makes the moves that the search makes here."""
    address = f"http:http://127.0.0.1:{port},playouts=20"
    match = Match("tile", 2, ("full:playouts=20", address), 2, "remote")
    found = run(match, plugins=("shelfie.api.remote_agent",))
    assert [agent["agent"] for agent in found["agents"]] == list(match.agents)
    assert sum(agent["win_share"] for agent in found["agents"]) == pytest.approx(1)
    same = run(Match("tile", 2, ("full:playouts=20",) * 2, 2, "remote"))
    for ours, theirs in zip(same["agents"], found["agents"], strict=True):
        assert (ours["win_share"], ours["score"]) == (theirs["win_share"], theirs["score"])


def test_errors_over_the_wire(port: int) -> None:
    for body, content_type, expected in (
        (b"{", "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"[]", "application/json", 422),
        (b" " * 300_000, "application/json", 413),
    ):
        headers = {"Content-Type": content_type, "X-Request-Id": "wire-1"}
        status, found, answer = ask(port, "POST", "/v1/games/tile/new", body, **headers)
        assert status == expected
        assert found["content-type"] == "application/problem+json"
        assert found["x-request-id"] == json.loads(answer)["request_id"] == "wire-1"


def test_a_chunked_body_is_limited(port: int) -> None:
    """Without Content-Length the size shows only while reading."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with contextlib.closing(connection):
        chunks = iter([b" " * 60_000] * 5)
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/v1/games/tile/new", chunks, headers, encode_chunked=True)
        answer = connection.getresponse()
        assert answer.status == 413
        assert json.loads(answer.read())["maximum"] == 262_144


def test_chunks_that_are_none_are_the_callers_fault(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(
            b"POST /v1/games/tile/new HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n{}\r\n"
        )
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 400
        assert json.loads(answer.read())["type"] == "about:blank"


def test_a_connection_is_kept_over_good_and_bad_requests(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Content-Type": "application/json"}
    request = json.dumps({"position": DECISIONS["tile"]})
    for body, expected in ((request, 200), ("{", 400), (request, 200), ("{}", 422)):
        connection.request("POST", "/v1/games/tile/score", body, headers)
        answer = connection.getresponse()
        assert answer.status == expected
        answer.read()
    connection.close()


def test_a_stop_finishes_what_is_running() -> None:
    """SIGTERM comes while searches run: each gets its answer, the server ends with 0."""
    with running(COMMAND) as (port, process):
        search = {"position": DECISIONS["tile"], "limits": {"time_ms": 1500}}

        def started() -> http.client.HTTPConnection:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/v1/games/tile/analysis", json.dumps(search), headers)
            return connection

        connections = [started() for _ in range(4)]
        # Probes are answered while the searches run, and the answer to this one shows that
        # the requests sent before it have reached the server.
        for _ in range(8):
            assert ask(port, "GET", "/livez")[0] == 200
        process.send_signal(signal.SIGTERM)
        for connection in connections:
            answer = connection.getresponse()
            assert answer.status == 200
            assert json.loads(answer.read())["status"] == "ok"
            connection.close()
        assert process.wait(60) == 0
        with socket.socket() as probe, pytest.raises(OSError, match="refused"):
            probe.connect(("127.0.0.1", port))
