"""A server that answers as a script says, for what the real one does only in bad moments."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Callable[["Handler"], None]


@dataclass
class Script:
    """What is answered, one step a request, and what was asked."""

    steps: list[Step]
    url: str = ""
    asked: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    """Takes the next step of the script for every request."""

    protocol_version = "HTTP/1.1"
    script: Script

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.script.asked.append((self.path, headers, body))
        self.script.steps.pop(0)(self)

    do_GET = do_POST

    def log_message(self, *_: Any) -> None:
        pass


def answer(status: int, body: Any, **headers: str) -> Step:
    """A whole answer; `body` is bytes or a JSON value. A header's `_` stands for `-`."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def step(handler: Handler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return step


def hang_up(handler: Handler) -> None:
    """The connection is closed without an answer."""
    handler.close_connection = True


def then_hang_up(step: Step) -> Step:
    """A whole answer that seems to keep the connection, which is then closed all the same."""

    def both(handler: Handler) -> None:
        step(handler)
        handler.close_connection = True

    return both


def cut(body: bytes, promised: int) -> Step:
    """An answer with fewer bytes than its Content-Length says."""

    def step(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(promised))
        handler.end_headers()
        handler.wfile.write(body)
        handler.close_connection = True

    return step


def chunked(*chunks: bytes, end: bool = True) -> Step:
    """A stream; without its `end` the connection breaks after the last chunk."""

    def step(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/x-ndjson")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        if end:
            handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = not end

    return step


@contextlib.contextmanager
def serving(*steps: Step) -> Iterator[Script]:
    """The script's server on a free port of the loopback address."""
    script = Script(list(steps))
    handler = type("Scripted", (Handler,), {"script": script})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.block_on_close = False
    script.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
