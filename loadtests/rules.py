"""legal-moves calls a second, beside a bare Flask route that reads and writes as much JSON.

    python loadtests/rules.py [SECONDS]

Both run under the same gunicorn. The rate is what four callers reach who share the machine with
the server; the time of the server's processes per call does not depend on who else is there.
"""

import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from service import SHELFIE, Client, cpu_seconds, post_json, served
from shelfie.search.fixed import positions

CALLERS = 4
TARGET = 0.4


def call(port: int, requests: Sequence[bytes], seconds: float) -> int:
    """Asks without a pause; how often."""
    client = Client(port)
    end = time.monotonic() + seconds
    done = 0
    while time.monotonic() < end:
        status, _, _ = client.ask(requests[done % len(requests)])
        assert status == 200
        done += 1
    client.close()
    return done


def rate(
    port: int, process: subprocess.Popen[bytes], requests: Sequence[bytes], seconds: float
) -> tuple[float, float]:
    """Calls a second, and milliseconds of the server's processor per call."""
    call(port, requests, 0.5)
    before = cpu_seconds(process)
    with multiprocessing.get_context("spawn").Pool(CALLERS) as pool:
        done = sum(pool.starmap(call, [(port, requests, seconds)] * CALLERS))
    return done / seconds, 1000 * (cpu_seconds(process) - before) / done


def measure(game: str, seconds: float) -> None:
    sample = positions(game, 2, 20)
    path = f"/v1/games/{game}/legal-moves"
    bodies = [{"position": position.to_json()} for position in sample]
    with served((SHELFIE, "serve")) as (port, process):
        client = Client(port)
        answers = [client.ask(post_json(path, body))[2] for body in bodies]
        client.close()
        ours = rate(port, process, [post_json(path, body) for body in bodies], seconds)
    middle = sorted(answers, key=len)[len(answers) // 2]
    with tempfile.NamedTemporaryFile("wb", suffix=".json") as file:
        file.write(middle)
        file.flush()
        command = (sys.executable, str(Path(__file__).with_name("bare.py")))
        with served(command, BARE_ANSWER=file.name) as (port, process):
            requests = [post_json("/bare", body) for body in bodies]
            bare = rate(port, process, requests, seconds)
    print(
        f"{game}: {ours[0]:.0f} calls/s, bare Flask {bare[0]:.0f}/s: {ours[0] / bare[0]:.2f} "
        f"(target {TARGET}); server time {ours[1]:.2f} ms a call, bare {bare[1]:.2f} ms: "
        f"{bare[1] / ours[1]:.2f}; bodies {len(json.dumps(bodies[0]))} -> {len(middle)} bytes"
    )


if __name__ == "__main__":
    for name in ("tile", "dice"):
        measure(name, float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
