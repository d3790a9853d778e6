"""Search slots: first come first served over processes, refusals with a time, batches beside."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_client import check_problem
from sample_positions import DECISIONS

from shelfie.api.admission import Busy, Gate, Lease, seconds
from shelfie.api.app import create_app
from shelfie.api.seats import Seats
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

FORK = multiprocessing.get_context("fork")
LONG = 60.0  # seconds; a guard against hanging


def gate(**settings: int) -> Gate:
    return Gate(Settings(**{"slots": 1, "queue": 2, "queue_ms": 60_000, **settings}))


def test_a_seat_is_taken_once() -> None:
    seats = Seats(4)
    assert [seats.take(range(1, 3)) for _ in range(3)] == [1, 2, None]
    assert seats.taken(range(4)) == [1, 2]
    seats.give(1)
    assert seats.taken(range(4)) == [2]
    assert seats.take(range(4)) == 0


def test_a_killed_process_leaves_its_seats() -> None:
    seats = Seats(3)
    ready, other = FORK.Pipe()

    def hold() -> None:
        other.send(seats.take(range(3)))
        time.sleep(LONG)

    process = FORK.Process(target=hold)
    process.start()
    try:
        assert ready.poll(LONG)
        assert ready.recv() == 0
        assert seats.taken(range(3)) == [0]
        assert seats.take(range(3)) == 1
    finally:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join(LONG)
    assert seats.taken(range(3)) == [1]
    assert seats.take(range(3)) == 0


def test_calls_wait_in_order_of_arrival() -> None:
    found: list[int] = []
    here = gate(queue=5)

    def call(number: int) -> None:
        with here.search(None) as admitted:
            assert admitted.waited > 0
            found.append(number)

    with ThreadPoolExecutor(5) as pool, here.search(None):
        for number in range(5):
            pool.submit(call, number)
            until(lambda n=number: here.calls.waiting() == n + 1)  # type: ignore[misc]
    assert found == [0, 1, 2, 3, 4]


def test_processes_wait_in_order_of_arrival() -> None:
    """Processes ask in turn; the slot goes to each in the order in which they came."""
    here = gate(queue=4)
    reader, writer = FORK.Pipe(duplex=False)
    turns = [FORK.Event() for _ in range(4)]

    def call(number: int) -> None:
        assert turns[number].wait(LONG)
        with here.search(None):
            writer.send(number)

    processes = [FORK.Process(target=call, args=(number,)) for number in range(4)]
    for process in processes:
        process.start()
    with here.search(None):
        for number, turn in enumerate(turns):
            turn.set()
            until(lambda n=number: here.calls.waiting() == n + 1)  # type: ignore[misc]
    for process in processes:
        process.join(LONG)
        assert process.exitcode == 0
    assert [reader.recv() for _ in range(4)] == [0, 1, 2, 3]


def test_a_full_queue_refuses_at_once() -> None:
    here = gate(queue=0)
    with here.search(None):
        for deadline in (None, time.monotonic() + LONG):
            with pytest.raises(Busy) as refused, here.search(deadline):
                pass
            assert refused.value.reason == "queue-full"
            assert refused.value.retry_after >= 1
    with here.search(None) as admitted:
        assert not admitted.late


def test_who_would_wait_too_long_is_refused_at_once() -> None:
    """Searches took ten seconds each of late, and no call waits longer than one."""
    here = gate(queue_ms=1000)
    here.search_pace.seconds = 10.0
    with here.search(None), pytest.raises(Busy) as refused, here.search(None):
        pass
    assert refused.value.reason == "queue-full"
    assert refused.value.retry_after == 10


def test_nobody_waits_longer_than_the_limit() -> None:
    here = gate(queue_ms=300)
    with here.search(None), pytest.raises(Busy) as refused, here.search(None):
        pass
    assert refused.value.reason == "waited-too-long"
    assert here.calls.waiting() == 0


def test_a_deadline_admits_without_a_slot() -> None:
    here = gate(queue_ms=1)
    with here.search(None), here.search(time.monotonic() + 0.05) as admitted:
        assert admitted.late
    with here.search(time.monotonic() + 0.05) as admitted:
        assert not admitted.late


def test_a_failing_search_gives_its_slot_back() -> None:
    here = gate(queue=0)
    with pytest.raises(RuntimeError), here.search(None):
        raise RuntimeError
    with here.search(None):
        pass


@pytest.mark.parametrize(("wait", "told"), [(0.0, 1), (0.2, 1), (1.1, 2), (1e6, 60)])
def test_retry_after_is_in_whole_seconds(wait: float, told: int) -> None:
    assert seconds(wait) == told


def test_batches_leave_slots_to_calls_and_keep_one() -> None:
    here = gate(slots=3)
    with ExitStack() as calls:
        for left in (3, 2, 1, 1):
            assert len(here.left_for_batches()) == left
            if left > 1 or not calls:
                calls.enter_context(here.search(None))
    leases = [Lease(here, threading.Event()) for _ in range(3)]
    assert all(lease.hold(None) for lease in leases)
    # Calls do not wait for batches that hold every slot of theirs.
    with here.search(None) as admitted:
        assert admitted.waited < LONG / 2
    for lease in leases:
        lease.release()
    assert here.seats.taken(range(len(here.seats.since))) == []


def test_a_batch_steps_aside_for_calls() -> None:
    here = gate(slots=2)
    first, second = (Lease(here, threading.Event()) for _ in range(2))
    assert first.hold(None)
    assert second.hold(None)
    with here.search(None):
        second.looked = 0.0  # it looks now and then only
        assert not second.hold(time.monotonic())
        first.looked = 0.0
        assert first.hold(time.monotonic())
    assert second.hold(None)
    first.release()
    second.release()


def test_batches_take_turns() -> None:
    """One slot, two batches without an end: each gets it again and again."""
    here = gate(slots=1, batches=2)
    stop = threading.Event()
    turns = [0, 0]

    def work(number: int) -> None:
        lease = Lease(here, threading.Event())
        before = None
        while not stop.is_set():
            assert lease.hold(None)
            turns[number] += lease.taken != before
            before = lease.taken
            time.sleep(0.001)
        lease.release()

    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(work, number) for number in range(2)]
        until(lambda: min(turns) >= 3)
        stop.set()
        for each in running:
            each.result(LONG)


def test_a_batch_that_is_given_up_stops_waiting() -> None:
    here = gate()
    first, second = Lease(here, threading.Event()), Lease(here, gone := threading.Event())
    assert first.hold(None)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(second.hold, None)
        until(lambda: here.items.waiting() == 1)
        gone.set()
        assert waiting.result(LONG) is False
    first.release()


def until(true: Any) -> None:
    """Returns when `true()` is; fails after a while."""
    for _ in range(int(LONG / 0.002)):
        if true():
            return
        time.sleep(0.002)
    raise AssertionError("it did not become true")


@pytest.fixture
def full() -> Iterator[FlaskClient]:
    """A service whose one slot is taken and whose queue has no place."""
    app = create_app(Settings(slots=1, queue=0, batches=1))
    here = app.extensions["shelfie"].gate
    with here.search(None):
        yield app.test_client()


def ask(game: str, **more: Any) -> dict[str, Any]:
    return {"position": DECISIONS[game], **more}


@pytest.mark.parametrize("operation", ["analysis", "move", "evaluation"])
@pytest.mark.parametrize("game", GAMES)
def test_no_room_is_told_with_a_time(full: FlaskClient, game: str, operation: str) -> None:
    answer = full.post(f"/v1/games/{game}/{operation}", json=ask(game))
    check_problem(answer, 503, "temporary-reduced-capacity")
    assert int(answer.headers["Retry-After"]) >= 1
    assert answer.headers["Cache-Control"] == "no-store"
    # What is wrong with a request is told all the same, and needs no slot.
    check_problem(full.post(f"/v1/games/{game}/{operation}", json={}), 422, "invalid-request")


@pytest.mark.parametrize("game", GAMES)
def test_what_needs_no_search_needs_no_slot(full: FlaskClient, game: str) -> None:
    for operation in ("legal-moves", "score"):
        assert full.post(f"/v1/games/{game}/{operation}", json=ask(game)).status_code == 200
    assert full.post(f"/v1/games/{game}/new", json={"players": 2}).status_code == 200
    for path in ("/livez", "/readyz", "/v1/games", f"/v1/games/{game}", "/v1/version"):
        assert full.get(path).status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_a_kept_answer_needs_no_slot(full: FlaskClient, game: str) -> None:
    request = ask(game, level=1)
    path = f"/v1/games/{game}/move"
    tag = create_app(Settings()).test_client().post(path, json=request).headers["ETag"]
    assert full.post(path, json=request, headers={"If-None-Match": tag}).status_code == 304
    check_problem(full.post(path, json=request), 503, "temporary-reduced-capacity")


@pytest.mark.parametrize("operation", ["analysis", "move", "evaluation"])
@pytest.mark.parametrize("game", GAMES)
def test_a_deadline_in_the_queue_still_gives_a_move(game: str, operation: str) -> None:
    app = create_app(Settings(slots=1, queue=1))
    client = app.test_client()
    with app.extensions["shelfie"].gate.search(None):
        answer = client.post(f"/v1/games/{game}/{operation}", json=ask(game, deadline_ms=1000))
    assert answer.status_code == 200
    found = answer.get_json()
    assert found["search"]["stopped_by"] in ("deadline", "exact")
    if operation != "evaluation":
        legal = client.post(f"/v1/games/{game}/legal-moves", json=ask(game)).get_json()["moves"]
        assert found["chosen"]["move"] in legal
    queue = answer.headers["Server-Timing"].partition(",")[0]
    assert int(queue.removeprefix("queue;dur=")) >= 100


def test_batches_are_counted(full: FlaskClient) -> None:
    line = b'{"game": "dice", "op": "score", "request": {}}\n'

    def batch() -> Any:
        answer = full.post("/v1/batch", data=line, content_type="application/x-ndjson")
        answer.get_data()  # it lasts until it is read
        return answer

    assert batch().status_code == 200
    leave = full.application.extensions["shelfie"].gate.enter_batch()
    refused = batch()
    check_problem(refused, 503, "temporary-reduced-capacity")
    assert int(refused.headers["Retry-After"]) >= 1
    leave()
    leave()
    assert batch().status_code == 200
