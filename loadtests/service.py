"""A service on a loopback port to be measured, and a client that costs little itself."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

SHELFIE = str(Path(sys.executable).with_name("shelfie"))


def free_port() -> int:
    """A port on the loopback address that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Client:
    """One kept connection; bytes out, bytes in."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection((host, port), timeout=120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")

    def close(self) -> None:
        self.stream.close()
        self.socket.close()

    def ask(self, request: bytes) -> tuple[int, dict[bytes, bytes], bytes]:
        """Sends a whole request; status, headers (lower case) and body of the answer."""
        self.socket.sendall(request)
        status = int(self.stream.readline().split()[1])
        headers = {}
        while line := self.stream.readline().strip():
            name, _, value = line.partition(b":")
            headers[name.lower()] = value.strip()
        return status, headers, self._body(headers)

    def _body(self, headers: dict[bytes, bytes]) -> bytes:
        if b"content-length" in headers:
            return self.stream.read(int(headers[b"content-length"]))
        chunks = []
        while size := int(self.stream.readline(), 16):
            chunks.append(self.stream.read(size))
            self.stream.readline()
        self.stream.readline()
        return b"".join(chunks)


def post(path: str, body: bytes, content_type: str = "application/json") -> bytes:
    """The bytes of a POST."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def post_json(path: str, value: Any) -> bytes:
    """The bytes of a POST of a JSON value."""
    return post(path, json.dumps(value).encode())


@contextlib.contextmanager
def served(
    command: Sequence[str] = (SHELFIE, "serve"), **variables: str
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server that reads HOST and PORT, from its first answer to its end."""
    port = free_port()
    environment = {**os.environ, "HOST": "127.0.0.1", "PORT": str(port), **variables}
    # With the log that it writes by default, which nobody reads here.
    process = subprocess.Popen(list(command), env=environment, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), contextlib.closing(Client(port)):
                break
            time.sleep(0.1)
        else:
            raise SystemExit("the server did not start")
        yield port, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(90)


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    """What a server and its workers have used of the processor so far."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    ticks = 0
    for pid in (str(process.pid), *children):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
