"""Reviews: one line a move, the same over HTTP, in a batch and from the command line."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_client import check_problem, pointers, without_time
from jsonschema_rs import Draft202012Validator
from sample_positions import CHANCES, DECISIONS

from shelfie.api import review as review_operation
from shelfie.api import streams
from shelfie.api.app import create_app
from shelfie.api.cli import main
from shelfie.api.examples import request_example
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

NDJSON = "application/x-ndjson"
JSON = "application/json"


def post(client: FlaskClient, game: str, request: Any, accept: str = NDJSON) -> Any:
    return client.post(f"/v1/games/{game}/review", json=request, headers={"Accept": accept})


def lines_of(answer: Any) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.get_data(as_text=True)
    assert answer.headers["Content-Type"] == NDJSON
    assert answer.get_data().endswith(b"\n")
    return [json.loads(line) for line in answer.get_data().splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_a_line_a_move_and_the_summary(client: FlaskClient, game: str) -> None:
    request = {**request_example(game, "review"), "id": "g1"}
    *moves, last = lines_of(post(client, game, request))
    assert [line["index"] for line in moves] == list(range(len(request["moves"])))
    judged = [line for line in moves if line["node"] == "decision"]
    assert last["id"] == "g1"
    assert last["summary"]["moves"] == len(moves)
    assert last["summary"]["judged"] == len(judged)
    assert last["summary"]["complete"] is True
    for seat, grades in enumerate(last["summary"]["grades"]):
        own = [line for line in judged if line["seat"] == seat]
        assert sum(grades.values()) == len(own)
        losses = [line["loss"] for line in own if line["grade"] != "forced"]
        mean = last["summary"]["mean_loss"][seat]
        assert mean == (pytest.approx(sum(losses) / len(losses)) if losses else None)
        assert (last["summary"]["accuracy"][seat] is None) is (not losses)
    assert last["search"]["playouts"] == sum(line["search"]["playouts"] for line in judged)


@pytest.mark.parametrize("game", GAMES)
def test_lines_are_as_described(client: FlaskClient, game: str) -> None:
    spec = client.get("/openapi.json").get_json()
    content = spec["paths"][f"/v1/games/{game}/review"]["post"]["responses"]["200"]["content"]
    assert set(content) == {JSON, NDJSON}
    schema = {**content[NDJSON]["schema"], "components": spec["components"]}
    for line in lines_of(post(client, game, request_example(game, "review"))):
        Draft202012Validator(schema).validate(line)


@pytest.mark.parametrize("game", GAMES)
def test_a_line_agrees_with_the_analysis_of_its_position(client: FlaskClient, game: str) -> None:
    request = request_example(game, "review")
    position: Any = request["position"]
    for line, move in zip(lines_of(post(client, game, request)), request["moves"], strict=False):
        asked = {"position": position, **({"limits": request["limits"]} if game == "tile" else {})}
        found = client.post(f"/v1/games/{game}/analysis", json=asked).get_json()
        assert line["position_hash"] == found["position_hash"]
        assert line["seat"] == found["to_move"]
        if line["node"] == "decision":
            (own,) = [entry for entry in found["moves"] if entry["move"] == line["move"]]
            assert (line["rank"], line["moves_total"]) == (own["rank"], found["moves_total"])
            assert line["best"] == found["chosen"]["move"]
            assert line["search"]["seed"] == found["search"]["seed"]
        play = move if isinstance(move, dict) else {"move": move}
        after = client.post(f"/v1/games/{game}/apply", json={"position": position, **play})
        position = after.get_json()["notation"]


@pytest.mark.parametrize("game", GAMES)
def test_every_form_is_the_same_answer(
    client: FlaskClient, capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    """NDJSON, JSON, batch and command line, byte for byte, `time_ms` aside."""
    request = request_example(game, "review")
    streamed = post(client, game, request).data
    assert without_time(post(client, game, request, "*/*").data) == without_time(streamed)
    whole = post(client, game, request, JSON)
    values = json.loads(without_time(whole.data))
    *moves, last = (json.loads(line) for line in without_time(streamed).splitlines())
    assert values.pop("moves") == moves
    assert values == last
    item = {"game": game, "op": "review", "request": request}
    batched = client.post("/v1/batch", json=[item]).data.splitlines()[0]
    expected = b'{"index":0,"status":200,"body":' + whole.data + b"}"
    assert without_time(batched) == without_time(expected)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(request), encoding="utf-8")
    assert main(["review", game, str(file), "--json"]) == 0
    assert without_time(capsys.readouterr().out.encode()) == without_time(streamed)


@pytest.mark.parametrize("game", GAMES)
def test_the_command_for_people(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    text = json.dumps(request_example(game, "review"))
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    options = ["--playouts", "20", "--objective", "score", "--seats", "0", "1"]
    if game == "dice":
        options[:2] = ["--depth", "1"]
    assert main(["review", game, "-", *options]) == 0
    out = capsys.readouterr().out
    assert "moves judged" in out
    assert "rank " in out


def test_headers(client: FlaskClient) -> None:
    request = request_example("dice", "review")
    answer = post(client, "dice", request)
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["Cache-Control"] == "no-store, no-transform"
    assert "Content-Length" not in answer.headers
    for told in (answer, post(client, "dice", request, JSON)):
        assert "accept" in told.vary.as_set()
    check_problem(post(client, "dice", request, "text/html"), 406)


def test_seats(client: FlaskClient) -> None:
    request = {**request_example("tile", "review"), "seats": [0]}
    *moves, last = lines_of(post(client, "tile", request))
    assert [(line["index"], line["seat"]) for line in moves] == [(1, 0)]
    assert last["summary"]["mean_loss"][1] is None
    body = check_problem(post(client, "tile", {**request, "seats": [0, 3]}), 422, "invalid-request")
    assert pointers(body) == ["/seats/1"]


def test_an_empty_record(client: FlaskClient) -> None:
    (last,) = lines_of(post(client, "tile", {"position": DECISIONS["tile"], "moves": []}))
    assert last["summary"]["moves"] == 0


@pytest.mark.parametrize(
    ("game", "moves", "kind", "places"),
    [
        ("dice", ["roll"], "illegal-move", ["/moves/0"]),
        ("dice", [{"move": "roll"}], "illegal-move", ["/moves/0/outcome"]),
        ("dice", [{"move": "roll", "outcome": "PPBBCX"}], "illegal-move", ["/moves/0/outcome"]),
        ("dice", [{"move": "roll", "outcome": "PPBBCJ"}, {"move": "x"}, "y"], "illegal-move",
         ["/moves/1/move"]),
        ("dice", [{"move": "roll", "outcome": "PPBBCJ"}, "keep:T"], "illegal-move", ["/moves/1"]),
        ("tile", [{"move": "refill", "outcome": "CCC"}], "invalid-request", ["/moves/0/outcome"]),
        ("tile", [5, "", {"outcome": 1}, {"move": 1, "more": 2}, None, []], "invalid-request",
         ["/moves/0", "/moves/2/move", "/moves/2/outcome", "/moves/3/more", "/moves/3/move",
          "/moves/4", "/moves/5"]),
        ("tile", "refill", "invalid-request", ["/moves"]),
        ("tile", ["x"] * 1001, "invalid-request", ["/moves"]),
    ],
)  # fmt: skip
def test_faults_of_a_record(
    client: FlaskClient, game: str, moves: Any, kind: str, places: list[str]
) -> None:
    answer = post(client, game, {"position": CHANCES[game], "moves": moves})
    body = check_problem(answer, 422, kind)
    assert pointers(body) == places
    if kind == "illegal-move" and places[0].endswith("/move"):
        assert "mark:P2" in body["errors"][0]["allowed"]


def test_all_faults_at_once(client: FlaskClient) -> None:
    request = {"position": 5, "moves": [1], "seats": [4], "limits": {"depth": 1}, "level": 3}
    body = check_problem(post(client, "tile", request), 422, "invalid-request")
    assert pointers(body) == ["/level", "/limits/depth", "/moves/0", "/position", "/seats/0"]


def test_the_work_is_checked_first(client: FlaskClient) -> None:
    small = create_app(Settings(max_batch_playouts=1200, max_batch_time_ms=100)).test_client()
    request = request_example("tile", "review")  # three moves of 200 playouts, each once or twice
    assert post(small, "tile", request).status_code == 200
    over = {**request, "limits": {"playouts": 201}}
    for accept in (NDJSON, JSON):
        (fault,) = check_problem(post(small, "tile", over, accept), 422, "limit-exceeded")["errors"]
        assert (fault["pointer"], fault["maximum"]) == ("", 1200)
        assert fault["detail"].startswith("The review asks for 1206 playouts;")
    timed = {**request, "limits": {"time_ms": 17}}
    check_problem(post(small, "tile", timed), 422, "limit-exceeded")
    item = {"game": "tile", "op": "review", "request": over}
    check_problem(small.post("/v1/batch", json=[item]), 422, "limit-exceeded")


def test_a_failure_on_the_way_is_the_last_line(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    judged = review_operation.judged

    def fail(step: Any, *rest: Any) -> Any:
        if step.index == 1:
            raise RuntimeError("a secret")
        return judged(step, *rest)

    monkeypatch.setattr(review_operation, "judged", fail)
    answer = post(client, "tile", request_example("tile", "review"))
    first, last = lines_of(answer)
    assert first["index"] == 0
    assert last["problem"]["status"] == 500
    assert last["problem"]["request_id"] == answer.headers["X-Request-Id"]
    assert "secret" not in answer.get_data(as_text=True)
    assert "a secret" in caplog.text


def test_a_reader_who_leaves_ends_the_work() -> None:
    ended = []

    def endless() -> Any:
        try:
            while True:
                yield {}
        finally:
            ended.append(True)

    lines = endless()
    found = streams.texts(next(lines), lines, "id")
    assert next(found) == next(found) == b"{}\n"
    assert not ended
    found.close()  # type: ignore[attr-defined]
    assert ended


def test_a_review_takes_a_batch_s_place_and_gives_everything_back() -> None:
    app = create_app(Settings(slots=1, queue=0, batches=1))
    gate, client = app.extensions["shelfie"].gate, app.test_client()
    request = request_example("tile", "review")
    for accept in (NDJSON, JSON):
        leave = gate.enter_batch()
        check_problem(post(client, "tile", request, accept), 503, "temporary-reduced-capacity")
        leave()
        with gate.search(None):  # a call's slot is none of its business
            assert post(client, "tile", request, accept).status_code == 200
    answer = post(client, "tile", request)
    next(iter(answer.response))
    answer.close()
    assert not gate.seats.taken(range(len(gate.seats.since)))


def test_a_review_counts_as_many_calls_as_it_judges_moves() -> None:
    small = create_app(Settings(quota=5)).test_client()
    request = request_example("tile", "review")  # three moves
    assert post(small, "tile", request).status_code == 200
    refused = post(small, "tile", request)
    check_problem(refused, 429, "quota-exceeded")
    assert int(refused.headers["Retry-After"]) >= 1
    small = create_app(Settings(quota=5)).test_client()
    item = {"game": "tile", "op": "review", "request": request}
    assert small.post("/v1/batch", json=[item]).status_code == 200
    check_problem(small.post("/v1/batch", json=[item]), 429, "quota-exceeded")
