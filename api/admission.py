"""Who may search when: slots apart from threads, a short queue, and batches that step aside.

Calls take slots in order of arrival, whichever worker they reached. Batches have slots of their
own, of which they may use as many as calls leave free (and always one), so that a call never
waits for a batch, and a batch uses every core that nobody else wants.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shelfie.api.seats import Seats
from shelfie.api.settings import Settings
from shelfie.api.siblings import Siblings

POLL = 0.005  # seconds between two looks at slots that another process may have freed
LEASE = 0.05  # seconds that a batch keeps a slot although another batch waits for one
LONGEST_RETRY = 60  # seconds, the most that Retry-After says
FIRST_GUESS = 0.2  # seconds of a search before any has been seen: that of the default limits


class Busy(Exception):
    """No slot, and no place to wait for one. retry_after: whole seconds."""

    def __init__(self, reason: str, retry_after: int) -> None:
        self.reason = reason
        self.retry_after = retry_after
        super().__init__(reason)


class GivenUp(Exception):
    """Nobody reads the answer any more."""


@dataclass(slots=True)
class Admitted:
    """A call that may search. waited: seconds in the queue.

    late: there was no slot by its deadline; what it may do is the least that gives an answer.
    """

    waited: float
    late: bool = False


class Pace:
    """How long something takes, from what was seen of late."""

    def __init__(self, guess: float) -> None:
        self.seconds = guess

    def saw(self, seconds: float) -> None:
        self.seconds += 0.2 * (seconds - self.seconds)


class Line:
    """Slots and the places to wait for them, first come first served across processes."""

    def __init__(self, seats: Seats, slots: range, places: range) -> None:
        self.seats = seats
        self.slots = slots
        self.places = places
        self.freed = threading.Condition()  # of a slot in this process; others are polled for

    def slot(self, among: range | None = None) -> int | None:
        """A slot for a newcomer, unless others were here before."""
        return None if self.waiting() else self.seats.take(among or self.slots)

    def waiting(self) -> int:
        """How many wait."""
        return len(self.seats.taken(self.places))

    def place(self) -> int | None:
        """A place to wait at; None when all are taken."""
        return self.seats.take(self.places)

    def wait(
        self, place: int, until: float, among: Callable[[], range], given_up: threading.Event | None
    ) -> int | None:
        """A slot once it is this place's turn; None after `until`. Leaves the place."""
        try:
            with self.freed:
                while not (given_up and given_up.is_set()):
                    if self._first(place):
                        slot = self.seats.take(among())
                        if slot is not None:
                            return slot
                    left = until - time.monotonic()
                    if left <= 0:
                        return None
                    self.freed.wait(min(left, POLL))
                return None
        finally:
            self.seats.give(place)

    def give(self, slot: int) -> None:
        """Frees a slot."""
        self.seats.give(slot)
        with self.freed:
            self.freed.notify_all()

    def _first(self, place: int) -> bool:
        since = self.seats.since
        mine = (since[place], place)
        return not any(
            since[other] and (since[other], other) < mine and self.seats.held(other)
            for other in self.places
        )


class Gate:
    """The slots of all worker processes; made before they are forked."""

    def __init__(self, settings: Settings) -> None:
        slots, queue, batches = settings.search_slots, settings.queue, settings.batches
        self.longest_wait = settings.queue_ms / 1000
        counts = (slots, queue, slots, slots * batches, batches, settings.processes)
        starts = [sum(counts[:i]) for i in range(len(counts) + 1)]
        ranges = [range(starts[i], starts[i + 1]) for i in range(len(counts))]
        self.seats = Seats(starts[-1])
        self.calls = Line(self.seats, ranges[0], ranges[1])
        self.items = Line(self.seats, ranges[2], ranges[3])
        self.batches = ranges[4]
        self.siblings = Siblings(self.seats, ranges[5])
        self.search_pace = Pace(FIRST_GUESS)
        self.batch_pace = Pace(10 * FIRST_GUESS)

    @property
    def slots(self) -> int:
        """How many searches calls may make at once."""
        return len(self.calls.slots)

    @contextmanager
    def search(self, deadline: float | None) -> Iterator[Admitted]:
        """Holds a slot; raises Busy.

        A call with a deadline (time.monotonic() seconds) waits until then and is admitted in any
        case; one without is refused at once when it would have to wait too long.
        """
        started = time.monotonic()
        slot = self.calls.slot()
        if slot is None:
            slot = self._queued(started, deadline)
        admitted = time.monotonic()
        try:
            yield Admitted(admitted - started, late=slot is None)
        finally:
            if slot is not None:
                self.calls.give(slot)
                self.search_pace.saw(time.monotonic() - admitted)

    def _queued(self, started: float, deadline: float | None) -> int | None:
        wait = self._expected_wait()
        place = None if deadline is None and wait > self.longest_wait else self.calls.place()
        if place is None:
            raise Busy("queue-full", seconds(wait))
        until = started + self.longest_wait if deadline is None else deadline
        slot = self.calls.wait(place, until, lambda: self.calls.slots, None)
        if slot is None and deadline is None:
            raise Busy("waited-too-long", seconds(wait))
        return slot

    def _expected_wait(self) -> float:
        """Seconds until a newcomer's turn."""
        return (self.calls.waiting() + 1) * self.search_pace.seconds / self.slots

    def enter_batch(self) -> Callable[[], None]:
        """Counts a batch in; the result counts it out, once. Raises Busy."""
        seat = self.seats.take(self.batches)
        if seat is None:
            raise Busy("batches", seconds(self.batch_pace.seconds))
        started = time.monotonic()

        once = threading.Lock()

        def leave() -> None:
            if once.acquire(blocking=False):
                self.seats.give(seat)
                self.batch_pace.saw(time.monotonic() - started)

        return leave

    def left_for_batches(self) -> range:
        """The batch slots that may be used now: as many as calls leave free, but always one."""
        return self.items.slots[: max(1, self.slots - len(self.seats.taken(self.calls.slots)))]


class Lease:
    """The slot of one thread of a batch, kept from item to item while nobody else wants it."""

    def __init__(self, gate: Gate, given_up: threading.Event) -> None:
        self.gate = gate
        self.given_up = given_up
        self.slot: int | None = None
        self.taken = self.looked = 0.0

    def hold(self, deadline: float | None) -> bool:
        """Has a slot, waiting for it if need be; False when there is none by the deadline."""
        now = time.monotonic()
        if self.slot is not None and now - self.looked > POLL:
            self.looked = now
            if not self._may_keep(now):
                self.release()
        if self.slot is None:
            self.slot = self._next(math.inf if deadline is None else deadline)
            self.taken = self.looked = time.monotonic()
        return self.slot is not None

    def release(self) -> None:
        """Gives the slot back, if there is one."""
        if self.slot is not None:
            self.gate.items.give(self.slot)
            self.slot = None

    def _may_keep(self, now: float) -> bool:
        wanted = now - self.taken > LEASE and self.gate.items.waiting()
        return not wanted and self.slot in self.gate.left_for_batches()

    def _next(self, until: float) -> int | None:
        line = self.gate.items
        slot = line.slot(self.gate.left_for_batches())
        if slot is not None:
            return slot
        place = line.place()
        # As many places as threads of batches; one of a batch that was left may still be there.
        while place is None and not self.given_up.wait(POLL):
            place = line.place()
        if place is None:
            return None
        return line.wait(place, until, self.gate.left_for_batches, self.given_up)


@contextmanager
def step(lease: Lease, *, keep: bool) -> Iterator[None]:
    """Holds the lease's slot for one of many searches; raises GivenUp once nobody reads.

    keep: the slot is not given back afterwards, as long as nobody else wants it.
    """
    if not lease.hold(None) or lease.given_up.is_set():
        lease.release()
        raise GivenUp
    try:
        yield
    finally:
        if not keep:
            lease.release()


def seconds(wait: float) -> int:
    """A wait as Retry-After tells it."""
    return min(max(1, math.ceil(wait)), LONGEST_RETRY)
