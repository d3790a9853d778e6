"""Analyses told line by line: each partial one is the answer of a shorter search."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_client import check_problem, pointers, without_time
from jsonschema_rs import Draft202012Validator
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api import partial_answers
from shelfie.api.app import create_app
from shelfie.api.partial_answers import analysis_lines
from shelfie.api.schemas import load
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

NDJSON = "application/x-ndjson"
LONG: dict[str, dict[str, Any]] = {"tile": {"playouts": 1100}, "dice": {"depth": 2}}


def post(client: FlaskClient, game: str, request: Any, accept: str) -> Any:
    return client.post(f"/v1/games/{game}/analysis", json=request, headers={"Accept": accept})


def lines_of(answer: Any) -> list[bytes]:
    assert answer.status_code == 200, answer.get_data(as_text=True)
    assert answer.headers["Content-Type"] == NDJSON
    found: list[bytes] = answer.get_data().splitlines()
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("more", [{}, {"level": 10}, {"objective": "score", "top": 3, "id": "a"}])
def test_the_last_line_is_the_plain_answer(
    client: FlaskClient, game: str, more: dict[str, Any]
) -> None:
    request = {"position": DECISIONS[game], "limits": LONG[game], **more}
    *_, last = lines_of(post(client, game, request, NDJSON))
    plain = post(client, game, request, "application/json")
    assert plain.headers["Content-Type"] == "application/json"
    assert without_time(last) == without_time(plain.data)
    assert post(client, game, request, "*/*").headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("game", "limit", "values"), [("tile", "playouts", [256, 512, 1024]), ("dice", "depth", [1])]
)
def test_a_partial_answer_is_that_of_a_shorter_search(
    client: FlaskClient, game: str, limit: str, values: list[int]
) -> None:
    request = {"position": DECISIONS[game], "limits": LONG[game], "seed": "s"}
    *partials, _ = lines_of(post(client, game, request, NDJSON))
    assert len(partials) == len(values)
    for line, value in zip(partials, values, strict=True):
        shorter = {**request, "limits": {limit: value}, "include": ["pv", "distribution"]}
        expected = json.loads(without_time(post(client, game, shorter, "*/*").data))
        told = json.loads(without_time(line))["partial"]
        assert [move.pop("reasons") for move in told["moves"]] == [[]] * len(told["moves"])
        assert told == expected
        assert told["search"][limit] == value


@pytest.mark.parametrize("game", GAMES)
def test_lines_are_as_described(client: FlaskClient, game: str) -> None:
    spec = client.get("/openapi.json").get_json()
    content = spec["paths"][f"/v1/games/{game}/analysis"]["post"]["responses"]["200"]["content"]
    assert set(content) == {"application/json", NDJSON}
    check = Draft202012Validator({**content[NDJSON]["schema"], "components": spec["components"]})
    request = {"position": DECISIONS[game], "limits": LONG[game]}
    for line in lines_of(post(client, game, request, NDJSON)):
        check.validate(json.loads(line))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("positions", [CHANCES, OVER], ids=["chance", "over"])
def test_what_takes_no_search_has_one_line(
    client: FlaskClient, game: str, positions: dict[str, str]
) -> None:
    (line,) = lines_of(post(client, game, {"position": positions[game]}, NDJSON))
    assert json.loads(line)["status"] in ("chance", "finished")


def test_by_the_clock(client: FlaskClient) -> None:
    request = {"position": DECISIONS["tile"], "limits": {"time_ms": 300}}
    *partials, last = map(json.loads, lines_of(post(client, "tile", request, NDJSON)))
    counts = [line["partial"]["search"]["playouts"] for line in partials]
    assert counts == [256 * 2**number for number in range(len(counts))]
    assert last["search"]["stopped_by"] == "time"


def test_faults_found_before_the_search_are_problems(client: FlaskClient) -> None:
    position = {"position": DECISIONS["tile"]}
    for request, kind, place in (
        ({}, "invalid-request", "/position"),
        ({**position, "avoid": ["nonsense"]}, "illegal-move", "/avoid/0"),
        ({**position, "allow": []}, "no-move-left-by-filters", "/allow"),
        ({**position, "limits": {"playouts": 2_000_000}}, "limit-exceeded", "/limits/playouts"),
    ):
        body = check_problem(post(client, "tile", request, NDJSON), 422, kind)
        assert pointers(body) == [place]


def test_a_reader_who_leaves_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = []
    searched = partial_answers.searched

    def watched(*arguments: Any) -> Any:
        try:
            return searched(*arguments)
        except BaseException as error:
            ends.append(type(error))
            raise

    monkeypatch.setattr(partial_answers, "searched", watched)
    request = {"position": DECISIONS["tile"], "limits": {"playouts": 1_000_000}}
    lines = analysis_lines("tile", load("tile", "analysis", request), 0.0)
    assert "partial" in next(lines)
    lines.close()  # type: ignore[attr-defined]
    partial_answers.pool().shutdown(wait=True)
    partial_answers.pool.cache_clear()
    assert ends == [partial_answers.GivenUp]


def test_the_search_takes_a_slot() -> None:
    app = create_app(Settings(slots=1, queue=0))
    gate, client = app.extensions["shelfie"].gate, app.test_client()
    request = {"position": DECISIONS["tile"], "limits": {"playouts": 600}}
    with gate.search(None):
        refused = post(client, "tile", request, NDJSON)
        check_problem(refused, 503, "temporary-reduced-capacity")
        assert int(refused.headers["Retry-After"]) >= 1
    assert len(lines_of(post(client, "tile", request, NDJSON))) == 3
    assert not gate.seats.taken(range(len(gate.seats.since)))
