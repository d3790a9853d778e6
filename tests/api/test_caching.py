"""Reproducible answers may be kept, and are not searched again; all others are not stored."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from sample_positions import DECISIONS

from shelfie.api import caching
from shelfie.api.examples import request_example
from shelfie.api.operations import OPERATIONS, Operation
from shelfie.api.schemas import load
from shelfie.engine import GAMES

CASES = [(game, name) for game in GAMES for name in OPERATIONS]
SEARCHES = [name for name, operation in OPERATIONS.items() if operation.searches]
QUICK: dict[str, dict[str, Any]] = {"tile": {"playouts": 50}, "dice": {"depth": 1}}


def post(client: FlaskClient, game: str, operation: str, request: Any, tag: str = "") -> Any:
    headers = {"Accept": "application/json", **({"If-None-Match": tag} if tag else {})}
    return client.post(f"/v1/games/{game}/{operation}", json=request, headers=headers)


def tag_of(client: FlaskClient, game: str, operation: str, request: Any) -> str:
    answer = post(client, game, operation, request)
    assert answer.status_code == 200
    tag: str = answer.headers["ETag"]
    return tag


@pytest.fixture
def no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every operation fail: what is answered now is answered without it."""

    def fail(*_: Any) -> Any:
        raise AssertionError("the operation was run")

    monkeypatch.setattr(Operation, "answer", property(lambda _: fail))


@pytest.mark.parametrize(("game", "operation"), CASES)
def test_a_reproducible_answer_has_a_weak_tag(
    client: FlaskClient, game: str, operation: str
) -> None:
    request = request_example(game, operation)
    first, again = (post(client, game, operation, request) for _ in range(2))
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert first.headers["ETag"] == again.headers["ETag"]
    assert first.headers["ETag"].startswith('W/"')


@pytest.mark.parametrize(("game", "operation"), CASES)
def test_304_comes_before_the_operation(
    client: FlaskClient, no_answers: None, game: str, operation: str
) -> None:
    request = request_example(game, operation)
    values = load(game, operation, request)
    tag = f'"{caching.entity_tag(game, operation, values)}"'
    for sent in (tag, f'"other", {tag}', f"W/{tag}", f'W/"other", W/{tag}'):
        answer = post(client, game, operation, request, sent)
        assert (answer.status_code, answer.data) == (304, b"")
        assert answer.headers["ETag"] == f"W/{tag}"
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["X-Request-Id"]
        assert "Content-Type" not in answer.headers
    assert post(client, game, operation, request, '"other"').status_code == 500
    assert post(client, game, operation, request, "*").status_code == 500


def test_the_answers_tag_is_the_one_that_304_knows(client: FlaskClient) -> None:
    request = {"position": DECISIONS["tile"], "limits": QUICK["tile"]}
    tag = tag_of(client, "tile", "analysis", request)
    assert post(client, "tile", "analysis", request, tag).status_code == 304
    assert post(client, "tile", "evaluation", request, tag).status_code == 200
    assert post(client, "dice", "score", {"position": DECISIONS["dice"]}, tag).status_code == 200


def test_one_question_in_two_spellings_has_one_tag(client: FlaskClient) -> None:
    notation = DECISIONS["tile"]
    position = post(client, "tile", "legal-moves", {"position": notation}).get_json()["position"]
    shuffled = dict(reversed(position.items()))
    tags = {
        tag_of(client, "tile", "evaluation", {"limits": {"playouts": playouts}, "position": form})
        for form, playouts in ((notation, 50), (position, 50), (shuffled, 50.0))
    }
    assert len(tags) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"id": "a"},
        {"seed": "a"},
        {"top": 1},
        {"level": 1},
        {"objective": "score"},
        {"information": "open"},
        {"include": []},
        {"limits": {"playouts": 51}},
        {"limits": {"playouts": 50, "standard_error": 0.5}},
        {"avoid": ["13,14>0"]},
        {"position": DECISIONS["tile"].replace("?,1", "2,1")},
    ],
)
def test_whatever_can_change_the_answer_changes_the_tag(
    client: FlaskClient, change: dict[str, Any]
) -> None:
    request = {"position": DECISIONS["tile"], "limits": QUICK["tile"]}
    assert tag_of(client, "tile", "analysis", request) != tag_of(
        client, "tile", "analysis", {**request, **change}
    )


def test_another_build_has_other_tags(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    request = {"position": DECISIONS["dice"]}
    tag = tag_of(client, "dice", "score", request)
    monkeypatch.setattr(caching, "service_digest", lambda: "another build")
    assert post(client, "dice", "score", request, tag).status_code == 200
    assert tag_of(client, "dice", "score", request) != tag


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("operation", SEARCHES)
@pytest.mark.parametrize(
    "clock", [{"deadline_ms": 30_000}, {"time_ms": 30_000}], ids=["deadline", "time"]
)
def test_a_clock_is_not_stored(
    client: FlaskClient, game: str, operation: str, clock: dict[str, int]
) -> None:
    if operation == "review" and "deadline_ms" in clock:
        return  # a review takes none
    limits = {**QUICK[game], **({} if "deadline_ms" in clock else clock)}
    deadline = clock if "deadline_ms" in clock else {}
    request = request_example(game, operation) | {"limits": limits, **deadline}
    answer = post(client, game, operation, request)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


@pytest.mark.parametrize("game", GAMES)
def test_a_made_up_seed_is_not_stored(client: FlaskClient, game: str) -> None:
    answer = post(client, game, "new", {"players": 2})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers
    assert post(client, game, "new", {"players": 2, "seed": None}).headers.get("ETag") is None


def test_an_answer_that_a_clock_cut_is_not_stored(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some searches have a time of their own and say so; their answers get no tag."""

    def cut(*_: Any) -> dict[str, Any]:
        return {"search": {"reproducible": False, "time_ms": 3, "playouts": 0}}

    monkeypatch.setattr(Operation, "answer", property(lambda _: cut))
    answer = post(client, "dice", "evaluation", {"position": DECISIONS["dice"]})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers
    assert answer.headers["Server-Timing"] == "queue;dur=0, search;dur=3"


@pytest.mark.parametrize(("game", "operation"), CASES)
def test_the_time_of_the_search_is_told(client: FlaskClient, game: str, operation: str) -> None:
    answer = post(client, game, operation, request_example(game, operation))
    if operation in SEARCHES:
        spent = answer.get_json()["search"]["time_ms"]
        assert answer.headers["Server-Timing"] == f"queue;dur=0, search;dur={spent}"
    else:
        assert "Server-Timing" not in answer.headers


def test_errors_are_not_stored(client: FlaskClient) -> None:
    for answer in (post(client, "tile", "score", {}), client.get("/nothing")):
        assert answer.headers["Cache-Control"] == "no-store"
        assert "ETag" not in answer.headers
