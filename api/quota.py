"""An optional quota of calls a minute for each caller: 429 with the time to wait.

Counted by each worker process for itself, so what a caller gets of the whole service lies between
the quota and that times the number of workers. A POST is one call, a batch is as many as its items.
"""

import math
import threading
import time
from dataclasses import dataclass

from flask import Flask, Response, g, request

from shelfie.api.settings import Settings

WINDOW = 60.0  # seconds
MOST_CALLERS = 10_000  # that are remembered; who has been away for a minute is forgotten first
POLICY = "calls"


class QuotaExceeded(Exception):
    """A caller has used up its quota. retry_after: whole seconds."""

    def __init__(self, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(f"quota exceeded; try again after {retry_after} s")


@dataclass(slots=True)
class Bucket:
    """Calls that are left, and when that was so."""

    left: float
    at: float


class Quota:
    """A bucket of calls for each caller, filled evenly over the minute."""

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.buckets: dict[str, Bucket] = {}
        self.lock = threading.Lock()

    def spend(self, caller: str, calls: int, now: float) -> int:
        """Takes calls off a caller's bucket; what is left. Raises QuotaExceeded.

        More calls than the whole quota are let in when the bucket is full, and owed.
        """
        with self.lock:
            bucket = self._bucket(caller, now)
            wanted = min(calls, self.calls)
            if bucket.left < wanted:
                wait = (wanted - bucket.left) * WINDOW / self.calls
                raise QuotaExceeded(max(1, math.ceil(wait)))
            bucket.left -= calls
            return math.floor(bucket.left)

    def _bucket(self, caller: str, now: float) -> Bucket:
        bucket = self.buckets.pop(caller, None) or Bucket(self.calls, now)
        bucket.left = min(self.calls, bucket.left + (now - bucket.at) * self.calls / WINDOW)
        bucket.at = now
        self.buckets[caller] = bucket  # at the end: in order of the last call
        if len(self.buckets) > MOST_CALLERS:
            del self.buckets[next(iter(self.buckets))]
        return bucket

    def headers(self, left: int) -> dict[str, str]:
        """What the RateLimit fields of the IETF draft say of a policy and of what is left."""
        reset = math.ceil((self.calls - left) * WINDOW / self.calls)
        return {
            "RateLimit-Policy": f'"{POLICY}";q={self.calls};w={int(WINDOW)}',
            "RateLimit": f'"{POLICY}";r={max(left, 0)};t={reset}',
        }


def caller() -> str:
    """Who asks: the name of the key, else the address of the connection."""
    name: str = g.get("caller") or request.remote_addr or ""
    return name


def install(app: Flask, settings: Settings) -> None:
    """Makes the app count calls, where there is a quota. After what finds out the caller."""
    if not settings.quota:
        return
    quota = app.extensions["shelfie"].quota = Quota(settings.quota)

    @app.before_request
    def count() -> None:
        if request.routing_exception is None and request.method == "POST":
            charge(quota, 1)

    @app.after_request
    def tell(response: Response) -> Response:
        if "quota_left" in g:
            response.headers.update(quota.headers(g.quota_left))
        return response


def charge(quota: Quota, calls: int) -> None:
    """Takes calls off the caller's quota; raises QuotaExceeded."""
    g.quota_left = 0
    g.quota_left = quota.spend(caller(), calls, time.monotonic())
