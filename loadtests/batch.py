"""A batch of 1,000 analyses beside the engine alone on the same cores.

    python loadtests/batch.py [ITEMS]

The engine alone is `shelfie.search.analyze` in one process per core, without HTTP or JSON. The
time of the processor per item tells the same on a machine that is busy with other things.
"""

import json
import multiprocessing
import os
import sys
import time

from service import Client, cpu_seconds, post, served
from shelfie.search import AnalysisRequest, Limits, analyze
from shelfie.search.fixed import positions

CASES = {
    "dice, fast setting": ("dice", {"depth": 1}, 0.7),
    "tile, 500 playouts": ("tile", {"playouts": 500}, 0.95),
}
TOP = 8


Rate = tuple[float, float]  # items a second, milliseconds of the processor per item


def alone(
    game: str, limits: dict[str, int], count: int, core: int, cores: int
) -> tuple[float, float]:
    """Seconds that one process takes for its share of the positions, also of the processor."""
    question = AnalysisRequest(limits=Limits(**limits), top=TOP)
    mine = positions(game, 2, 100)
    analyze(mine[0], question)
    started, used = time.monotonic(), time.process_time()
    for number in range(core, count, cores):
        analyze(mine[number % len(mine)], question)
    return time.monotonic() - started, time.process_time() - used


def engine_rate(game: str, limits: dict[str, int], count: int, cores: int) -> Rate:
    work = [(game, limits, count, core, cores) for core in range(cores)]
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        found = pool.starmap(alone, work)
    return count / max(wall for wall, _ in found), 1000 * sum(used for _, used in found) / count


def batch_rate(game: str, limits: dict[str, int], count: int) -> Rate:
    sample = positions(game, 2, 100)
    lines = [
        json.dumps(
            {
                "game": game,
                "op": "analysis",
                "request": {
                    "position": sample[number % len(sample)].notation(),
                    "limits": limits,
                    "top": TOP,
                },
            }
        ).encode()
        for number in range(count)
    ]
    with served() as (port, process):
        client = Client(port)
        for some in (lines[:20], lines):  # the first warms up
            request = post("/v1/batch", b"\n".join(some), "application/x-ndjson")
            started, used = time.monotonic(), cpu_seconds(process)
            status, _, body = client.ask(request)
            spent, used = time.monotonic() - started, cpu_seconds(process) - used
            assert status == 200
            assert json.loads(body.splitlines()[-1])["summary"]["ok"] == len(some)
        client.close()
    return count / spent, 1000 * used / count


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    every = sorted(os.sched_getaffinity(0))
    for cores in sorted({1, len(every)}):
        os.sched_setaffinity(0, every[:cores])  # the server and the processes inherit it
        for name, (game, limits, target) in CASES.items():
            raw = engine_rate(game, limits, count, cores)
            ours = batch_rate(game, limits, count)
            print(
                f"{cores} core(s), {name}: batch {ours[0]:.0f}/s, engine alone {raw[0]:.0f}/s: "
                f"{ours[0] / raw[0]:.2f} (target {target}); processor {ours[1]:.2f} ms an item, "
                f"alone {raw[1]:.2f} ms: {raw[1] / ours[1]:.2f}"
            )


if __name__ == "__main__":
    main()
