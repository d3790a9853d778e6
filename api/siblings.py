"""Workers that answer items of each other's batches, so that one batch can use every core.

Much of an answer is made under the global lock of a process, so threads alone are not enough.
Each worker has a door: a datagram socket made before the workers are forked, over which the
others send it one end of a fresh connection. An answer depends on the question alone: whoever
loses a sibling in the middle of an item answers that item itself.
"""

import contextlib
import logging
import select
import socket
import struct
import threading
import weakref
from collections.abc import Callable
from typing import Any

import orjson

from shelfie.api.seats import Seats

logger = logging.getLogger(__name__)

Answerer = Callable[[dict[str, Any]], tuple[dict[str, Any], bytes]]

LENGTHS = struct.Struct("!II")  # of head and text of a message
LOOK = 1.0  # seconds between two looks at whether a sibling still lives


class Gone(Exception):
    """The sibling has died, or is about to."""


class Siblings:
    """The workers of a service. Made before they are forked, one number for each."""

    def __init__(self, seats: Seats, numbers: range) -> None:
        self.seats = seats
        self.numbers = numbers
        self.doors = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in numbers]
        self.number: int | None = None
        weakref.finalize(self, _close, self.doors)

    def join(self, answer: Answerer) -> None:
        """Makes this process one of them: it answers what others send, on threads of its own."""
        self.number = self.seats.take(self.numbers)
        if self.number is not None:
            threading.Thread(target=self._let_in, args=(answer,), daemon=True).start()

    def partner(self, place: int) -> "Connection | None":
        """A connection for the thread with this place in a batch; None: answer here."""
        if self.number is None:
            return None
        first, count = self.numbers.start, len(self.numbers)
        other = first + (self.number - first + place) % count
        if other == self.number or not self.seats.taken([other]):
            return None
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                flags = socket.MSG_DONTWAIT
                socket.send_fds(self.doors[other - first][0], [b"."], [theirs.fileno()], flags)
            except OSError:
                ours.close()
                return None
        return Connection(ours, lambda: self.seats.held(other))

    def _let_in(self, answer: Answerer) -> None:
        assert self.number is not None
        door = self.doors[self.number - self.numbers.start][1]
        while True:
            _, descriptors, _, _ = socket.recv_fds(door, 1, 1)
            for descriptor in descriptors:
                guest = Connection(socket.socket(fileno=descriptor), lambda: True)
                threading.Thread(target=serve, args=(guest, answer), daemon=True).start()


def _close(doors: list[tuple[socket.socket, socket.socket]]) -> None:
    for door in doors:
        for end in door:
            end.close()


def serve(guest: "Connection", answer: Answerer) -> None:
    """Answers one sibling until it hangs up."""
    with contextlib.suppress(Gone, OSError), guest:
        while True:
            question, _ = guest.receive()
            guest.send(*answer(question))


class Connection:
    """Messages to and from a sibling: a small head, and a text that is passed on as it is."""

    def __init__(self, stream: socket.socket, alive: Callable[[], bool]) -> None:
        self.stream = stream
        self.alive = alive

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def send(self, head: dict[str, Any], text: bytes = b"") -> None:
        """Sends a message."""
        start = orjson.dumps(head)
        self.stream.sendall(LENGTHS.pack(len(start), len(text)) + start + text)

    def receive(self) -> tuple[dict[str, Any], bytes]:
        """The next message; raises Gone."""
        head, text = LENGTHS.unpack(self._read(LENGTHS.size))
        return orjson.loads(self._read(head)), self._read(text)

    def _read(self, size: int) -> bytes:
        found = bytearray()
        while len(found) < size:
            while not select.select([self.stream], [], [], LOOK)[0]:
                if not self.alive():
                    raise Gone
            some = self.stream.recv(size - len(found))
            if not some:
                raise Gone
            found += some
        return bytes(found)
