"""The optional quota: evenly filled buckets, one for each caller, told in headers."""

import json
import re

import pytest
from flask import Flask, g
from http_client import check_problem
from werkzeug.test import TestResponse

from shelfie.api.app import create_app
from shelfie.api.quota import MOST_CALLERS, Quota, QuotaExceeded
from shelfie.api.settings import Settings


def test_a_bucket_fills_evenly() -> None:
    quota = Quota(60)
    assert [quota.spend("a", 1, 0.0) for _ in range(60)] == list(range(59, -1, -1))
    with pytest.raises(QuotaExceeded) as error:
        quota.spend("a", 1, 0.5)
    assert error.value.retry_after == 1
    assert quota.spend("a", 1, 1.0) == 0
    assert quota.spend("b", 1, 1.0) == 59
    assert quota.spend("a", 1, 1000.0) == 59


def test_a_batch_above_the_quota_is_let_in_and_owed() -> None:
    quota = Quota(60)
    assert quota.spend("a", 120, 0.0) == -60
    with pytest.raises(QuotaExceeded) as error:
        quota.spend("a", 1, 0.0)
    assert error.value.retry_after == 61
    assert quota.spend("a", 1, 61.0) == 0


def test_callers_who_are_away_are_forgotten() -> None:
    quota = Quota(1)
    for number in range(MOST_CALLERS + 10):
        quota.spend(str(number), 1, 0.0)
    assert len(quota.buckets) == MOST_CALLERS
    assert "0" not in quota.buckets


def asked(app: Flask, address: str = "127.0.0.1") -> TestResponse:
    path, request = "/v1/games/dice/new", {"players": 2}
    return app.test_client().post(path, json=request, environ_overrides={"REMOTE_ADDR": address})


def test_each_address_has_its_own() -> None:
    app = create_app(Settings(quota=2))
    for left in (1, 0):
        answer = asked(app)
        assert answer.status_code == 200
        assert answer.headers["RateLimit-Policy"] == '"calls";q=2;w=60'
        assert answer.headers["RateLimit"].startswith(f'"calls";r={left};t=')
    refused = asked(app)
    check_problem(refused, 429, "quota-exceeded")
    assert 1 <= int(refused.headers["Retry-After"]) <= 30
    assert re.fullmatch(r'"calls";r=0;t=\d+', refused.headers["RateLimit"])
    assert asked(app, address="127.0.0.2").status_code == 200
    for path in ("/readyz", "/metrics", "/v1/games"):  # these cost nothing
        answer = app.test_client().get(path)
        assert answer.status_code == 200
        assert "RateLimit" not in answer.headers


def test_a_key_is_a_caller_wherever_it_comes_from() -> None:
    app = create_app(Settings(quota=1))
    app.before_request_funcs[None].insert(1, lambda: setattr(g, "caller", "ours"))
    assert asked(app).status_code == 200
    check_problem(asked(app, address="127.0.0.2"), 429, "quota-exceeded")


def test_a_batch_costs_its_items() -> None:
    app = create_app(Settings(quota=5))
    line = json.dumps({"game": "dice", "op": "score", "request": {}}).encode() + b"\n"

    def batch(items: int) -> TestResponse:
        answer = app.test_client().post(
            "/v1/batch", data=line * items, content_type="application/x-ndjson"
        )
        answer.get_data()
        return answer

    assert batch(4).headers["RateLimit"].startswith('"calls";r=1;')
    check_problem(batch(3), 429, "quota-exceeded")
    gate = app.extensions["shelfie"].gate
    assert gate.seats.taken(gate.batches) == []


def test_without_a_quota_nothing_is_said() -> None:
    answer = asked(create_app(Settings()))
    assert "RateLimit" not in answer.headers
