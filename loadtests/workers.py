"""One worker process with all slots, or one worker per core with slots shared: which is better.

    python loadtests/workers.py [SECONDS]

Callers that ask without a pause, as many as cores; and how long a probe takes meanwhile.
"""

import sys
import threading
import time

from overload import capacity
from service import Client, post_json, quantile, served
from shelfie.api.settings import cores
from shelfie.search.fixed import positions

WORK = {
    "tile moves": ("tile", "move", {}),
    "dice analyses": ("dice", "analysis", {"limits": {"depth": 1}}),
    "legal-moves": ("tile", "legal-moves", {}),
}
PROBE = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"


def probes(port: int, stop: threading.Event) -> list[float]:
    """Milliseconds of a probe now and then."""
    client, found = Client(port), []
    while not stop.wait(0.02):
        started = time.monotonic()
        assert client.ask(PROBE)[0] == 200
        found.append(1000 * (time.monotonic() - started))
    client.close()
    return found


def measure(workers: int, seconds: float) -> None:
    with served(SHELFIE_WORKERS=str(workers)) as (port, _):
        for name, (game, operation, more) in WORK.items():
            requests = [
                post_json(f"/v1/games/{game}/{operation}", {"position": each.notation(), **more})
                for each in positions(game, 2, 20)
            ]
            stop, found = threading.Event(), list[float]()
            thread = threading.Thread(target=lambda: found.extend(probes(port, stop)))  # noqa: B023
            thread.start()
            rate = capacity(port, requests, seconds)
            stop.set()
            thread.join()
            print(
                f"{workers} worker(s): {rate:.0f} {name} a second; a probe meanwhile "
                f"p50 {quantile(found, 0.5):.1f} ms, p99 {quantile(found, 0.99):.1f} ms"
            )


if __name__ == "__main__":
    for count in sorted({1, cores()}):
        measure(count, float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
