"""The real server under load and under fire: nothing accepted is lost, refusals are in order."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from http_client import SCRIPTS, ask, free_port, running
from prometheus_client.parser import text_string_to_metric_families
from sample_positions import DECISIONS

COMMAND = [str(SCRIPTS / "shelfie"), "serve", "--workers", "2"]
SMALL = {
    "SHELFIE_SLOTS": "2",
    "SHELFIE_QUEUE": "2",
    "SHELFIE_QUEUE_MS": "60000",
    "SHELFIE_BATCHES": "1",
    "SHELFIE_LOG_LEVEL": "warning",
}
PATH = "/v1/games/tile/evaluation"


def search(time_ms: int) -> dict[str, Any]:
    return {"position": DECISIONS["tile"], "limits": {"time_ms": time_ms}}


def started(port: int, time_ms: int) -> http.client.HTTPConnection:
    """A search that has been asked for."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = json.dumps(search(time_ms))
    connection.request("POST", PATH, body, {"Content-Type": "application/json"})
    return connection


def metrics(port: int) -> dict[tuple[str, ...], float]:
    """Name and label values of every sample -> its value."""
    text = ask(port, "GET", "/metrics")[2].decode()
    return {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def until(port: int, sample: tuple[str, ...], value: float) -> None:
    """Returns when /metrics shows this value; fails after a while."""
    for _ in range(1200):
        if metrics(port)[sample] == value:
            return
        time.sleep(0.05)
    raise AssertionError(f"{sample} did not become {value}")


BUSY = ("shelfie_slots", "calls", "busy")
WAITING = ("shelfie_waiting",)


def test_slots_queue_and_counts_are_one_over_all_workers() -> None:
    """Two slots and two places for both workers together; probes and rules pass by."""
    with running(COMMAND, SMALL) as (port, _):
        searching = [started(port, 4000) for _ in range(2)]
        until(port, BUSY, 2)
        queued = [started(port, 100) for _ in range(2)]
        until(port, WAITING, 2)
        refused = [ask(port, "POST", PATH, search(100)) for _ in range(8)]
        for status, headers, body in refused:
            assert status == 503
            assert int(headers["retry-after"]) >= 1
            assert json.loads(body)["type"] == "/problems/temporary-reduced-capacity"
        for _ in range(8):
            assert ask(port, "GET", "/readyz")[0] == 200
            rules = {"position": DECISIONS["tile"]}
            assert ask(port, "POST", "/v1/games/tile/legal-moves", rules)[0] == 200
        late = {**search(4000), "deadline_ms": 100}
        assert metrics(port)[BUSY] == 2, "the machine is too slow for this test"
        assert ask(port, "POST", PATH, late)[0] == 503  # no place
        for connection in searching + queued:
            answer = connection.getresponse()
            assert answer.status == 200
            answer.read()
            if connection in queued:
                wait = re.match(r"queue;dur=(\d+)", answer.headers["Server-Timing"])
                assert wait
                assert int(wait[1]) > 0
            connection.close()
        found = metrics(port)
        route = "/v1/games/{game}/evaluation"
        assert found["shelfie_requests_total", "tile", route, "200"] == 4
        assert found["shelfie_requests_total", "tile", route, "503"] == 9
        assert found["shelfie_refusals_total", "queue-full"] == 9
        assert found["shelfie_queue_seconds_count", "tile"] == 4
        assert found[BUSY] == found[WAITING] == 0
        # Whichever worker is asked says the same.
        rest = {sample: value for sample, value in found.items() if "/metrics" not in sample}
        again = metrics(port)
        assert {sample: again[sample] for sample in rest} == rest


def test_three_times_the_capacity() -> None:
    """Callers that ask without a pause, far more than can be served: each is answered in full or
    refused with a time; and when they have gone, all is as before."""
    request = {"position": DECISIONS["tile"], "limits": {"playouts": 300}}
    with running(COMMAND, SMALL) as (port, _):
        expected = ask(port, "POST", PATH, request)[2]
        end = time.monotonic() + 4

        def call(_: int) -> list[tuple[int, dict[str, str], bytes]]:
            found = []
            while time.monotonic() < end:
                found.append(ask(port, "POST", PATH, request))
            return found

        with ThreadPoolExecutor(12) as pool:  # 2 slots, 2 places
            answers = [answer for each in pool.map(call, range(12)) for answer in each]
        statuses = Counter(status for status, _, _ in answers)
        assert set(statuses) == {200, 503}, statuses
        for status, headers, body in answers:
            if status == 503:
                assert int(headers["retry-after"]) >= 1
                assert json.loads(body)["type"] == "/problems/temporary-reduced-capacity"
            else:
                assert clean(body) == clean(expected)
        for _ in range(5):
            status, headers, _ = ask(port, "POST", PATH, request)
            assert status == 200
            assert headers["server-timing"].startswith("queue;dur=0,")


def clean(body: bytes) -> bytes:
    return re.sub(rb'"time_ms":\d+,', b"", body)


def workers_of(process: subprocess.Popen[bytes]) -> list[int]:
    """The pids of the server's workers."""
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    return [int(pid) for pid in found.stdout.split()]


def two_workers(process: subprocess.Popen[bytes], without: int = 0) -> list[int]:
    """The server's workers once there are two."""
    for _ in range(1200):
        found = workers_of(process)
        if len(found) == 2 and without not in found:
            return found
        time.sleep(0.05)
    raise AssertionError("the server has not two workers")


def connections_of(pid: int, port: int) -> int:
    """How many calls a worker has: its established connections at the server's port."""
    table = Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]
    rows = [line.split() for line in table]
    ours = {row[9] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01"}
    held = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            held.add(os.readlink(descriptor).removeprefix("socket:[").removesuffix("]"))
    return len(ours & held)


def test_a_killed_worker_costs_its_own_calls_alone() -> None:
    with running(COMMAND, {**SMALL, "SHELFIE_SLOTS": "4"}) as (port, process):
        before = two_workers(process)
        searching = [started(port, 5000) for _ in range(4)]
        until(port, BUSY, 4)
        taken = {pid: connections_of(pid, port) for pid in before}
        assert sum(taken.values()) == 4
        victim = max(before, key=lambda pid: taken[pid])
        os.kill(victim, signal.SIGKILL)
        lost = 0
        for connection in searching:
            try:
                answer = connection.getresponse()
                assert answer.status == 200
                assert json.loads(answer.read())["status"] == "ok"
            except (OSError, http.client.HTTPException):
                lost += 1
            connection.close()
        assert lost == taken[victim]
        until(port, BUSY, 0)  # its slots are back
        two_workers(process, without=victim)  # another has taken its place
        for _ in range(8):
            status, headers, _ = ask(port, "POST", PATH, search(20))
            assert status == 200
            assert headers["server-timing"].startswith("queue;dur=0,")


def test_a_batch_survives_the_worker_that_helps_with_it() -> None:
    """Half of the items are answered by the other worker, until it is killed."""
    request = {"position": DECISIONS["tile"], "limits": {"playouts": 1500}}
    items = [{"game": "tile", "op": "evaluation", "request": request}] * 40
    body = b"".join(json.dumps(item).encode() + b"\n" for item in items)
    with running(COMMAND, SMALL) as (port, process):
        expected = clean(ask(port, "POST", PATH, request)[2])
        workers = two_workers(process)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with contextlib.closing(connection):
            headers = {"Content-Type": "application/x-ndjson"}
            connection.request("POST", "/v1/batch", body, headers)
            answer = connection.getresponse()
            first = answer.readline()
            [helper] = [pid for pid in workers if not connections_of(pid, port)]
            os.kill(helper, signal.SIGKILL)
            lines = [first, *answer.read().splitlines(keepends=True)]
        assert json.loads(lines.pop())["summary"]["ok"] == len(items)
        assert len(lines) == len(items)
        assert all(clean(line).endswith(expected + b"}\n") for line in lines)
        found = metrics(port)
        assert found["shelfie_batch_items_total", "tile", "evaluation", "200"] == len(items)
        until(port, ("shelfie_slots", "batches", "busy"), 0)


@pytest.fixture
def log(tmp_path: Any) -> Iterator[Any]:
    with (tmp_path / "log").open("w+b") as file:
        yield file


def test_a_stop_under_load_loses_nothing(log: Any) -> None:
    """Callers go on asking while SIGTERM comes. Every call that reached the server is answered,
    those that wait in its queue too; the others are refused at the door."""
    answered: list[str] = []
    refused = threading.Event()

    def call(port: int, caller: int) -> None:
        for number in range(1000):
            name = f"{caller}-{number}"
            body, headers = json.dumps(search(200)), {"Content-Type": "application/json"}
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            with contextlib.closing(connection):
                try:
                    connection.request("POST", PATH, body, {**headers, "X-Request-Id": name})
                    answer = connection.getresponse()
                    answer.read()
                except OSError:
                    refused.set()
                    return
                assert answer.status == 200
                answered.append(name)

    variables = {**SMALL, "SHELFIE_QUEUE": "16", "SHELFIE_LOG_LEVEL": "info"}
    with running(COMMAND, variables, stderr=log) as (port, process), ThreadPoolExecutor(8) as pool:
        callers = [pool.submit(call, port, number) for number in range(8)]
        until(port, WAITING, 6)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        for caller in callers:
            caller.result(60)
    assert refused.is_set()
    log.seek(0)
    lines = [json.loads(line) for line in log.read().splitlines()]
    seen = {line["request_id"] for line in lines if line.get("operation") == "evaluation"}
    assert len(seen) >= 8
    assert seen == set(answered)


def test_readiness_is_false_while_draining() -> None:
    """On a connection that was open before, since new ones are not taken any more."""
    with running([*COMMAND[:3], "1"], SMALL) as (port, process):
        kept = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        kept.request("GET", "/readyz")
        answer = kept.getresponse()
        assert (answer.status, json.loads(answer.read())) == (200, {"status": "ready"})
        connection = started(port, 3000)
        until(port, BUSY, 1)
        process.send_signal(signal.SIGTERM)
        for _ in range(600):
            kept.request("GET", "/readyz")
            answer = kept.getresponse()
            body = json.loads(answer.read())
            if answer.status == 503:
                break
            time.sleep(0.01)
        kept.close()
        assert body["type"] == "/problems/draining"
        assert connection.getresponse().status == 200
        connection.close()
        assert process.wait(60) == 0


def test_the_log_is_json_and_metrics_move(log: Any) -> None:
    own = free_port()
    variables = {**SMALL, "SHELFIE_METRICS_PORT": str(own), "SHELFIE_LOG_LEVEL": "info"}
    with running(COMMAND, variables, stderr=log) as (port, _):
        status, _, _ = ask(port, "POST", PATH, search(10), **{"X-Request-Id": "logged"})
        assert status == 200
        assert ask(port, "GET", "/metrics")[0] == 404
        assert ask(own, "GET", "/v1/games")[0] == 404
        assert metrics(own)["shelfie_requests_total", "tile", "/v1/games/{game}/evaluation", "200"]
    log.seek(0)
    lines = [json.loads(line) for line in log.read().splitlines()]
    [request] = [line for line in lines if line.get("request_id") == "logged"]
    assert request["status"] == 200
    assert request["search_ms"] >= 10
    assert {"settings", "request"} <= {line["message"] for line in lines}
