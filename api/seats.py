"""Numbered seats shared by worker processes, given back by the kernel when one dies.

A seat is a byte of a file without a name, and to hold it is to hold a record lock on that byte:
such locks belong to the process, so a worker that is killed cannot take its seats along.
"""

import fcntl
import mmap
import os
import tempfile
import threading
import time
import weakref
from collections.abc import Sequence


class Seats:
    """Made before the workers are forked. The threads of a process share what it holds.

    since: when each seat was taken, in time.monotonic() seconds (of the machine, so the same in
    all processes); 0 for one that is free. Whoever died left a time behind: only the lock tells.
    """

    def __init__(self, count: int) -> None:
        # Closing any descriptor of the file would give up all seats: there is but this one.
        self.file = _file_without_name()
        weakref.finalize(self, os.close, self.file)
        self.since = memoryview(mmap.mmap(-1, max(count, 1) * 8)).cast("d")
        self.mine: set[int] = set()
        self.lock = threading.Lock()

    def take(self, seats: Sequence[int]) -> int | None:
        """The first free one of these seats, now held; None when all are taken."""
        with self.lock:
            for seat in seats:
                if seat not in self.mine and self._locked(seat):
                    self.mine.add(seat)
                    self.since[seat] = time.monotonic()
                    return seat
        return None

    def give(self, seat: int) -> None:
        """Frees a seat that this process holds."""
        with self.lock:
            self.mine.remove(seat)
            self.since[seat] = 0.0
            self._unlock(seat)

    def taken(self, seats: Sequence[int]) -> list[int]:
        """Those of these seats that a living process holds."""
        return [seat for seat in seats if self.since[seat] and self.held(seat)]

    def held(self, seat: int) -> bool:
        """Whether a living process holds the seat."""
        with self.lock:
            if seat in self.mine:
                return True
            # Asking takes the seat for a microsecond; who is turned away by that asks again.
            if self._locked(seat):
                self._unlock(seat)
                return False
            return True

    def _locked(self, seat: int) -> bool:
        try:
            fcntl.lockf(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, seat)
        except OSError:
            return False
        return True

    def _unlock(self, seat: int) -> None:
        fcntl.lockf(self.file, fcntl.LOCK_UN, 1, seat)


def _file_without_name() -> int:
    if hasattr(os, "memfd_create"):  # needs no disk that can be written
        return os.memfd_create("shelfie-seats")
    descriptor, name = tempfile.mkstemp()
    os.unlink(name)
    return descriptor
