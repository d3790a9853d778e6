"""Helpers for tests of `shelfie batch`: inputs, runs, and what is compared of outputs."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from http_client import SCRIPTS, without_time
from sample_positions import DECISIONS

from shelfie.api.offline.work import Done, Task, answer_task

SHELFIE = str(SCRIPTS / "shelfie")


def write_items(path: Path, items: Iterable[Any]) -> Path:
    """A file with a line for each item; bytes are lines as they are."""
    lines = (item if isinstance(item, bytes) else json.dumps(item).encode() for item in items)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def slow_items(count: int, playouts: int = 3000) -> list[dict[str, Any]]:
    """Searches of a tenth of a second, each with a seed of its own."""
    return [
        {
            "id": f"n{number}",
            "game": "tile",
            "op": "evaluation",
            "request": {
                "position": DECISIONS["tile"],
                "seed": str(number),
                "limits": {"playouts": playouts},
            },
        }
        for number in range(count)
    ]


def start(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """`shelfie batch` on its way, in a process group of its own."""
    return subprocess.Popen(
        [SHELFIE, "batch", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A shell that runs the tests in the background has them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def run(*arguments: str | Path, data: bytes | None = None) -> tuple[int, bytes, bytes]:
    """Status, standard output and standard error of `shelfie batch`."""
    command = [SHELFIE, "batch", *map(str, arguments)]
    done = subprocess.run(command, input=data, capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def summary_of(output: bytes) -> dict[str, Any]:
    """The counts that --json prints."""
    found: dict[str, Any] = json.loads(output)["summary"]
    return found


def answers_in(path: Path) -> list[bytes]:
    """The lines of an output, without the one value that differs from run to run."""
    return without_time(path.read_bytes()).splitlines()


def receipts(out: Path) -> int:
    """How many chunks of an output are finished."""
    path = out.with_name(f"{out.name}.journal") / "receipts.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for(condition: Callable[[], object], what: str) -> None:
    """Returns once it holds; the bound only keeps a fault from hanging."""
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"no {what}")


def workers_of(pid: int) -> list[int]:
    """The worker processes of a running batch."""
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        found += map(int, children.read_text().split())
    return [
        child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def answer_or_die(task: Task) -> Done:
    """The work of a process that one of the items kills. Here, where spawned processes find it."""
    if b'"deadly"' in task.lines:
        kill(os.getpid())
    return answer_task(task)


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
