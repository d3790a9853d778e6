"""Nothing is lost or done twice, whoever is killed: driver, worker, or every worker of an item."""

import json
import os
import signal
from pathlib import Path

import pytest
from batch_files import (
    alive,
    answer_or_die,
    answers_in,
    kill,
    receipts,
    run,
    slow_items,
    start,
    summary_of,
    wait_for,
    workers_of,
    write_items,
)

from shelfie.api.offline.chunks import Reader
from shelfie.api.offline.driver import Driver
from shelfie.api.offline.journal import Journal
from shelfie.api.offline.outputs import write_output
from shelfie.api.offline.processes import Processes
from shelfie.api.offline.source import Source

ITEMS = 60
SMALL = ("--workers", "2", "--chunk-seconds", "0.1", "--json")
ONE = ("--workers", "1", "--json")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_items(tmp_path_factory.mktemp("kills") / "in.jsonl", slow_items(ITEMS))


@pytest.fixture(scope="module")
def expected(source: Path) -> list[bytes]:
    """What a run gives that nobody disturbs."""
    out = source.with_name("expected.jsonl")
    status, said, _ = run(source, "--out", out, "--json")
    assert status == 0
    assert summary_of(said)["resumed"] == 0
    return answers_in(out)


def test_a_killed_driver_is_resumed(source: Path, expected: list[bytes], tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with start(source, "--out", out, *SMALL) as process:
        wait_for(lambda: receipts(out) >= 2, "finished chunks")
        workers = workers_of(process.pid)
        kill(process.pid)
    assert len(workers) == 2
    wait_for(lambda: not any(map(alive, workers)), "end of the workers without their driver")
    assert not out.exists()
    with (out.with_name("out.jsonl.journal") / "receipts.jsonl").open("a") as file:
        file.write('{"first": 5, "it')  # as a kill in the middle of writing leaves it
    status, said, _ = run(source, "--out", out, *SMALL)
    assert status == 0
    counts = summary_of(said)
    assert 0 < counts["resumed"] < counts["items"] == ITEMS
    assert answers_in(out) == expected
    assert not out.with_name("out.jsonl.journal").exists()


def test_a_killed_worker_costs_its_chunk(
    source: Path, expected: list[bytes], tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    with start(source, "--out", out, *SMALL) as process:
        wait_for(lambda: receipts(out) >= 2, "finished chunks")
        kill(workers_of(process.pid)[0])
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0
    assert b"Traceback" not in said
    assert answers_in(out) == expected


def test_an_interrupt_says_how_to_go_on(
    source: Path, expected: list[bytes], tmp_path: Path
) -> None:
    """Ctrl-C, which a terminal sends to the workers as well."""
    out = tmp_path / "out.jsonl"
    with start(source, "--out", out, *SMALL) as process:
        wait_for(lambda: receipts(out) >= 2, "finished chunks")
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=300)
        assert process.returncode == 130
    assert said.decode() == "shelfie: interrupted; the same command goes on from here\n"
    assert run(source, "--out", out, *SMALL)[0] == 0
    assert answers_in(out) == expected


def test_a_journal_is_one_batch_s(source: Path, tmp_path: Path) -> None:
    """It is refused to another process, another input, and another kind of output."""
    out = tmp_path / "out.jsonl"
    with start(source, "--out", out, *SMALL) as process:
        wait_for(lambda: receipts(out) >= 2, "finished chunks")
        status, _, said = run(source, "--out", out, *SMALL)
        assert (status, b"in use" in said) == (2, True)
        kill(process.pid)
    wait_for(lambda: not any(map(alive, workers_of(process.pid))), "end of the workers")
    lines = source.read_bytes().splitlines()
    for other in ([b"{}", *lines[1:]], lines[:2]):
        changed = write_items(tmp_path / "other.jsonl", other)
        status, _, said = run(changed, "--out", out, *ONE)
        assert (status, b"the input is not the one" in said) == (2, True)
    head = out.with_name("out.jsonl.journal") / "journal.json"
    head.write_text(head.read_text().replace('"build": "', '"build": "other'))
    status, _, said = run(source, "--out", out, *ONE)
    assert (status, b"another build" in said) == (2, True)
    small = write_items(tmp_path / "small.jsonl", lines[:3])
    status, said, _ = run(small, "--out", out, *ONE, "--overwrite")
    assert (status, summary_of(said)["items"], summary_of(said)["resumed"]) == (0, 3, 0)


def test_an_item_that_kills_costs_only_itself(tmp_path: Path) -> None:
    """It is found by halving, has its own line with 500, and all others are answered."""
    items = slow_items(7, playouts=20)
    items[4]["id"] = "deadly"
    warnings: list[str] = []
    journal = Journal(tmp_path / "journal", {})
    with (
        Source(str(write_items(tmp_path / "in.jsonl", items))) as source,
        Processes(2, answer_or_die) as runner,
    ):
        Driver(
            Reader(source),
            journal,
            runner,
            form="lines",
            seconds=4.0,
            progress=lambda done: None,
            warn=warnings.append,
        ).run()
    write_output(journal, tmp_path / "out.jsonl")
    journal.close()
    told = [json.loads(line) for line in answers_in(tmp_path / "out.jsonl")]
    assert [line["index"] for line in told] == list(range(7))
    assert [line["id"] for line in told] == [item["id"] for item in items]
    assert [line["index"] for line in told if line["status"] != 200] == [4]
    assert told[4]["status"] == told[4]["problem"]["status"] == 500
    assert told[4]["problem"]["request_id"] == "item-4"
    assert journal.ok == 6
    assert "workers die over item 4; it fails" in warnings
