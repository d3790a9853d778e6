"""What one core answers: moves a second of every level, of both games.

    python loadtests/sizing.py [SECONDS]

A service with one worker and one slot on one core, the caller on the others. The positions are
those of whole games between two players of that level, so easy and hard ones come as often as in
play; the quick calls that roll or refill between them count as part of the move. The rate is that
of the processor, which holds on a busy machine too. Prints a table in Markdown.
"""

import json
import os
import subprocess
import sys
import time

from service import Client, cpu_seconds, post_json, quantile, served

GAMES = ("tile", "dice")
LEVELS = (*range(1, 11), None)
PLAYERS = 2

Process = subprocess.Popen[bytes]


def calls(client: Client, game: str, level: int | None, seconds: float) -> list[float]:
    """Seconds of each search call of whole games, until the time is over and a game has ended."""
    path, end, spent, games = f"/v1/games/{game}", time.monotonic() + seconds, [], 0
    while time.monotonic() < end:
        start = {"players": PLAYERS, "seed": f"sizing/{games}"}
        state = json.loads(client.ask(post_json(f"{path}/new", start))[2])
        while state["node"] != "terminal":
            body = {"position": state["position"], "seed": f"{games}/{len(spent)}"}
            if level is not None:
                body["level"] = level
            asked = time.monotonic()
            status, _, answer = client.ask(post_json(f"{path}/move", body))
            took = time.monotonic() - asked
            assert status == 200, answer
            if state["node"] == "decision":
                spent.append(took)
            state = json.loads(answer)
        games += 1
    return spent


def measure(port: int, pid: Process, game: str, level: int | None, seconds: float) -> str:
    """A line of the table."""
    client = Client(port)
    used, began = cpu_seconds(pid), time.monotonic()
    spent = calls(client, game, level, seconds)
    wall, used = time.monotonic() - began, cpu_seconds(pid) - used
    client.close()
    name = "full strength" if level is None else f"{level}"
    milliseconds = [1000 * each for each in spent]
    return (
        f"| {game} | {name} | {len(spent) / used:.0f} | {1000 * used / len(spent):.1f} ms | "
        f"{quantile(milliseconds, 0.5):.1f} ms | {quantile(milliseconds, 0.95):.1f} ms | "
        f"{used / wall:.2f} |"
    )


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])  # the server inherits it
    settings = {"SHELFIE_WORKERS": "1", "SHELFIE_SLOTS": "1"}
    with served(**settings) as (port, process):
        os.sched_setaffinity(0, cores[1:] or cores)
        for game in GAMES:
            calls(Client(port), game, 1, 0)  # warms up
        print("| game | level | moves a second of a core | processor | p50 | p95 | core busy |")
        print("|---|---|---|---|---|---|---|", flush=True)
        for game in GAMES:
            for level in LEVELS:
                print(measure(port, process, game, level, seconds), flush=True)


if __name__ == "__main__":
    main()
