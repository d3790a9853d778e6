"""`shelfie batch` on many positions: one process and two, a cluster, memory, and what it costs.

    python loadtests/offline.py [SHARE] [--folder FOLDER]

100,000 dice and 5,000 tile positions, or a SHARE of them (0.05: a twentieth). On each number of
processes the output has to be the same; then on a Dask cluster of two workers on loopback, one of
which is killed in the middle. At the end the time of the processor per item at several settings,
and per million items. What was made in FOLDER is used again.
"""

import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent
SHELFIE = str(BIN / "shelfie")
CASES = {
    "dice": (100_000, ("--depth", "1", "--top", "3")),
    "tile": (5_000, ("--playouts", "500", "--top", "3")),
}
SETTINGS = {
    "dice, analysis of one turn": ("dice", 2_000, ("--depth", "1")),
    "dice, analysis of one turn, 3 moves shown": ("dice", 2_000, ("--depth", "1", "--top", "3")),
    "dice, evaluation of one turn": ("dice", 2_000, ("--op", "evaluation", "--depth", "1")),
    "dice, move at level 5": ("dice", 2_000, ("--op", "move", "--level", "5")),
    "tile, move at level 5": ("tile", 1_000, ("--op", "move", "--level", "5")),
    "tile, 100 playouts": ("tile", 1_000, ("--playouts", "100", "--top", "3")),
    "tile, 500 playouts": ("tile", 500, ("--playouts", "500", "--top", "3")),
    "tile, 2,000 playouts": ("tile", 200, ("--playouts", "2000", "--top", "3")),
    "dice, two turns": ("dice", 60, ("--depth", "2", "--top", "3")),
}
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Run:
    """What a batch took. worker, driver: peaks of memory in MB. cpu: seconds of all processes."""

    items: int
    seconds: float
    worker: float
    driver: float
    cpu: float

    @property
    def rate(self) -> float:
        return self.items / self.seconds


class Watch(threading.Thread):
    """Looks at a process, its children and others until the end."""

    def __init__(self, pid: int, others: Sequence[int]) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.others = others
        self.peaks: dict[int, float] = {}
        self.cpu: dict[int, float] = {}
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.2):
            for pid in (self.pid, *children(self.pid), *self.others):
                try:
                    status = Path(f"/proc/{pid}/status").read_text()
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                if peak := re.search(r"VmHWM:\s+(\d+)", status):
                    self.peaks[pid] = int(peak[1]) / 1024
                self.cpu[pid] = (int(fields[11]) + int(fields[12])) / TICKS


def children(pid: int) -> list[int]:
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, path.read_text().split())
        except OSError:
            continue
    return found


def batch(source: Path, out: Path, *options: str, others: Sequence[int] = ()) -> Run:
    command = [SHELFIE, "batch", str(source), "--out", str(out), "--overwrite", "--json", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    watch = Watch(process.pid, others)
    watch.start()
    said, _ = process.communicate()
    watch.over.set()
    watch.join()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: status {process.returncode}")
    found = json.loads(said)["summary"]
    own = watch.peaks.pop(process.pid, 0.0)
    workers = max(watch.peaks.values(), default=0.0)
    return Run(found["items"], found["seconds"], workers, own, sum(watch.cpu.values()))


def positions(folder: Path, name: str, game: str, count: int, asked: Sequence[str]) -> Path:
    """A file of requests, made unless it is there."""
    path = folder / f"{name}-{count}.jsonl"
    if not path.exists():
        part = path.with_suffix(".part")
        players = ("--players", "2", "3", "4")
        many = ("--game", game, "--count", str(count), "--seed", "offline", *players)
        subprocess.run([SHELFIE, "positions", *many, *asked, "--out", str(part)], check=True)
        part.rename(path)
    return path


def digest(path: Path) -> str:
    """Of an output without its times."""
    found = hashlib.blake2b(digest_size=8)
    with path.open("rb") as lines:
        for line in lines:
            found.update(re.sub(rb'"time_ms":\d+', b"", line))
    return found.hexdigest()


def show(name: str, run: Run) -> None:
    print(
        f"{name}: {run.items} items in {run.seconds:.1f} s, {run.rate:.1f} a second; "
        f"peak of a worker {run.worker:.0f} MB, of the driver {run.driver:.0f} MB",
        flush=True,
    )


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """Scheduler and two workers on loopback: its address and their pids."""
    file = folder / "scheduler.json"
    file.unlink(missing_ok=True)
    local = ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
    worker = ("--nthreads", "1", "--no-nanny", "--memory-limit", "1GB")
    processes = []

    def begin(*arguments: str) -> None:
        command = [sys.executable, "-m", "dask", *arguments, *local]
        processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=folder))

    try:
        begin("scheduler", "--port", "0")
        while not file.exists():
            time.sleep(0.1)
        begin("worker", *worker)
        begin("worker", *worker)
        yield json.loads(file.read_text())["address"], [p.pid for p in processes[1:]]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def on_a_cluster(folder: Path, source: Path, expected: Run, wanted: str) -> None:
    """Two workers, one of which dies when about a third is done."""
    out = folder / "cluster.jsonl"
    with cluster(folder) as (address, pids):
        timer = threading.Timer(expected.seconds / 3 + 5, os.kill, (pids[0], signal.SIGKILL))
        timer.start()
        run = batch(source, out, "--scheduler", address, others=pids)
        timer.cancel()
    show("  Dask, two workers, one killed", run)
    print(f"  output {'the same' if digest(out) == wanted else 'DIFFERENT'}")
    out.unlink()


def case(folder: Path, game: str, share: float) -> None:
    """One game: a tenth for the memory, one process, two, and a cluster."""
    count, asked = CASES[game]
    count = max(20, round(share * count))
    source = positions(folder, game, game, count, asked)
    few = positions(folder, game, game, max(20, count // 10), asked)
    out = folder / f"{game}.out.jsonl"
    print(f"{game}: {count} positions, analysis {' '.join(asked)}")
    show("  two processes, a tenth", batch(few, out, "--workers", "2"))
    runs, digests = {}, set()
    for workers in (1, 2):
        runs[workers] = batch(source, out, "--workers", str(workers))
        digests.add(digest(out))
        show(f"  {workers} process(es)", runs[workers])
    print(f"  two beside one: {runs[2].rate / runs[1].rate:.2f} (goal 1.8)")
    print(f"  outputs {'the same' if len(digests) == 1 else 'DIFFERENT'}")
    on_a_cluster(folder, source, runs[2], digests.pop())
    out.unlink()


def costs(folder: Path, share: float) -> None:
    """Time of the processor per item and per million, start of the processes taken off."""
    print("| setting | ms of a core an item | core hours a million |\n|---|---|---|")
    for name, (game, count, asked) in SETTINGS.items():
        count = max(20, round(min(1.0, 10 * share) * count))
        source = positions(folder, re.sub(r"\W+", "-", name), game, count, asked)
        nothing = folder / "nothing.jsonl"
        nothing.touch()
        out = folder / "costs.jsonl"
        start = batch(nothing, out, "--workers", "1").cpu
        ms = 1000 * max(0.0, batch(source, out, "--workers", "1").cpu - start) / count
        print(f"| {name} | {ms:.2f} | {ms / 3.6:.2f} |", flush=True)
        out.unlink()


def main() -> None:
    command = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    command.add_argument("share", type=float, nargs="?", default=1.0)
    command.add_argument("--folder", type=Path)
    given = command.parse_args()
    with tempfile.TemporaryDirectory(prefix="shelfie-offline-") as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for game in CASES:
            case(folder, game, given.share)
        costs(folder, given.share)


if __name__ == "__main__":
    main()
