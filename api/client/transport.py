"""Requests over connections that are kept open."""

import contextlib
import http.client
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

from shelfie.api.client.errors import CutShort, Unreachable, problem_from
from shelfie.api.client.retries import BROKEN, Retries

Result = TypeVar("Result")
Connection = http.client.HTTPConnection
OK = (200,)


@dataclass(frozen=True, slots=True)
class Request:
    """One request; `path` begins with a slash."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Transport:
    """Sends requests to one service. Threads may share it: each request has its connection.

    Connections that are free again wait in a list, whose `append` and `pop` are atomic.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        timeout: float,
        retries: Retries,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"A URL such as http://127.0.0.1:8000 is wanted, not {url!r}.")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._headers, self._timeout = dict(headers), timeout
        self._retries, self._sleep = retries, sleep
        self._idle: list[Connection] = []

    def call(self, request: Request, accept: Collection[int] = OK) -> Reply:
        """The whole answer; a status that is not accepted is raised as a `Problem`."""
        return self._repeated(lambda: self._call(request, accept))

    def lines(self, request: Request) -> Iterator[bytes]:
        """The lines of an answer as they come. What fails before the first one is repeated.

        A caller who stops early closes the connection, which stops the service's work.
        """
        connection, response = self._repeated(lambda: self._opened(request, OK))
        with self._freeing(connection, response):
            try:
                yield from response
            except (OSError, http.client.HTTPException) as error:
                raise CutShort(f"The answer broke off: {error!r}") from error

    def close(self) -> None:
        """Closes the connections that wait; later calls open new ones."""
        while self._idle:
            self._idle.pop().close()

    def _repeated(self, once: Callable[[], Result]) -> Result:
        try:
            return self._retries.run(once, self._sleep)
        except OSError as error:  # no such host, a time-out, a certificate
            raise Unreachable(f"No answer: {error!r}") from error

    def _call(self, request: Request, accept: Collection[int]) -> Reply:
        connection, response = self._opened(request, accept)
        with self._freeing(connection, response):
            return Reply(response.status, response.headers, response.read())

    def _opened(
        self, request: Request, accept: Collection[int]
    ) -> tuple[Connection, http.client.HTTPResponse]:
        """A connection with the head of its answer read; `Problem` unless it is accepted."""
        connection, response = self._sent(request)
        if response.status in accept:
            return connection, response
        with self._freeing(connection, response):
            body = response.read()
        raise problem_from(response.status, response.headers, body)

    def _sent(self, request: Request) -> tuple[Connection, http.client.HTTPResponse]:
        """The request, sent. A kept connection that the service has closed costs no attempt."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self._new()
                return connection, self._asked(connection, request)
            try:
                return connection, self._asked(connection, request)
            except BROKEN:
                continue

    def _asked(self, connection: Connection, request: Request) -> http.client.HTTPResponse:
        headers = {**self._headers, **request.headers}
        try:
            # A service that refuses a large body may answer and close before it has it all.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.request(
                    request.method, self._prefix + request.path, request.body, headers
                )
            return connection.getresponse()
        except BaseException:
            connection.close()
            raise

    def _new(self) -> Connection:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        return kind(self._host, self._port, timeout=self._timeout)

    @contextlib.contextmanager
    def _freeing(
        self, connection: Connection, response: http.client.HTTPResponse
    ) -> Iterator[None]:
        """Keeps the connection when the answer was read to its end; else closes it."""
        try:
            yield
        except BaseException:
            response.close()  # it holds the socket where the service does not keep connections
            connection.close()
            raise
        self._idle.append(connection)
