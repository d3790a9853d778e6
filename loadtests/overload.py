"""Three times what the service can search: how fast refusals are, how accepted calls fare.

    python loadtests/overload.py [SECONDS]

The capacity is measured first (as many callers as slots); then calls arrive evenly at three
times that rate, each on time whatever became of those before (an open model).
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import local

from service import Client, post_json, quantile, served
from shelfie.api.settings import cores
from shelfie.search.fixed import positions

FACTOR = 3
TARGET_MS = 100
CALLERS = 64  # connections that can wait at once

Call = tuple[int, float, float, bytes]  # status, milliseconds, milliseconds late, Retry-After

kept = local()


def call(port: int, request: bytes, due: float) -> Call:
    """One call at its time."""
    if getattr(kept, "port", None) != port:
        kept.port, kept.client = port, Client(port)
    time.sleep(max(0.0, due - time.monotonic()))
    started = time.monotonic()
    status, headers, _ = kept.client.ask(request)
    ended = time.monotonic()
    late = max(0.0, started - due)
    return status, 1000 * (ended - started), 1000 * late, headers.get(b"retry-after", b"")


def capacity(port: int, requests: list[bytes], seconds: float) -> float:
    """Searches a second when every slot is kept busy."""
    end = time.monotonic() + seconds

    def ask(number: int) -> int:
        client, done = Client(port), 0
        while time.monotonic() < end:
            assert client.ask(requests[(number + done) % len(requests)])[0] == 200
            done += 1
        client.close()
        return done

    with ThreadPoolExecutor(cores()) as pool:
        return sum(pool.map(ask, range(cores()))) / seconds


def describe(name: str, calls: list[Call]) -> str:
    times = [milliseconds for _, milliseconds, _, _ in calls]
    if not times:
        return f"{name}: none"
    p50, p99 = quantile(times, 0.5), quantile(times, 0.99)
    return f"{name}: {len(times)}, p50 {p50:.0f} ms, p99 {p99:.0f} ms, most {max(times):.0f} ms"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    requests = [
        post_json("/v1/games/tile/move", {"position": position.notation()})
        for position in positions("tile", 2, 50)
    ]
    with served() as (port, _):
        full = capacity(port, requests, seconds / 2)
        count = int(FACTOR * full * seconds)
        start = time.monotonic() + 0.5
        with ThreadPoolExecutor(CALLERS) as pool:
            calls = list(
                pool.map(
                    lambda n: call(port, requests[n % len(requests)], start + n / (FACTOR * full)),
                    range(count),
                )
            )
        client = Client(port)
        after = []
        for request in requests[:20]:
            started = time.monotonic()
            assert client.ask(request)[0] == 200
            after.append(1000 * (time.monotonic() - started))
        client.close()
    served_calls = [found for found in calls if found[0] == 200]
    refused = [found for found in calls if found[0] == 503]
    assert len(served_calls) + len(refused) == count
    assert all(int(found[3]) >= 1 for found in refused)
    print(f"capacity {full:.1f} searches/s; offered {FACTOR} times that for {seconds:.0f} s")
    print(describe("answered", served_calls), f"({len(served_calls) / seconds:.1f}/s)")
    print(describe("refused", refused), f"(target p99 {TARGET_MS} ms)")
    print(f"the generator was late by {quantile([found[2] for found in calls], 0.99):.0f} ms (p99)")
    print(f"afterwards, one caller: p50 {quantile(after, 0.5):.0f} ms")


if __name__ == "__main__":
    main()
