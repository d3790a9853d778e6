"""Workers answer for each other; who dies in the middle is noticed."""

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from typing import Any

import pytest

from shelfie.api import siblings as module
from shelfie.api.seats import Seats
from shelfie.api.siblings import Gone, Siblings

LONG = 60.0


def answer(question: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    if question.get("sleep"):
        time.sleep(LONG)
    return {"pid": os.getpid()}, b"x" * question["size"]


def live(family: Siblings, ready: Any) -> None:
    family.join(answer)
    ready.send(family.number)
    time.sleep(LONG)


@pytest.fixture
def family() -> Siblings:
    return Siblings(Seats(5), range(2, 4))


@pytest.fixture
def other(family: Siblings) -> Iterator[BaseProcess]:
    """A second process of the family, which has joined it."""
    fork = multiprocessing.get_context("fork")
    ready, theirs = fork.Pipe()
    process = fork.Process(target=live, args=(family, theirs))
    process.start()
    assert ready.poll(LONG)
    assert ready.recv() == 2
    yield process
    process.kill()
    process.join(LONG)


def test_a_sibling_answers(family: Siblings, other: BaseProcess) -> None:
    family.join(answer)
    assert family.number == 3
    assert family.partner(0) is None  # this process itself
    with family.partner(1) or pytest.fail("no sibling") as connection:
        for size in (0, 5, 300_000):
            connection.send({"size": size})
            head, text = connection.receive()
            assert head == {"pid": other.pid}
            assert text == b"x" * size


def test_a_sibling_that_dies_is_noticed(family: Siblings, other: BaseProcess) -> None:
    family.join(answer)
    with family.partner(1) or pytest.fail("no sibling") as connection:
        connection.send({"size": 1, "sleep": True})
        assert other.pid is not None
        os.kill(other.pid, signal.SIGKILL)
        with pytest.raises((Gone, OSError)):
            connection.receive()
    other.join(LONG)
    assert family.partner(1) is None


def test_a_sibling_that_died_before_it_let_anyone_in_is_noticed(
    family: Siblings, other: BaseProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK", 0.01)
    family.join(answer)
    assert other.pid is not None
    os.kill(other.pid, signal.SIGSTOP)
    with family.partner(1) or pytest.fail("no sibling") as connection:
        connection.send({"size": 1})
        os.kill(other.pid, signal.SIGKILL)
        other.join(LONG)
        with pytest.raises((Gone, OSError)):
            connection.receive()


def test_who_has_not_joined_has_no_siblings(family: Siblings, other: BaseProcess) -> None:
    assert family.partner(1) is None
    third = Siblings(Seats(1), range(1))
    third.join(answer)
    assert third.partner(1) is None
