"""Every error is problem details in one shape, and every kind can be met."""

import io
import json
from typing import Any

import pytest
import vectors
from flask.testing import FlaskClient
from http_client import check_problem, pointers
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api.app import create_app
from shelfie.api.operations import OPERATIONS
from shelfie.api.problems import PROBLEMS
from shelfie.api.settings import Settings

ROUTES = [f"/v1/games/{game}/{name}" for game in ("tile", "dice") for name in OPERATIONS]
NO_TOKEN = OVER["tile"].removesuffix(" 0") + " -"  # a full shelf, and nobody has the end token
GETS = ["/v1/games", "/v1/games/tile", "/v1/games/dice", "/v1/version", "/livez", "/readyz"]


def post(client: FlaskClient, path: str, text: str | bytes, **headers: str) -> Any:
    return client.post(path, data=text, headers={"Content-Type": "application/json", **headers})


@pytest.mark.parametrize("path", ROUTES)
def test_every_operation_refuses_in_the_same_shape(client: FlaskClient, path: str) -> None:
    check_problem(post(client, path, "{"), 400, "malformed-json")
    check_problem(client.get(path), 405)
    check_problem(client.put(path, json={}), 405)
    check_problem(client.post(path), 415)
    check_problem(client.post(path, data="{}", content_type="text/plain"), 415)
    check_problem(post(client, path, "{}", Accept="text/html"), 406)
    check_problem(post(client, path, b" " * 300_000), 413, "request-too-large")
    check_problem(post(client, path, "{}"), 422, "invalid-request")
    check_problem(post(client, path, "[]"), 422, "invalid-request")
    check_problem(client.post(path + "/"), 404)


@pytest.mark.parametrize("path", GETS)
def test_every_get_refuses_in_the_same_shape(client: FlaskClient, path: str) -> None:
    body = check_problem(client.post(path, json={}), 405)
    assert "errors" not in body
    check_problem(client.get(path, headers={"Accept": "text/html"}), 406)
    check_problem(client.get(path + "/"), 404)
    # As a server passes it on: the client would take what follows two slashes for a host.
    check_problem(client.get(path, environ_overrides={"PATH_INFO": "/" + path}), 404)


@pytest.mark.parametrize(
    "path", ["/nothing", "/v1/games/chess", "/v1/games/chess/analysis", "/v2/games", "/problems/x"]
)
def test_unknown_addresses(client: FlaskClient, path: str) -> None:
    check_problem(client.get(path), 404)


def test_405_names_the_methods(client: FlaskClient) -> None:
    assert client.get("/v1/games/tile/new").headers["Allow"] == "OPTIONS, POST"
    head = client.head("/v1/games/tile/new")
    assert (head.status_code, head.headers["Allow"], head.data) == (405, "OPTIONS, POST", b"")
    assert client.delete("/v1/games").headers["Allow"] == "GET, HEAD, OPTIONS"


def test_415_names_the_media_type(client: FlaskClient) -> None:
    assert client.post("/v1/games/tile/new").headers["Accept-Post"] == "application/json"


@pytest.mark.parametrize(("size", "status"), [(262_144, 422), (262_145, 413), (262_146, 413)])
def test_the_limit_is_exact(client: FlaskClient, size: int, status: int) -> None:
    for chunked in (False, True):
        body = b"{}".ljust(size)
        answer = client.post(
            "/v1/games/tile/new",
            content_type="application/json",
            environ_overrides={"wsgi.input_terminated": True},
            **({"input_stream": io.BytesIO(body)} if chunked else {"data": body}),
        )
        assert answer.status_code == status


def test_413_tells_the_limit(client: FlaskClient) -> None:
    answer = post(client, "/v1/games/tile/new", b" " * 300_000)
    assert check_problem(answer, 413, "request-too-large")["maximum"] == 262_144


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("*/*", 200),
        ("application/json", 200),
        ("application/*;q=0.5, text/html", 200),
        ("text/html, application/xml", 406),
        ("application/json;q=0, */*", 406),
        ("application/problem+json", 406),
    ],
)
def test_accept(client: FlaskClient, accept: str, status: int) -> None:
    assert client.get("/v1/games", headers={"Accept": accept}).status_code == status


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"{} {}",
        b"nul",
        b'{"players": NaN}',
        b'{"players": Infinity}',
        b'{"players": -Infinity}',
        b'{"players": 1e400}',
        b'{"players": 9223372036854775809}',
        b'{"players": ' + b"9" * 5000 + b"}",
        b'{"players": 2, "players": 3}',
        b'{"rules": {"refill": "keep", "refill": "keep"}}',
        b"[" * 5000 + b"]" * 5000,
        b'{"a": ' * 40 + b"1" + b"}" * 40,
        b'{"seed": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf{}",
        b'{"seed": "\\ud800"}',
        b"{'players': 2}",
    ],
)
def test_malformed_json(client: FlaskClient, text: bytes) -> None:
    answer = post(client, "/v1/games/tile/new", text)
    assert pointers(check_problem(answer, 400, "malformed-json")) == [""]


def test_a_surrogate_pair_is_a_character(client: FlaskClient) -> None:
    answer = post(client, "/v1/games/tile/new", '{"players": 2, "seed": "\\ud83c\\udfb2"}')
    assert answer.get_json()["seed"] == "🎲"


def test_all_faults_of_a_request_at_once(client: FlaskClient) -> None:
    request = {
        "position": {"players": 2, "to_move": 0, "board": 3},
        "level": "strong",
        "objective": 1,
        "limits": {"depth": 1, "playouts": 0, "standard_error": True},
        "top": -1,
        "avoid": ["34>0", 5],
        "extra/field": 1,
    }
    body = check_problem(
        client.post("/v1/games/tile/analysis", json=request), 422, "invalid-request"
    )
    assert set(pointers(body)) >= {
        "/position/board",
        "/position/shelves",
        "/level",
        "/objective",
        "/limits/depth",
        "/limits/playouts",
        "/limits/standard_error",
        "/top",
        "/avoid/1",
        "/extra~1field",
    }


@pytest.mark.parametrize("value", ["2", 2.5, True, None, [], {}])
def test_nothing_is_converted(client: FlaskClient, value: Any) -> None:
    answer = client.post("/v1/games/tile/new", json={"players": value})
    assert pointers(check_problem(answer, 422, "invalid-request")) == ["/players"]


def test_a_whole_float_is_a_whole_number(client: FlaskClient) -> None:
    assert post(client, "/v1/games/tile/new", '{"players": 2.0}').status_code == 200


def test_illegal_position_as_object_and_as_notation(client: FlaskClient) -> None:
    """Both forms tell the same faults; in a notation the place stands in `field`."""
    answer = client.post("/v1/games/tile/legal-moves", json={"position": OVER["tile"]})
    broken = {**answer.get_json()["position"], "end_token": None}
    as_object = client.post("/v1/games/tile/score", json={"position": broken})
    body = check_problem(as_object, 422, "illegal-position")
    assert "/position/end_token" in pointers(body)
    notation = NO_TOKEN
    as_text = client.post("/v1/games/tile/score", json={"position": notation})
    told = check_problem(as_text, 422, "illegal-position")["errors"]
    assert {f["pointer"] for f in told} == {"/position"}
    assert ["/position" + f["field"] for f in told] == pointers(body)
    assert [f["code"] for f in told] == [f["code"] for f in body["errors"]]


def test_schema_faults_and_position_faults_come_together(client: FlaskClient) -> None:
    request = {"position": NO_TOKEN, "surprise": 1}
    body = check_problem(client.post("/v1/games/tile/score", json=request), 422, "invalid-request")
    assert set(pointers(body)) == {"/position", "/surprise"}


@pytest.mark.parametrize("game", ["tile", "dice"])
def test_faults_of_every_refused_position(client: FlaskClient, game: str) -> None:
    """The conformance vectors: all faults of a position, each with its pointer."""
    for case in vectors.load(f"{game}_invalid"):
        answer = client.post(f"/v1/games/{game}/score", json={"position": case["position"]})
        kind = answer.get_json()["type"].rpartition("/")[2]
        assert kind in ("invalid-request", "illegal-position")
        body = check_problem(answer, 422, kind)
        assert set(pointers(body)) == {f"/position{p}" for p in case["pointers"]}, case["note"]


@pytest.mark.parametrize("game", ["tile", "dice"])
def test_illegal_move_tells_the_legal_ones(client: FlaskClient, game: str) -> None:
    position = {"position": DECISIONS[game]}
    legal = client.post(f"/v1/games/{game}/legal-moves", json=position).get_json()["moves"]
    answer = client.post(f"/v1/games/{game}/apply", json={**position, "move": "nonsense"})
    body = check_problem(answer, 422, "illegal-move")
    assert pointers(body) == ["/move"]
    assert body["errors"][0]["allowed"] == legal


def test_illegal_outcome(client: FlaskClient) -> None:
    request = {"position": CHANCES["dice"], "move": "roll", "outcome": "PPPPPX"}
    body = check_problem(client.post("/v1/games/dice/apply", json=request), 422, "illegal-move")
    assert pointers(body) == ["/outcome"]
    request = {"position": DECISIONS["tile"], "move": "13,14>0", "outcome": ["........."] * 9}
    body = check_problem(client.post("/v1/games/tile/apply", json=request), 422, "illegal-move")
    assert pointers(body) == ["/outcome"]


@pytest.mark.parametrize("outcome", [5, {}, [1], "CCCCCC", [["x"]]])
def test_an_outcome_of_the_wrong_type(client: FlaskClient, outcome: Any) -> None:
    request = {"position": CHANCES["tile"], "move": "refill", "outcome": outcome}
    body = check_problem(client.post("/v1/games/tile/apply", json=request), 422, "invalid-request")
    assert pointers(body) == ["/outcome"]


@pytest.mark.parametrize("game", ["tile", "dice"])
def test_no_move_in_a_finished_game(client: FlaskClient, game: str) -> None:
    request = {"position": OVER[game], "move": "13>0"}
    body = check_problem(client.post(f"/v1/games/{game}/apply", json=request), 422, "illegal-move")
    assert body["errors"][0]["allowed"] == []


@pytest.mark.parametrize("operation", ["analysis", "move", "evaluation"])
@pytest.mark.parametrize("game", ["tile", "dice"])
def test_limits_and_levels(client: FlaskClient, game: str, operation: str) -> None:
    path = f"/v1/games/{game}/{operation}"
    request = {"position": DECISIONS[game]}
    answer = client.post(path, json={**request, "limits": {"time_ms": 10_000_000}})
    (fault,) = check_problem(answer, 422, "limit-exceeded")["errors"]
    assert (fault["pointer"], fault["maximum"]) == ("/limits/time_ms", 30_000)
    answer = client.post(path, json={**request, "level": 11})
    (fault,) = check_problem(answer, 422, "unknown-level")["errors"]
    assert (fault["pointer"], fault["allowed"]) == ("/level", list(range(1, 11)))


@pytest.mark.parametrize("game", ["tile", "dice"])
def test_filters(client: FlaskClient, game: str) -> None:
    path = f"/v1/games/{game}/analysis"
    position = {"position": DECISIONS[game]}
    legal = client.post(f"/v1/games/{game}/legal-moves", json=position).get_json()["moves"]
    for filters in ({"allow": []}, {"avoid": legal}, {"allow": legal[:1], "avoid": legal[:1]}):
        body = check_problem(
            client.post(path, json={**position, **filters}), 422, "no-move-left-by-filters"
        )
        assert body["errors"][0]["allowed"] == legal
    body = check_problem(
        client.post(path, json={**position, "avoid": [legal[0], "nonsense"]}), 422, "illegal-move"
    )
    assert pointers(body) == ["/avoid/1"]


def test_every_illegal_move_of_the_filters_is_named(client: FlaskClient) -> None:
    request = {"position": DECISIONS["tile"], "allow": ["x", ""], "avoid": ["00>0", "refill"]}
    answer = client.post("/v1/games/tile/analysis", json=request)
    body = check_problem(answer, 422, "illegal-move")
    assert pointers(body) == ["/allow/0", "/allow/1", "/avoid/0", "/avoid/1"]
    assert ["allowed" in fault for fault in body["errors"]] == [True, False, False, False]


def test_an_empty_move_is_an_illegal_one(client: FlaskClient) -> None:
    for game, position in DECISIONS.items():
        answer = client.post(f"/v1/games/{game}/apply", json={"position": position, "move": ""})
        assert pointers(check_problem(answer, 422, "illegal-move")) == ["/move"]


def test_of_many_faults_the_first_hundred_are_told(client: FlaskClient) -> None:
    claims = [{"goal": "staircase", "claimed_by": [7] * 30_000}]
    fields = client.post("/v1/games/tile/new", json={"players": 2}).get_json()["position"]
    request = {"position": fields | {"common_goals": claims}}
    body = check_problem(client.post("/v1/games/tile/score", json=request), 422, "invalid-request")
    assert len(body["errors"]) == 100
    assert body["detail"] == "30000 faults; the first 100 are in errors."
    hundred = {
        "position": fields | {"common_goals": [{"goal": "staircase", "claimed_by": [7] * 100}]}
    }
    body = check_problem(client.post("/v1/games/tile/score", json=hundred), 422, "invalid-request")
    assert (len(body["errors"]), body["detail"]) == (100, "100 faults; see errors.")


def test_options_of_a_new_game(client: FlaskClient) -> None:
    request = {
        "players": 9,
        "common_goals": 3,
        "personal_goals": 1,
        "rules": {"refill": "x", "y": 1},
    }
    body = check_problem(client.post("/v1/games/tile/new", json=request), 422, "invalid-request")
    expected = ["/common_goals", "/personal_goals", "/players", "/rules/refill", "/rules/y"]
    assert pointers(body) == expected
    sheet = {"columns": [9, 2, 3, 4, 5], "values": [[1, 2, 3, 5, 8]] * 5}
    answer = client.post("/v1/games/dice/new", json={"players": 2, "sheet": sheet})
    assert pointers(check_problem(answer, 422, "invalid-request")) == ["/sheet/columns/0"]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("abc-1.2:3", True), ("x" * 128, True), ("x" * 129, False), ("", False), ("a b", False),
     ("<script>", False), ("ü", False)],
)  # fmt: skip
def test_request_ids(client: FlaskClient, sent: str, kept: bool) -> None:
    answer = client.get("/livez", headers={"X-Request-Id": sent})
    assert (answer.headers["X-Request-Id"] == sent) is kept
    assert answer.headers["X-Request-Id"]


def test_a_failure_tells_its_request_id_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(Settings())

    def fail(*_: Any) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("shelfie.api.rules_operations.both_forms", fail)
    answer = app.test_client().post(
        "/v1/games/tile/new", json={"players": 2}, headers={"X-Request-Id": "it"}
    )
    body = check_problem(answer, 500, "internal-error")
    assert body["request_id"] == "it"
    assert "secret" not in json.dumps(body)
    assert "a secret" in caplog.text


def test_draining_is_not_ready_but_alive() -> None:
    app = create_app(Settings())
    app.extensions["shelfie"].state = "draining"
    client = app.test_client()
    check_problem(client.get("/readyz"), 503, "draining")
    assert client.get("/livez").status_code == 200


def test_every_kind_has_an_address(client: FlaskClient) -> None:
    for kind, known in PROBLEMS.items():
        described = client.get(f"/problems/{kind}").get_json()
        assert described["title"] == known.title
        assert described["status"] == known.status
