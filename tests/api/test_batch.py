"""Batches: every item as in a single call, faults stay with their item, limits come first."""

import io
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_client import check_problem, pointers, without_time
from jsonschema_rs import Draft202012Validator
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api import batch
from shelfie.api.admission import Gate
from shelfie.api.app import create_app
from shelfie.api.batch_items import Item, read_lines
from shelfie.api.examples import request_example
from shelfie.api.operations import OPERATIONS
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

NDJSON = "application/x-ndjson"
CASES = [(game, op) for game in GAMES for op in OPERATIONS]
ASKED = batch.Asked(0.0, "r")
SCORE = {"game": "tile", "op": "score", "request": request_example("tile", "score")}


def post(client: FlaskClient, body: bytes, content_type: str = NDJSON, **headers: str) -> Any:
    return client.post("/v1/batch", data=body, content_type=content_type, headers=headers)


def lines_of(items: list[Any]) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in items)


def answers(response: Any) -> dict[int, bytes]:
    """index -> its line; checks what holds of every batch."""
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.headers["Content-Type"] == NDJSON
    text = response.get_data()
    assert text.endswith(b"\n")
    *lines, last = text.splitlines()
    found = {json.loads(line)["index"]: line for line in lines}
    assert sorted(found) == list(range(len(lines)))
    ok = sum(json.loads(line)["status"] == 200 for line in lines)
    assert json.loads(last) == {
        "summary": {"items": len(lines), "ok": ok, "failed": len(lines) - ok, "complete": True}
    }
    return found


def problem_of(line: bytes, status: int, kind: str) -> dict[str, Any]:
    value = json.loads(line)
    assert value["status"] == value["problem"]["status"] == status
    assert value["problem"]["type"] == f"/problems/{kind}"
    problem: dict[str, Any] = value["problem"]
    return problem


def good_requests() -> list[dict[str, Any]]:
    """Every operation of both games, at every kind of node it takes."""
    items = [{"game": g, "op": op, "request": request_example(g, op)} for g, op in CASES]
    for positions in (CHANCES, OVER):
        items += [
            {"game": game, "op": op, "request": {"position": positions[game]}}
            for game in GAMES
            for op in ("legal-moves", "score", "analysis", "evaluation", "move")
        ]
    return items


BAD_REQUESTS = [
    {"game": "tile", "op": "score", "request": {}},
    {"game": "tile", "op": "score", "request": []},
    {"game": "tile", "op": "score", "request": "nothing"},
    {"game": "dice", "op": "new", "request": {"players": 5, "colour": "red"}},
    {"game": "dice", "op": "apply", "request": {"position": DECISIONS["dice"], "move": "roll"}},
    {"game": "dice", "op": "score", "request": {"position": DECISIONS["tile"]}},
    {"game": "tile", "op": "move", "request": {"position": DECISIONS["tile"], "level": 11}},
    {"game": "tile", "op": "move", "request": {"position": DECISIONS["tile"], "allow": []}},
    {
        "game": "tile",
        "op": "analysis",
        "request": {"position": DECISIONS["tile"], "limits": {"playouts": 2_000_000}},
    },
]


@pytest.mark.parametrize("array", [False, True], ids=["ndjson", "array"])
def test_an_item_equals_the_single_call(client: FlaskClient, array: bool) -> None:
    """Byte for byte, `time_ms` aside; in any order, in any company, good or bad."""
    items = good_requests() + BAD_REQUESTS
    for order in (items, items[::-1]):
        body = json.dumps(order).encode() if array else lines_of(order)
        kind = "application/json" if array else NDJSON
        found = answers(post(client, body, kind, **{"X-Request-Id": "same"}))
        for index, item in enumerate(order):
            path = f"/v1/games/{item['game']}/{item['op']}"
            headers = {"X-Request-Id": "same", "Accept": "application/json"}
            single = client.post(path, json=item["request"], headers=headers)
            name = b"body" if single.status_code == 200 else b"problem"
            expected = b'{"index":%d,"status":%d,"%s":%s}' % (
                index,
                single.status_code,
                name,
                single.data,
            )
            assert without_time(found[index]) == without_time(expected), item


def test_ids_come_back(client: FlaskClient) -> None:
    found = answers(post(client, lines_of([
        {"id": "é\n", **SCORE}, SCORE, {"id": None, **SCORE}, {"id": "bad", "op": "score"},
        {"id": "", **SCORE}, {"id": 7, **SCORE}, {"id": "x" * 201, **SCORE},
    ])))  # fmt: skip
    values = [json.loads(found[index]) for index in range(7)]
    assert [value.get("id") for value in values] == ["é\n", None, None, "bad", None, None, None]
    assert ["id" in value for value in values] == [True, False, False, True, False, False, False]
    assert [value["status"] for value in values] == [200, 200, 200, 422, 422, 422, 422]


@pytest.mark.parametrize(
    ("line", "status", "kind", "places"),
    [
        (b"{", 400, "malformed-json", [""]),
        (b"nul", 400, "malformed-json", [""]),
        (b'{"id": NaN}', 400, "malformed-json", [""]),
        (b'{"id": "\xff"}', 400, "malformed-json", [""]),
        (b'{"id": "a", "id": "b"}', 400, "malformed-json", [""]),
        (b"[" * 5000 + b"]" * 5000, 400, "malformed-json", [""]),
        (b"{} {}", 400, "malformed-json", [""]),
        (b"[]", 422, "invalid-request", [""]),
        (b"null", 422, "invalid-request", [""]),
        (b"{}", 422, "invalid-request", ["/game", "/op", "/request"]),
        (b'{"game": "go", "op": "win", "request": 1}', 422, "invalid-request", ["/game", "/op"]),
        (b'{"game": "tile", "op": "score", "request": {}, "more": 1}', 422, "invalid-request",
         ["/more"]),
        (b'{"game": ["tile"], "op": {}, "request": {}}', 422, "invalid-request",
         ["/game", "/op"]),
        (b'{"game": "tile", "op": "score", "request": null}', 422, "invalid-request",
         ["/request"]),
        (b'{"game": "tile", "op": "batch", "request": {}}', 422, "invalid-request", ["/op"]),
    ],
)  # fmt: skip
def test_a_broken_line_costs_only_itself(
    client: FlaskClient, line: bytes, status: int, kind: str, places: list[str]
) -> None:
    good = json.dumps(SCORE).encode()
    response = post(client, b"\n".join([good, line, good]), **{"X-Request-Id": "whole"})
    found = answers(response)
    assert len(found) == 3
    assert json.loads(found[0])["body"] == json.loads(found[2])["body"]
    problem = problem_of(found[1], status, kind)
    assert pointers(problem) == places
    assert problem["request_id"] == "whole"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n \t\n"])
def test_line_ends_and_empty_lines(client: FlaskClient, end: bytes) -> None:
    good = json.dumps(SCORE).encode()
    assert len(answers(post(client, end + good + end + good + end))) == 2
    assert len(answers(post(client, good + end + good))) == 2


@pytest.mark.parametrize(("body", "kind"), [(b"", NDJSON), (b"\n", NDJSON),
                                            (b"[]", "application/json")])  # fmt: skip
def test_a_batch_of_nothing(client: FlaskClient, body: bytes, kind: str) -> None:
    assert answers(post(client, body, kind)) == {}


def test_a_bad_array_is_refused_as_a_whole(client: FlaskClient) -> None:
    check_problem(post(client, b"[{}", "application/json"), 400, "malformed-json")
    check_problem(post(client, b"{}", "application/json"), 422, "invalid-request")


def test_plain_http(client: FlaskClient) -> None:
    check_problem(client.get("/v1/batch"), 405)
    refused = post(client, b"", "text/plain")
    check_problem(refused, 415)
    assert refused.headers["Accept-Post"] == "application/x-ndjson, application/json"
    check_problem(post(client, b"", Accept="text/html"), 406)
    for accept in (NDJSON, "*/*", "application/*"):
        response = post(client, lines_of([SCORE]), Accept=accept, **{"Accept-Encoding": "gzip"})
        assert len(answers(response)) == 1
        assert response.headers["X-Accel-Buffering"] == "no"
        assert response.headers["Cache-Control"] == "no-store, no-transform"
        assert "Content-Encoding" not in response.headers
        assert "Content-Length" not in response.headers


@pytest.fixture(scope="module")
def small() -> FlaskClient:
    """A service with small limits."""
    settings = Settings(
        max_batch_items=3,
        max_batch_line_bytes=1000,
        max_batch_body_bytes=5000,
        max_batch_playouts=2500,
        max_batch_time_ms=900,
    )
    return create_app(settings).test_client()


def asks(game: str, **values: Any) -> dict[str, Any]:
    request = {"position": DECISIONS[game], **values}
    return {"game": game, "op": "evaluation", "request": request}


def single_fault(response: Any) -> dict[str, Any]:
    (fault,) = check_problem(response, 422, "limit-exceeded")["errors"]
    assert fault["code"] == "limit-exceeded"
    return dict(fault)


def test_too_many_items(small: FlaskClient) -> None:
    assert len(answers(post(small, lines_of([SCORE] * 3)))) == 3
    for body, kind in ((b"{\n" * 4, NDJSON), (b"[1, 2, 3, 4]", "application/json")):
        fault = single_fault(post(small, body, kind))
        assert (fault["pointer"], fault["maximum"]) == ("", 3)
        assert "4 items" in fault["detail"]


def test_too_long_lines(small: FlaskClient) -> None:
    line = json.dumps(SCORE).encode()
    assert len(answers(post(small, line.ljust(1000)))) == 1
    response = post(small, b"\n".join([line.ljust(1001), line, b"{".ljust(1002)]))
    problem = check_problem(response, 422, "limit-exceeded")
    assert pointers(problem) == ["/0", "/2"]
    assert [fault["maximum"] for fault in problem["errors"]] == [1000, 1000]
    assert "1002 bytes" in problem["errors"][1]["detail"]
    array = json.dumps([{"id": "x" * 1000}, 1]).encode()
    assert single_fault(post(small, array, "application/json"))["pointer"] == "/0"


def test_too_large_a_body(small: FlaskClient, client: FlaskClient) -> None:
    assert answers(post(small, b" " * 5000)) == {}
    refused = check_problem(post(small, b" " * 5001), 413, "request-too-large")
    assert refused["maximum"] == 5000
    assert answers(post(client, b" " * 8 * 1024 * 1024)) == {}
    refused = check_problem(post(client, b" " * (8 * 1024 * 1024 + 1)), 413, "request-too-large")
    assert refused["maximum"] == 8 * 1024 * 1024


@pytest.mark.parametrize(("size", "status"), [(5000, 200), (5001, 413), (9000, 413)])
def test_the_limit_holds_without_a_content_length(
    small: FlaskClient, size: int, status: int
) -> None:
    answer = small.post(
        "/v1/batch",
        content_type=NDJSON,
        input_stream=io.BytesIO(b" " * size),
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("items", "asked"),
    [
        ([asks("tile", limits={"playouts": 1250})] * 2, 0),
        ([asks("tile", limits={"playouts": 1250}), asks("tile", limits={"playouts": 1251})], 2501),
        ([asks("tile"), asks("tile", limits={"standard_error": 0.5})], 4000),
        ([asks("tile", level=1, limits={"playouts": 2600})] * 3, 0),
        ([asks("tile", level=10)] * 2, 4000),
        ([asks("tile", limits={"playouts": 2500}), asks("dice"), SCORE], 0),
        ([asks("tile", limits={"playouts": 2_000_000})], 0),
    ],
)
def test_total_playouts(small: FlaskClient, items: list[Any], asked: int) -> None:
    """What an item may take at most counts; levels take less, a refused item takes nothing."""
    response = post(small, lines_of(items))
    if not asked:
        assert len(answers(response)) == len(items)
        return
    fault = single_fault(response)
    assert (fault["pointer"], fault["maximum"]) == ("", 2500)
    assert f"{asked} playouts" in fault["detail"]


@pytest.mark.parametrize(
    ("items", "asked"),
    [
        ([asks("tile", limits={"time_ms": 500}), asks("dice", limits={"time_ms": 401})], 901),
        ([asks("tile", limits={"time_ms": 30_000, "playouts": 20})] * 2, 0),
        ([asks("dice", limits={"time_ms": 30_000, "depth": 1})] * 2, 0),
        ([asks("dice", limits={"time_ms": 30_000}, level=3)] * 2, 0),
        ([asks("tile", limits={"time_ms": 30_000}, deadline_ms=40)] * 2, 0),
    ],
)
def test_total_time(small: FlaskClient, items: list[Any], asked: int) -> None:
    """Time counts where nothing else ends the search."""
    response = post(small, lines_of(items))
    if not asked:
        assert len(answers(response)) == len(items)
        return
    fault = single_fault(response)
    assert (fault["pointer"], fault["maximum"]) == ("", 900)
    assert f"{asked} milliseconds" in fault["detail"]


def test_a_deadline_long_past_still_gives_a_move(client: FlaskClient) -> None:
    items = [{**asks(game, deadline_ms=1), "op": "move"} for game in GAMES] * 4
    for line in answers(post(client, lines_of(items))).values():
        value = json.loads(line)
        assert value["status"] == 200
        assert value["body"]["chosen"]["move"]


def test_the_limits_in_force_are_told(small: FlaskClient, client: FlaskClient) -> None:
    limits = small.get("/v1/games/dice").get_json()["limits"]
    assert limits["body"] == {"bytes": 262_144}
    assert limits["batch"] == {
        "items": 3, "line_bytes": 1000, "bytes": 5000, "playouts": 2500, "time_ms": 900,
    }  # fmt: skip
    assert client.get("/v1/games/dice").get_json()["limits"]["batch"]["items"] == 1000


def read(*items: Any) -> list[Item]:
    return read_lines(lines_of(list(items)), Settings())


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Holds every item with the id "slow" back until the event is set."""
    gate = threading.Event()
    body_of = batch.body_of

    def waiting(item: Item, *more: Any) -> dict[str, Any]:
        if item.id == "slow":
            assert gate.wait(60)
        return body_of(item, *more)

    monkeypatch.setattr(batch, "body_of", waiting)
    yield gate
    gate.set()


def test_answers_come_as_they_finish(held: threading.Event) -> None:
    items = read({"id": "slow", **SCORE}, *[SCORE] * 4)
    lines = batch.answer_lines(items, ASKED, Gate(Settings(slots=2)))
    early = [next(lines).item.index for _ in range(4)]
    assert early == [1, 2, 3, 4]
    held.set()
    assert next(lines).item.index == 0
    assert list(lines) == []


def test_a_reader_who_leaves_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is begun beyond what the threads had when the last line was taken."""
    begun = []

    def counting(item: Item, *_: Any) -> dict[str, Any]:
        begun.append(item.index)
        return {}

    monkeypatch.setattr(batch, "body_of", counting)
    lines = batch.answer_lines(read(*[SCORE] * 50), ASKED, Gate(Settings(slots=2)))
    next(lines)
    assert isinstance(lines, Iterator)
    lines.close()  # type: ignore[attr-defined]
    for thread in threading.enumerate():
        if thread.name == "batch":
            thread.join(60)
    assert len(begun) <= 2 * batch.Batch.AHEAD


def test_a_failure_is_told_without_its_cause(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(item: Item, *_: Any) -> dict[str, Any]:
        raise RuntimeError("secret")

    monkeypatch.setattr(batch, "body_of", fail)
    response = post(client, lines_of([{"id": "a", **SCORE}]), **{"X-Request-Id": "r1"})
    line = answers(response)[0]
    assert problem_of(line, 500, "internal-error")["request_id"] == "r1"
    assert json.loads(line)["id"] == "a"
    assert b"secret" not in response.data
    assert "secret" in caplog.text


def test_batches_at_once_do_not_mix(client: FlaskClient) -> None:
    def ask(number: int) -> list[str]:
        items = [{"id": f"{number}-{index}", **SCORE} for index in range(20)]
        found = answers(post(client.application.test_client(), lines_of(items)))
        return [json.loads(found[index])["id"] for index in range(20)]

    with ThreadPoolExecutor(4) as threads:
        for number, ids in enumerate(threads.map(ask, range(4))):
            assert ids == [f"{number}-{index}" for index in range(20)]


def test_lines_fit_the_document(client: FlaskClient) -> None:
    spec = client.get("/openapi.json").get_json()
    operation = spec["paths"]["/v1/batch"]["post"]
    line = operation["responses"]["200"]["content"][NDJSON]["schema"]
    check = Draft202012Validator({**line, "components": spec["components"]})
    given = operation["requestBody"]["content"]["application/json"]
    items = Draft202012Validator({**given["schema"], "components": spec["components"]})
    items.validate(given["example"])
    body = json.dumps([*given["example"], {}, {"op": 1}]).encode()
    response = post(client, body, "application/json")
    assert len(answers(response)) == 4
    for text in response.data.splitlines():
        check.validate(json.loads(text))
