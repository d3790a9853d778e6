"""gunicorn's threaded worker, changed in what a hostile client would make use of.

A thread reads a request from its first byte to its last, so a client that sends slowly would keep
it for as long as it likes: here a request has some seconds to arrive, and more with its size. A
client that does not close would hold up the whole worker for two seconds: here others go on.
And what gunicorn refuses itself is told as a problem, like every other error.
"""

import contextlib
import errno
import socket
import threading
import time
import uuid
from functools import cache
from http import HTTPStatus
from queue import Empty, SimpleQueue
from typing import Any

from gunicorn import util
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers import gthread

from shelfie.api import json_text
from shelfie.api.problems import MEDIA_TYPE, failure_body, problem_body
from shelfie.api.request_context import TooSlow

PATIENCE = 10.0  # seconds for a request of no size
SLOWEST = 50_000  # bytes a second that a body may take on top of that

LINGER = 2.0  # seconds for the other side to close
PAUSE = 0.02  # seconds between two looks at who has

DETAILS = {
    400: "The request line, a header or the framing of the body cannot be understood.",
    414: "The address is too long.",
    417: "Of all expectations only 100-continue is met.",
    431: "There are too many headers, or one is too long.",
    501: "This transfer coding is not known here.",
}


class TimedUnreader(SocketUnreader):  # type: ignore[misc]  # gunicorn ships no types
    """Reads a socket until a request's time is over."""

    def __init__(self, sock: Any) -> None:
        super().__init__(sock)
        self.until = 0.0

    def begin(self) -> None:
        """A request begins now."""
        self.until = time.monotonic() + PATIENCE

    def chunk(self, *hint: Any) -> bytes:
        """The next bytes; `TooSlow` when none come in time."""
        before = self.sock.gettimeout()  # set where gunicorn itself waits only so long
        left = max(self.until - time.monotonic(), 0.001)
        self.sock.settimeout(left if before is None else min(left, before))
        try:
            data: bytes = super().chunk(*hint)
        except TimeoutError:
            raise TooSlow(errno.ECONNRESET, "the request came too slowly") from None
        finally:
            self.sock.settimeout(before)
        self.until += len(data) / SLOWEST
        return data


class Connection(gthread.TConn):  # type: ignore[misc]
    """A connection whose requests are read in time."""

    def init(self) -> None:
        fresh = not self.initialized
        super().init()
        if fresh and not self.is_http2:
            self.parser.unreader = TimedUnreader(self.sock)
            self.parser.unreader.begin()

    def close(self, graceful: bool = False) -> None:
        if not graceful or self.cfg.is_ssl:
            super().close(graceful)
            return
        self.sock.setblocking(False)
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_WR)
        closer().handed.put(self.sock)


class Closer:
    """Closes connections that have had their last answer, and lets nobody wait for it.

    The other side is given LINGER seconds to close first, since bytes that meet a closed socket
    make its system forget what it has not read yet.
    """

    def __init__(self) -> None:
        self.handed: SimpleQueue[socket.socket] = SimpleQueue()
        threading.Thread(target=self.run, name="closer", daemon=True).start()

    def run(self) -> None:
        lingering: dict[socket.socket, float] = {}
        while True:
            with contextlib.suppress(Empty):
                sock = self.handed.get(timeout=PAUSE if lingering else None)
                lingering[sock] = time.monotonic() + LINGER
            for sock, until in list(lingering.items()):
                if until < time.monotonic() or ended(sock):
                    del lingering[sock]
                    sock.close()


@cache
def closer() -> Closer:
    """The closer of this process; made after the server has forked."""
    return Closer()


def ended(sock: socket.socket) -> bool:
    """Whether the other side has closed; what it still sends is thrown away."""
    try:
        return not sock.recv(65536)
    except BlockingIOError:
        return False
    except OSError:
        return True


gthread.TConn = Connection


class Worker(gthread.ThreadWorker):  # type: ignore[misc]
    """The worker of the service."""

    def handle(self, conn: Any) -> Any:
        if conn.initialized and not conn.is_http2:  # kept from the request before
            conn.parser.unreader.begin()
        return super().handle(conn)


def write_problem(sock: Any, status: int, reason: str, mesg: str) -> None:
    """What gunicorn answers itself, before there is a request for the application."""
    request_id = uuid.uuid4().hex
    if status >= 500 and status not in DETAILS:
        body = failure_body(request_id)
    else:
        detail = DETAILS.get(status, HTTPStatus(status).phrase)
        body = problem_body(status, detail, request_id)
    text = json_text.dumps(body)
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        "Connection: close\r\n"
        f"Content-Type: {MEDIA_TYPE}\r\n"
        "Cache-Control: no-store\r\n"
        f"X-Request-Id: {request_id}\r\n"
        f"Content-Length: {len(text)}\r\n\r\n"
    )
    util.write_nonblock(sock, head.encode("ascii") + text)


util.write_error = write_problem
