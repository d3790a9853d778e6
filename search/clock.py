"""When a search has to stop by the clock."""

import time

from shelfie.search.analysis import AnalysisRequest

MAX_TIME_MS = 30_000


class Clock:
    """Started when made; `ended` names the limit that is over, or "".

    capped: no longer than MAX_TIME_MS even when the request names no time, for searches whose
    other limits do not bound their work.
    """

    def __init__(self, request: AnalysisRequest, *, capped: bool = False) -> None:
        self.started = time.monotonic()
        self.deadline = request.deadline
        self.limited = request.deadline is not None or request.limits.time_ms is not None
        limit = request.limits.time_ms
        if limit is None and capped:
            limit = MAX_TIME_MS
        self.stop = None if limit is None else self.started + limit / 1000

    @property
    def nearest(self) -> str:
        """The limit that will end first: "deadline" or "time"."""
        if self.deadline is None or (self.stop is not None and self.stop < self.deadline):
            return "time"
        return "deadline"

    def seconds_left(self) -> float:
        """Until the first limit; infinite without one."""
        ends = [end for end in (self.deadline, self.stop) if end is not None]
        return min(ends) - time.monotonic() if ends else float("inf")

    def ended(self) -> str:
        now = time.monotonic()
        if self.deadline is not None and now >= self.deadline:
            return "deadline"
        if self.stop is not None and now >= self.stop:
            return "time"
        return ""

    def elapsed_ms(self) -> int:
        return round(1000 * (time.monotonic() - self.started))
