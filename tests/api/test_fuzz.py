"""Whatever is sent, the service answers: never 500, always in one of the two shapes."""

import json
from typing import Any

import pytest
from flask import Flask
from http_client import check_problem
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api.examples import request_example
from shelfie.api.operations import OPERATIONS

GAMES = ["tile", "dice"]
BOUNDED = settings(
    max_examples=150,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.integers(-3, 12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("CBGFTPJox.,>?-/0123456789é\x00 ", max_size=12)
)
JUNK = st.recursive(
    LEAVES,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside,
                                                                  max_size=4),
    max_leaves=8,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    found = [path]
    if isinstance(value, dict):
        return found + [p for k, v in value.items() for p in places(v, (*path, k))]
    if isinstance(value, list):
        return found + [p for i, v in enumerate(value) for p in places(v, (*path, i))]
    return found


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with another one at a place."""
    if not path:
        return new
    twin = dict(value) if isinstance(value, dict) else list(value)
    twin[path[0]] = replaced(twin[path[0]], path[1:], new)
    return twin


def cheap(game: str, request: Any) -> Any:
    """The request with a small limit, so that a search that happens is short."""
    if isinstance(request, dict) and "position" in request and "move" not in request:
        return {"limits": {"playouts": 5} if game == "tile" else {"depth": 1}, **request}
    return request


def check_answered(app: Flask, path: str, body: bytes) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    answer = app.test_client().post(path, data=body, headers=headers)
    if answer.status_code == 200:
        assert isinstance(answer.get_json(), dict)
    else:
        kind = json.loads(answer.data)["type"].rpartition("/")[2]
        assert answer.status_code in (400, 422), answer.data
        check_problem(answer, answer.status_code, kind)


@pytest.mark.parametrize("operation", list(OPERATIONS))
@pytest.mark.parametrize("game", GAMES)
@BOUNDED
@given(data=st.data())
def test_junk_in_a_request(app: Flask, game: str, operation: str, data: st.DataObject) -> None:
    """One value of a good request is replaced by junk."""
    request = cheap(game, dict(request_example(game, operation)))
    where = data.draw(st.sampled_from(places(request)))
    body = json.dumps(replaced(request, where, data.draw(JUNK))).encode()
    check_answered(app, f"/v1/games/{game}/{operation}", body)


@pytest.mark.parametrize("game", GAMES)
@BOUNDED
@given(data=st.data())
def test_junk_in_a_position(app: Flask, game: str, data: st.DataObject) -> None:
    """Up to three values of a good position are replaced by junk; all operations are asked."""
    client = app.test_client()
    notation = data.draw(st.sampled_from([DECISIONS, CHANCES, OVER]))[game]
    asked = client.post(f"/v1/games/{game}/legal-moves", json={"position": notation})
    position = asked.get_json()["position"]
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.sampled_from(places(position)[1:]))
        position = replaced(position, where, data.draw(JUNK))
    for operation in ("legal-moves", "score", "evaluation"):
        request: dict[str, Any] = {"position": position}
        if operation == "evaluation":
            request = cheap(game, request)
        check_answered(app, f"/v1/games/{game}/{operation}", json.dumps(request).encode())


@pytest.mark.parametrize("game", GAMES)
@BOUNDED
@given(data=st.data())
def test_junk_in_a_notation(app: Flask, game: str, data: st.DataObject) -> None:
    """A stretch of a good notation is replaced by other characters."""
    notation = data.draw(st.sampled_from([DECISIONS, CHANCES, OVER]))[game]
    start = data.draw(st.integers(0, len(notation)))
    end = data.draw(st.integers(start, min(len(notation), start + 12)))
    junk = data.draw(st.text("CBGFTPJox.,:;=>?-/|0123456789 é", max_size=12))
    body = json.dumps({"position": notation[:start] + junk + notation[end:]}).encode()
    check_answered(app, f"/v1/games/{game}/legal-moves", body)


@BOUNDED
@given(body=st.binary(max_size=60) | JUNK.map(lambda value: json.dumps(value).encode()))
def test_junk_as_a_body(app: Flask, body: bytes) -> None:
    check_answered(app, "/v1/games/tile/analysis", body)
