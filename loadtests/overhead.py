"""HTTP overhead of an analysis: the call as its client sees it, less the search it reports.

    python loadtests/overhead.py [CALLS]

One caller, one kept connection, default limits, a position of its own for every call.
"""

import json
import sys
import time

from service import Client, post_json, quantile, served
from shelfie.search.fixed import positions

TARGETS = {"tile": 2.0, "dice": 1.5}  # milliseconds at the median


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with served() as (port, _):
        client = Client(port)
        for game, target in TARGETS.items():
            found = []
            spent = []
            for position in positions(game, 2, calls):
                request = post_json(f"/v1/games/{game}/analysis", {"position": position.notation()})
                started = time.perf_counter()
                status, _, body = client.ask(request)
                call = 1000 * (time.perf_counter() - started)
                assert status == 200, body
                search = json.loads(body)["search"]["time_ms"]
                spent.append(search)
                # time_ms is rounded to whole milliseconds: right on average, so the median holds
                found.append(call - search)
            p50, p90 = quantile(found, 0.5), quantile(found, 0.9)
            print(
                f"{game}: overhead p50 {p50:.2f} ms (target {target} ms), p90 {p90:.2f} ms, "
                f"mean {sum(found) / calls:.2f} ms; search p50 {quantile(spent, 0.5)} ms; "
                f"{calls} calls"
            )
        client.close()


if __name__ == "__main__":
    main()
