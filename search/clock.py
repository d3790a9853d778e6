"""When a search has to stop by the clock."""

import time

from shelfie.search.analysis import AnalysisRequest


class Clock:
    """Started when made; `ended` names the limit that is over, or ""."""

    def __init__(self, request: AnalysisRequest) -> None:
        self.started = time.monotonic()
        self.deadline = request.deadline
        limit = request.limits.time_ms
        self.stop = None if limit is None else self.started + limit / 1000

    @property
    def limited(self) -> bool:
        return self.deadline is not None or self.stop is not None

    def ended(self) -> str:
        now = time.monotonic()
        if self.deadline is not None and now >= self.deadline:
            return "deadline"
        if self.stop is not None and now >= self.stop:
            return "time"
        return ""

    def elapsed_ms(self) -> int:
        return round(1000 * (time.monotonic() - self.started))
