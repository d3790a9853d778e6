"""The client in bad moments, played by a scripted server; nothing really waits."""

import contextlib
import json
import time
from collections.abc import Iterator
from email.utils import formatdate
from typing import Any

import pytest
from stub_server import Script, answer, chunked, cut, hang_up, serving, then_hang_up

from shelfie.api.client import Client, CutShort, Problem, Retries, Unreachable

GOOD = answer(200, {"ok": True})
BUSY = {"type": "/problems/temporary-reduced-capacity", "status": 503, "request_id": "r1"}


@contextlib.contextmanager
def client_of(script: Script, waits: list[float], **options: Any) -> Iterator[Client]:
    """A client that notes how long it would have waited."""
    with Client(script.url, sleep=waits.append, timeout=30, **options) as client:
        yield client


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_honoured(status: int) -> None:
    busy = answer(status, BUSY | {"status": status}, Retry_After="7")
    waits: list[float] = []
    with serving(busy, busy, GOOD) as script, client_of(script, waits) as client:
        assert client.score("tile", "x") == {"ok": True}
    assert waits == [7.0, 7.0]
    assert len({body for _, _, body in script.asked}) == 1, "the same request each time"
    assert len(script.asked) == 3


def test_retry_after_may_be_a_date() -> None:
    later = answer(503, BUSY, Retry_After=formatdate(time.time() + 30, usegmt=True))
    past = answer(503, BUSY, Retry_After=formatdate(time.time() - 30, usegmt=True))
    waits: list[float] = []
    with serving(later, past, GOOD) as script, client_of(script, waits) as client:
        assert client.games() == {"ok": True}
    assert 0 < waits[0] <= 30
    assert waits[1] == 0


@pytest.mark.parametrize("header", [{}, {"Retry_After": "soon"}, {"Retry_After": "²"}])
def test_without_a_time_waits_grow(header: dict[str, str]) -> None:
    waits: list[float] = []
    busy = answer(503, BUSY, **{k: v.encode().decode("latin-1") for k, v in header.items()})
    retries = Retries(attempts=5, first_wait=1, longest_wait=4)
    with (
        serving(*[busy] * 4, GOOD) as script,
        client_of(script, waits, retries=retries) as client,
    ):
        client.games()
    for wait, longest in zip(waits, [1, 2, 4, 4], strict=True):
        assert longest / 2 <= wait <= longest


def test_attempts_are_bounded() -> None:
    waits: list[float] = []
    busy = answer(503, BUSY, Retry_After="1")
    with (
        serving(*[busy] * 3) as script,
        client_of(script, waits, retries=Retries(attempts=3)) as client,
        pytest.raises(Problem) as caught,
    ):
        client.games()
    assert (caught.value.status, caught.value.retry_after) == (503, 1.0)
    assert caught.value.request_id == "r1"
    assert waits == [1.0, 1.0]
    assert script.steps == []


def test_a_wait_beyond_the_whole_time_is_not_begun() -> None:
    waits: list[float] = []
    busy = answer(503, BUSY, Retry_After="61")
    with (
        serving(busy) as script,
        client_of(script, waits, retries=Retries(seconds=60)) as client,
        pytest.raises(Problem, match="503"),
    ):
        client.games()
    assert waits == []


def test_the_whole_time_is_bounded() -> None:
    """The clock goes forward as sleep says: of waits of 25 s, two begin within 60 s."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    def busy() -> None:
        raise Problem({"status": 503}, 25.0)

    with pytest.raises(Problem):
        Retries(attempts=100, seconds=60).run(busy, sleep, lambda: now[0])
    assert now[0] == 50.0


@pytest.mark.parametrize("status", [400, 401, 404, 422, 500, 502])
def test_other_refusals_are_not_repeated(status: int) -> None:
    waits: list[float] = []
    body = {
        "type": "/problems/invalid-request", "title": "T", "status": status, "detail": "D",
        "errors": [{"pointer": "/x", "code": "c", "detail": "d"}], "request_id": "r2",
    }  # fmt: skip
    with (
        serving(answer(status, body)) as script,
        client_of(script, waits) as client,
        pytest.raises(Problem) as caught,
    ):
        client.games()
    problem = caught.value
    assert (problem.status, problem.type, problem.title) == (status, body["type"], "T")
    assert (problem.errors, problem.request_id) == (body["errors"], "r2")
    assert str(problem) == f"{status} /problems/invalid-request: D"
    assert waits == []


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"[]", b"\xff", b""])
def test_refusals_from_something_on_the_way(body: bytes) -> None:
    with (
        serving(answer(502, body, X_Request_Id="r3")) as script,
        Client(script.url) as client,
        pytest.raises(Problem) as caught,
    ):
        client.games()
    assert (caught.value.status, caught.value.type) == (502, "about:blank")
    assert (caught.value.request_id, caught.value.errors) == ("r3", [])


def test_a_kept_connection_that_was_closed_costs_no_attempt() -> None:
    waits: list[float] = []
    closing = then_hang_up(GOOD)
    with (
        serving(closing, closing, GOOD) as script,
        client_of(script, waits, retries=Retries(attempts=1)) as client,
    ):
        for _ in range(3):
            assert client.games() == {"ok": True}
    assert waits == []


def test_a_connection_is_kept() -> None:
    ports: list[int] = []

    def noting(handler: Any) -> None:
        ports.append(handler.client_address[1])
        GOOD(handler)

    refused = answer(422, {"status": 422})
    lines = chunked(b'{"summary": {"items": 0, "complete": true}}\n')
    with serving(noting, refused, noting, lines, noting) as script, Client(script.url) as client:
        client.games()
        with pytest.raises(Problem):
            client.games()
        client.games()
        assert list(client.batch([])) == []
        client.games()
    assert len(set(ports)) == 1


def test_a_connection_that_breaks_is_tried_again() -> None:
    waits: list[float] = []
    half = cut(b'{"ok": tr', 12)
    with serving(hang_up, half, GOOD) as script, client_of(script, waits) as client:
        assert client.games() == {"ok": True}
    assert len(waits) == 2


def test_nobody_listens() -> None:
    with serving() as script:
        url = script.url
    waits: list[float] = []
    with pytest.raises(Unreachable, match="refused"):
        Client(url, sleep=waits.append, retries=Retries(attempts=3)).games()
    assert len(waits) == 2
    assert Client(url).ready() is False


def test_a_time_out_is_not_repeated() -> None:
    def silent(handler: Any) -> None:
        handler.connection.settimeout(30)
        handler.rfile.read(1)  # until the client has closed
        handler.close_connection = True

    with (
        serving(silent) as script,
        Client(script.url, timeout=0.05) as client,
        pytest.raises(Unreachable, match="timed out"),
    ):
        client.games()
    assert len(script.asked) == 1


LINE = b'{"index": 0, "status": 200, "body": {}}\n'


@pytest.mark.parametrize(
    "stream",
    [
        chunked(LINE),
        chunked(LINE, end=False),
        chunked(LINE, LINE[:10], end=False),
        chunked(LINE, LINE[:10]),
        chunked(LINE, b'{"summary": {"items": 2, "complete": true}}\n'),
        chunked(LINE, b'{"summary": {"items": 1, "complete": false}}\n'),
        chunked(LINE, b'{"summary": {"items": 1, "complete": true}}'),
        cut(LINE, len(LINE) + 10),
    ],
)
def test_a_cut_stream_is_an_error(stream: Any) -> None:
    """The lines before the cut are given, then the error is raised; nothing is repeated."""
    waits: list[float] = []
    with serving(stream) as script, client_of(script, waits) as client:
        lines = client.batch([{"game": "tile"}])
        assert next(lines)["index"] == 0
        with pytest.raises(CutShort):
            next(lines)
    assert waits == []


MOVE = b'{"index": 0, "grade": "best"}\n'
PARTIAL = b'{"partial": {"status": "ok"}}\n'


def test_reviews_and_analyses_end_with_their_last_line() -> None:
    review = chunked(MOVE, b'{"summary": {"complete": true}}\n')
    analysis = chunked(PARTIAL, b'{"status": "ok"}\n')
    with serving(review, analysis) as script, Client(script.url) as client:
        moves = ["mark:P1", {"move": "roll", "outcome": "PPPPPP"}]
        lines = list(client.review("dice", "x", moves, seats=[0], limits={"depth": 1}))
        assert [line.keys() for line in lines] == [{"index", "grade"}, {"summary"}]
        found = list(client.analysis_lines("tile", "x", top=1))
        assert [line.keys() for line in found] == [{"partial"}, {"status"}]
    (path, headers, body), (other, _, _) = script.asked
    assert (path, other) == ("/v1/games/dice/review", "/v1/games/tile/analysis")
    assert headers["accept"] == "application/x-ndjson"
    assert json.loads(body) == {
        "position": "x", "moves": moves, "seats": [0], "limits": {"depth": 1},
    }  # fmt: skip


@pytest.mark.parametrize("lines", [[], [MOVE, PARTIAL]])
def test_cut_reviews_and_analyses(lines: list[bytes]) -> None:
    cut_off = chunked(*lines)
    with serving(cut_off, cut_off) as script, Client(script.url) as client:
        with pytest.raises(CutShort):
            list(client.review("dice", "x", []))
        with pytest.raises(CutShort):
            list(client.analysis_lines("dice", "x"))


def test_a_failure_on_the_way_is_a_problem() -> None:
    failed = b'{"problem": {"status": 500, "type": "/problems/internal-error"}}\n'
    with serving(chunked(MOVE, failed)) as script, Client(script.url) as client:
        lines = client.review("dice", "x", [])
        assert next(lines)["index"] == 0
        with pytest.raises(Problem, match="internal-error"):
            next(lines)


def test_a_batch_waits_for_its_place() -> None:
    waits: list[float] = []
    stream = chunked(LINE, b'{"summary": {"items": 1, "complete": true}}\n')
    with (
        serving(hang_up, answer(503, BUSY, Retry_After="2"), stream) as script,
        client_of(script, waits) as client,
    ):
        assert len(list(client.batch([{"game": "tile"}]))) == 1
    assert len(waits) == 2
    assert waits[1] == 2.0


def test_key_and_address() -> None:
    with serving(GOOD, GOOD) as script:
        with Client(script.url + "/below/", key="secret") as client:
            client.game("tile")
        with Client(script.url) as client:
            client.games()
    (path, headers, _), (plain, without, _) = script.asked
    assert (path, headers["authorization"]) == ("/below/v1/games/tile", "Bearer secret")
    assert (plain, without.get("authorization")) == ("/v1/games", None)


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://x", "http://", ""])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ValueError, match="URL"):
        Client(url)


def test_tagged_answers_are_kept() -> None:
    tagged = answer(200, {"n": 1}, ETag='"a"')
    changed = answer(200, {"n": 2}, ETag='"b"')
    same = answer(304, b"")
    with (
        serving(tagged, same, changed, answer(200, {"n": 3})) as script,
        Client(script.url, cache={}) as client,
    ):
        for expected in (1, 1, 2):
            assert client.score("tile", "x") == {"n": expected}
        assert client.score("tile", "y") == {"n": 3}
    sent = [headers.get("if-none-match") for _, headers, _ in script.asked]
    assert sent == [None, '"a"', '"a"', None]
