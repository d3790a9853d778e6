"""gunicorn's threaded worker, changed in what a hostile client would make use of.

There a thread reads a request from its first byte to its last, so whoever sends slowly keeps a
thread. Here the event loop gathers a request and a thread gets it whole; only long bodies are read
by the thread, and all have some seconds to arrive, more with their size. Nor does the event loop
wait here for clients that do not close. And what gunicorn refuses itself is told as a problem.
"""

import contextlib
import errno
import os
import re
import selectors
import socket
import threading
import time
import uuid
from functools import cache, partial
from http import HTTPStatus
from queue import Empty, SimpleQueue
from typing import Any

import structlog
from gunicorn import util
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers import gthread

from shelfie.api import json_text
from shelfie.api.problems import MEDIA_TYPE, failure_body, problem_body
from shelfie.api.request_context import TooSlow

PATIENCE = 10.0  # seconds for a request of no size
SLOWEST = 50_000  # bytes a second that a body may take on top of that

ENOUGH = 64 * 1024  # bytes that are gathered before a thread goes on reading

LINGER = 2.0  # seconds for the other side to close
PAUSE = 0.02  # seconds between two looks at who has

DETAILS = {
    400: "The request line, a header or the framing of the body cannot be understood.",
    408: "The request did not come in time.",
    414: "The address is too long.",
    417: "Of all expectations only 100-continue is met.",
    431: "There are too many headers, or one is too long.",
    501: "This transfer coding is not known here.",
}


_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*(?:\r|$)", re.IGNORECASE)
_OTHERWISE = re.compile(rb"\r\n(?:transfer-encoding|expect|upgrade)[ \t]*:", re.IGNORECASE)


def enough(data: bytes) -> bool:
    """Whether a thread need not wait for more of a request, or has to read it itself."""
    head, end, body = data.partition(b"\r\n\r\n")
    if len(data) >= ENOUGH or (end and _OTHERWISE.search(head)):
        return True
    length = _LENGTH.search(head)
    return bool(end) and len(body) >= (int(length[1]) if length else 0)


class TimedUnreader(SocketUnreader):  # type: ignore[misc]  # gunicorn ships no types
    """Reads a socket until a request's time is over. until: when that is; 0 between requests."""

    def __init__(self, sock: Any) -> None:
        super().__init__(sock)
        self.until = 0.0

    def gather(self) -> bool:
        """Takes what has come, without waiting; whether a thread can go on from there."""
        self.until = self.until or time.monotonic() + PATIENCE
        self.sock.setblocking(False)
        try:
            data = self.sock.recv(ENOUGH)
        except BlockingIOError:
            return enough(self.buf.getvalue())
        except OSError:
            return True  # the thread meets it as well
        self.buf.seek(0, os.SEEK_END)
        self.buf.write(data)
        self.until += len(data) / SLOWEST
        return not data or enough(self.buf.getvalue())

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
    """A connection whose requests are read in time, and that closes without waiting."""

    def init(self) -> None:
        fresh = not self.initialized
        super().init()
        if fresh and not self.is_http2:
            self.parser.unreader = TimedUnreader(self.sock)

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

    def enqueue_req(self, conn: Any) -> None:
        """Called by the event loop when a connection is new or has something to read."""
        if not self.cfg.is_ssl:  # TLS is for a proxy; gunicorn's own way does for it
            conn.init()
            conn.data_ready = True
            if not conn.is_http2 and not conn.parser.unreader.gather():
                self.hold(conn)
                return
        super().enqueue_req(conn)

    def hold(self, conn: Any) -> None:
        """Comes back to a connection when there is more to read."""
        conn.timeout = conn.parser.unreader.until
        self.pending_conns.append(conn)
        again = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, again)

    def murder_pending(self) -> None:
        """Lets those go whose time is over; who had begun a request is told."""
        now = time.monotonic()
        for conn in [conn for conn in self.pending_conns if conn.timeout <= now]:
            self.pending_conns.remove(conn)
            self.poller.unregister(conn.sock)
            self.nr_conns -= 1
            if conn.parser.unreader.buf.getvalue():
                with contextlib.suppress(OSError):
                    write_problem(conn.sock, 408, "", "")
            conn.close(graceful=True)

    def handle(self, conn: Any) -> Any:
        try:
            return super().handle(conn)
        finally:
            # What is said between requests, of a request that cannot be read for instance, is
            # not to carry the ids of the one before.
            structlog.contextvars.clear_contextvars()
            if conn.initialized and not conn.is_http2:
                conn.parser.unreader.until = 0.0


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
