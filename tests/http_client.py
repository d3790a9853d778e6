"""Helpers for tests of the HTTP service, in-process and over a socket."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sys.executable).parent


def check_problem(response: Any, status: int, kind: str | None = None) -> dict[str, Any]:
    """The one assertion about every error: its shape, media type and request id."""
    assert response.status_code == status, response.get_data(as_text=True)
    assert response.headers["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = json.loads(response.get_data())
    assert body["type"] == (f"/problems/{kind}" if kind else "about:blank")
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    assert body["request_id"] == response.headers["X-Request-Id"]
    for fault in body.get("errors", []):
        assert fault["pointer"] == "" or fault["pointer"].startswith("/")
        assert fault["code"]
        assert fault["detail"]
    pointers = [fault["pointer"] for fault in body.get("errors", [])]
    assert pointers == sorted(pointers)
    return body


def pointers(body: dict[str, Any]) -> list[str]:
    """The pointers of a problem's errors."""
    return [fault["pointer"] for fault in body["errors"]]


def without_time(body: bytes) -> bytes:
    """An answer's bytes with `time_ms` taken out; nothing else may differ."""
    return re.sub(rb'"time_ms":\d+,', b"", body)


def free_port() -> int:
    """A port on the loopback address that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def ask(
    port: int, method: str, path: str, body: Any = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """One request on a new connection: status, headers (lower case), body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with contextlib.closing(connection):
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, found, answer.read()


@contextlib.contextmanager
def running(
    command: list[str],
    environment: dict[str, str] | None = None,
    port: int | None = None,
    stderr: Any = None,
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server started by `command` on a loopback port, ready; stopped at the end."""
    port = port or free_port()
    variables = {**os.environ, "HOST": "127.0.0.1", "PORT": str(port), **(environment or {})}
    process = subprocess.Popen(command, env=variables, start_new_session=True, stderr=stderr)
    try:
        wait_until_ready(port, process)
        yield port, process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    """Returns when /readyz answers 200; bounded, and fails when the process ends."""
    for _ in range(600):
        assert process.poll() is None, f"the server ended with {process.returncode}"
        try:
            if ask(port, "GET", "/readyz")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError("the server did not become ready")


def chunks(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """The chunks of a body as the server cut them."""
    stream = answer.fp
    while size := int(stream.readline(), 16):
        yield stream.read(size)
        assert stream.readline() == b"\r\n"
