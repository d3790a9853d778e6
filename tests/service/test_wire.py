"""Bad HTTP, over raw sockets: problem details all the same, and slow senders are cut off."""

import contextlib
import http.client
import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from http_client import ask, running

from shelfie.api.request_context import TooSlow
from shelfie.api.worker import SLOWEST, TimedUnreader, enough

# The server with less patience than it has by itself.
IMPATIENT = """
import sys
from shelfie.api import cli, worker
worker.PATIENCE, worker.SLOWEST = 0.3, 1_000_000
sys.exit(cli.main(["serve", "--workers", "1", "--threads", "15"]))
"""
FEW = {"SHELFIE_SLOTS": "1", "SHELFIE_QUEUE": "1", "SHELFIE_BATCHES": "1"}
POST = b"POST /v1/games/tile/new HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running([sys.executable, "-c", IMPATIENT], FEW) as (port, _):
        yield port


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def answer_to(port: int, data: bytes) -> http.client.HTTPResponse:
    with connected(port) as connection:
        connection.sendall(data)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
        (b"GET /livez\r\n\r\n", 400),
        (b"get /livez HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET /livez HTTP/3.0\r\nHost: x\r\n\r\n", 400),
        (b"GET /livez HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", 400),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"GET /livez HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 9000 + b"\r\n\r\n", 431),
        (b"GET /livez HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431),
        (POST + b"Content-Length: -1\r\n\r\n", 400),
        (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        (POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: secret\r\n\r\n", 501),
        (POST + b"Expect: miracles\r\nContent-Length: 2\r\n\r\n{}", 417),
    ],
)
def test_what_the_server_refuses_itself(port: int, data: bytes, status: int) -> None:
    """The same shape as every other error, and nothing of what came is sent back."""
    answer = answer_to(port, data)
    assert answer.status == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    body = json.loads(answer.read())
    assert (body["type"], body["status"]) == ("about:blank", status)
    assert body["request_id"] == answer.headers["X-Request-Id"]
    for word in ("livez", "miracles", "secret", "A b", "x16"):
        assert word not in json.dumps(body)


def test_a_slow_body_is_answered_408(port: int) -> None:
    answer = answer_to(port, POST + b'Content-Length: 100\r\n\r\n{"pla')
    assert answer.status == 408
    assert json.loads(answer.read())["detail"] == "The request did not come in time."
    long = POST + b"Content-Length: 200000\r\n\r\n" + b" " * 100_000  # read by a thread
    answer = answer_to(port, long)
    assert answer.status == 408
    assert json.loads(answer.read())["type"] == "about:blank"


def test_slow_senders_do_not_keep_the_service(port: int) -> None:
    """More of them than there are threads, in the head and in the body: others get answers."""
    with ExitStack() as stack:
        for start in (b"", b"GET /li", POST, POST + b"Content-Length: 100\r\n\r\n{") * 50:
            stack.enter_context(connected(port)).sendall(start)
        assert ask(port, "GET", "/livez")[0] == 200
        assert ask(port, "POST", "/v1/games/tile/new", {"players": 2})[0] == 200


def test_a_body_that_goes_on_may_take_longer() -> None:
    """The time for a request grows with what came of it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        reader = TimedUnreader(ours)
        assert not reader.gather()
        ours.setblocking(True)
        before = reader.until
        theirs.sendall(b"x" * 5000)
        read = len(reader.chunk())
        assert reader.until - before == pytest.approx(read / SLOWEST)
        assert ours.gettimeout() is None
        reader.until = 0.0
        ours.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while ours.recv(8192):
                pass
        ours.setblocking(True)
        with pytest.raises(TooSlow):
            reader.chunk()


def test_a_request_in_pieces_is_one(port: int) -> None:
    """However it is cut; and two in one piece are two."""
    text = json.dumps({"players": 2, "seed": "x"}).encode()
    whole = POST + b"Content-Length: %d\r\n\r\n" % len(text) + text
    with connected(port) as connection:
        for place in (0, 1, 50, len(whole) - len(text) - 1, len(whole) - 1):
            for piece in (whole[:place], whole[place:] + whole):
                connection.sendall(piece)
                # The server has taken the piece when it answers a probe after it.
                assert ask(port, "GET", "/livez")[0] == 200
            received = b""
            while received.count(b'"seed":"x"}') < 2:
                received += connection.recv(65536)
            assert received.count(b"HTTP/1.1 200 ") == 2


def test_when_there_is_enough() -> None:
    head = POST + b"Content-Length: 5\r\n"
    for data, wanted in (
        (b"", False),
        (b"GET / HTTP/1.1\r\n", False),
        (b"GET / HTTP/1.1\r\n\r\n", True),
        (head, False),
        (head + b"\r\n1234", False),
        (head + b"\r\n12345", True),
        (head + b"Expect: 100-continue\r\n\r\n", True),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", True),
        (POST + b"CONTENT-LENGTH:2 \r\nA: b\r\n\r\n{", False),
        (POST + b"Content-Length: 999999\r\n\r\n", False),
        (POST + b"Content-Length: 999999\r\n\r\n" + b" " * 70_000, True),
        (b"x" * 70_000, True),
    ):
        assert enough(data) is wanted


def test_clients_that_do_not_close_hold_up_nobody(port: int) -> None:
    """Each has had its last answer; the others get theirs before these are let go."""
    refused = b"get / HTTP/1.1\r\n\r\n"
    with ExitStack() as stack:
        held = [stack.enter_context(connected(port)) for _ in range(30)]
        for connection in held:
            connection.sendall(refused)
        for connection in held:
            assert connection.recv(12) == b"HTTP/1.1 400"
        began = time.monotonic()
        for _ in range(5):
            assert ask(port, "GET", "/livez")[0] == 200
        assert time.monotonic() - began < 30, "thirty times two seconds, one after the other"
        assert read_to_end(held[0])


def read_to_end(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def test_compressed_bodies_are_not_taken(port: int) -> None:
    status, headers, _ = ask(
        port, "POST", "/v1/games/tile/new", {"players": 2}, **{"Content-Encoding": "gzip"}
    )
    assert (status, headers["accept-encoding"]) == (415, "identity")
