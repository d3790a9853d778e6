"""`shelfie batch --scheduler` on a real Dask cluster: two worker processes on loopback."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from batch_files import (
    answers_in,
    kill,
    receipts,
    run,
    slow_items,
    start,
    summary_of,
    wait_for,
    write_items,
)

pytest.importorskip("distributed", reason="the extra shelfie[cluster] is not installed")

ITEMS = 60
SMALL = ("--chunk-seconds", "0.1", "--json")
LOCAL = ("--host", "127.0.0.1", "--no-dashboard")
WORKER = ("--nthreads", "1", "--no-nanny", "--memory-limit", "1GB")


class Cluster:
    """A scheduler and two workers, each a process that can be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0")
        wait_for(self.file.exists, "scheduler")
        self.workers = [self._start("worker", *WORKER) for _ in range(2)]

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, *LOCAL]
        return subprocess.Popen(
            [*command, "--scheduler-file", str(self.file)],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"DASK_TEMPORARY_DIRECTORY": str(self.folder)},
        )

    @property
    def address(self) -> str:
        found: str = json.loads(self.file.read_text())["address"]
        return found

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    made.close()


def test_a_cluster_that_is_killed_bit_by_bit(cluster: Cluster, tmp_path: Path) -> None:
    """A worker first, which costs nothing but time; then the scheduler, and the batch is resumed
    on this machine. The outputs equal that of two processes."""
    source = write_items(tmp_path / "in.jsonl", slow_items(ITEMS))
    expected, away, broken = (tmp_path / name for name in ("expected", "away", "broken"))
    assert run(source, "--out", expected, "--workers", "2")[0] == 0

    options = ("--scheduler", cluster.address, *SMALL)
    with start(source, "--out", away, *options) as process:
        wait_for(lambda: receipts(away) >= 2, "finished chunks")
        kill(cluster.workers[0].pid)
        said, errors = process.communicate(timeout=300)
    assert (process.returncode, errors) == (0, b"")
    assert summary_of(said)["items"] == summary_of(said)["ok"] == ITEMS
    assert answers_in(away) == answers_in(expected)

    with start(source, "--out", broken, *options) as process:
        wait_for(lambda: receipts(broken) >= 2, "finished chunks")
        kill(cluster.scheduler.pid)
        _, errors = process.communicate(timeout=300)
    assert process.returncode == 3
    assert errors == b"shelfie: the scheduler is gone; the same command goes on from here\n"
    assert not broken.exists()
    status, said, _ = run(source, "--out", broken, *SMALL)
    assert status == 0
    assert 0 < summary_of(said)["resumed"] < ITEMS
    assert answers_in(broken) == answers_in(expected)
