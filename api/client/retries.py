"""When a call is sent again. The service keeps nothing, so every call is safe to repeat."""

import http.client
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from shelfie.api.client.errors import Problem, Unreachable

Result = TypeVar("Result")

BUSY = (429, 503)
# A connection that broke. A time-out is not among them: a repeat would take as long again.
BROKEN = (ConnectionError, http.client.HTTPException)


@dataclass(frozen=True, slots=True)
class Retries:
    """How long a call goes on.

    attempts: how often it is sent at most, 1 for no repeats. seconds: no repeat begins later
    than this after the first. first_wait, longest_wait: seconds before a repeat where the
    service names none; they double from the one to the other, less a random part so that many
    clients do not come back at once.
    """

    attempts: int = 5
    seconds: float = 60.0
    first_wait: float = 0.25
    longest_wait: float = 8.0

    def wait(self, attempt: int) -> float:
        """Seconds between attempt number `attempt` (from 1) and the next."""
        longest = min(self.longest_wait, self.first_wait * 2.0 ** min(attempt - 1, 32))
        return longest * random.uniform(0.5, 1.0)

    def run(
        self,
        once: Callable[[], Result],
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> Result:
        """What `once` gives; it is called again while the service is busy or the line broken.

        A wait that would end too late is not begun: the last error is raised at once.
        """
        started = clock()
        for attempt in count(1):
            wait = None
            try:
                return once()
            except Problem as problem:
                if problem.status not in BUSY:
                    raise
                error: Exception = problem
                wait = problem.retry_after
            except BROKEN as broken:
                error = Unreachable(f"The connection failed: {broken!r}")
                error.__cause__ = broken
            wait = self.wait(attempt) if wait is None else wait
            if attempt >= self.attempts or clock() - started + wait > self.seconds:
                raise error
            sleep(wait)
        raise AssertionError("the loop returns or raises")
