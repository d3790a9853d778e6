"""Headers of every response: safety, gzip, methods, and CORS where it is allowed."""

import gzip
import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from http_client import check_problem, without_time
from sample_positions import DECISIONS

from shelfie.api.app import create_app
from shelfie.api.examples import request_example
from shelfie.api.settings import Settings

ORIGIN = {"Origin": "https://example.org"}
LARGE = "/v1/games/tile/analysis"
LARGE_REQUEST = {"position": DECISIONS["tile"], "limits": {"playouts": 50}}


def addresses(app: Flask) -> list[tuple[str, set[str]]]:
    """Every address with its methods."""
    return [
        (rule.rule.replace("<kind>", "draining"), set(rule.methods or ()))
        for rule in app.url_map.iter_rules()
    ]


def check_safe(response: Any) -> None:
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "Server" not in response.headers
    assert response.headers["X-Request-Id"]


def test_every_address_with_every_method(app: Flask) -> None:
    client = app.test_client()
    for path, methods in addresses(app):
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
            response = client.open(path, method=method)
            check_safe(response)
            assert (response.status_code == 405) is (method not in methods), (method, path)
            if method == "HEAD":
                assert response.data == b""
        options = client.options(path)
        assert (options.status_code, options.data) == (204, b"")
        assert set(options.headers["Allow"].split(", ")) == methods
        assert "Content-Type" not in options.headers
        if "POST" in methods:
            assert options.headers["Accept-Post"] == client.post(path).headers["Accept-Post"]
        if "HEAD" in methods:
            get, head = client.get(path), client.head(path)
            assert head.status_code == get.status_code
            assert head.content_type == get.content_type


def test_failures_are_safe_too(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for response in (
        client.get("/nothing"),
        client.options("/nothing"),
        client.post("/v1/games/tile/score", json={}),
        client.post("/v1/batch", json=[]),
    ):
        check_safe(response)

    def fail(*_: Any) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("shelfie.api.rules_operations.both_forms", fail)
    failed = client.post("/v1/games/tile/new", json={"players": 2})
    check_problem(failed, 500, "internal-error")
    check_safe(failed)


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("gzip", True), ("gzip, deflate, br", True), ("br, gzip;q=0.1", True), ("*", True),
        ("", False), ("identity", False), ("gzip;q=0", False), ("br", False),
        ("gzip;q=0, *", False),
    ],
)  # fmt: skip
def test_large_answers_are_compressed_for_who_takes_it(
    client: FlaskClient, accepted: str, compressed: bool
) -> None:
    plain = client.post(LARGE, json=LARGE_REQUEST)
    answer = client.post(LARGE, json=LARGE_REQUEST, headers={"Accept-Encoding": accepted})
    assert (answer.headers.get("Content-Encoding") == "gzip") is compressed
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    body = gzip.decompress(answer.data) if compressed else answer.data
    assert without_time(body) == without_time(plain.data)
    for response in (plain, answer):
        assert response.vary.as_set() == {"accept", "accept-encoding"}
        assert response.headers["ETag"] == plain.headers["ETag"]
    held = {"If-None-Match": answer.headers["ETag"], "Accept-Encoding": accepted}
    unchanged = client.post(LARGE, json=LARGE_REQUEST, headers=held)
    assert unchanged.status_code == 304
    assert unchanged.vary.as_set() == {"accept", "accept-encoding"}


def test_what_is_not_compressed(client: FlaskClient) -> None:
    takes = {"Accept-Encoding": "gzip"}
    small = client.get("/livez", headers=takes)
    assert "Content-Encoding" not in small.headers
    assert "Vary" not in small.headers
    lines = {**takes, "Accept": "application/x-ndjson"}
    for path, request in (
        (LARGE, LARGE_REQUEST),
        ("/v1/games/dice/review", request_example("dice", "review")),
        ("/v1/batch", [{"game": "tile", "op": "analysis", "request": LARGE_REQUEST}] * 3),
    ):
        stream = client.post(path, json=request, headers=lines)
        assert len(stream.data) > 1400
        assert "Content-Encoding" not in stream.headers
        assert "no-transform" in stream.headers["Cache-Control"]


def test_documents_and_problems_are_compressed(client: FlaskClient) -> None:
    takes = {"Accept-Encoding": "gzip"}
    for path in ("/openapi.json", "/docs/docs.js", "/v1/games/tile"):
        plain, answer = client.get(path), client.get(path, headers=takes)
        assert gzip.decompress(answer.data) == plain.data
        assert len(answer.data) < len(plain.data) / 2
        assert client.head(path, headers=takes).headers["Content-Length"] == str(len(answer.data))
    request = {"position": DECISIONS["tile"], "move": "nonsense"}
    refused = client.post("/v1/games/tile/apply", json=request, headers=takes)
    assert refused.status_code == 422
    assert json.loads(gzip.decompress(refused.data))["errors"][0]["pointer"] == "/move"


def test_cors_is_off_by_default(client: FlaskClient) -> None:
    asked = {**ORIGIN, "Access-Control-Request-Method": "POST"}
    for response in (client.get("/v1/games", headers=ORIGIN), client.options(LARGE, headers=asked)):
        assert not [name for name, _ in response.headers if name.startswith("Access-Control")]


def cors_client(origins: str, **settings: Any) -> FlaskClient:
    return create_app(Settings(cors_origins=origins, **settings)).test_client()


def test_named_origins_may_ask() -> None:
    client = cors_client("https://example.org http://localhost:3000")
    for response in (
        client.get("/v1/games", headers=ORIGIN),
        client.post("/v1/games/tile/score", json={}, headers=ORIGIN),
        client.get("/nothing", headers=ORIGIN),
        client.post("/v1/batch", json=[], headers=ORIGIN),
    ):
        assert response.headers["Access-Control-Allow-Origin"] == "https://example.org"
        assert "Access-Control-Allow-Credentials" not in response.headers
        exposed = set(response.headers["Access-Control-Expose-Headers"].split(", "))
        assert exposed >= {"ETag", "Retry-After", "Server-Timing", "X-Request-Id"}
        assert "origin" in response.vary.as_set()
    for other in ("https://example.com", "https://example.org.evil.com", "null",
                  "http://example.org", "https://exampleXorg"):  # fmt: skip
        response = client.get("/v1/games", headers={"Origin": other})
        assert "Access-Control-Allow-Origin" not in response.headers


def test_any_origin_may_ask() -> None:
    response = cors_client("*").get("/v1/games", headers=ORIGIN)
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("keys", ["", "site:" + "a" * 64])
def test_a_browser_asks_first_and_without_a_key(keys: str) -> None:
    asked = {
        **ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,x-odd",
    }
    response = cors_client("https://example.org", keys=keys).options(LARGE, headers=asked)
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == "https://example.org"
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    assert response.headers["Access-Control-Allow-Headers"] == "authorization, content-type"
    assert int(response.headers["Access-Control-Max-Age"]) > 0


@pytest.mark.parametrize("origins", ["example.org", "https://*.org", "* https://a.org",
                                     "https://a.org/", "https://a.org,https://b.org"])  # fmt: skip
def test_wrong_origins_keep_the_service_from_starting(origins: str) -> None:
    with pytest.raises(ValueError, match="SHELFIE_CORS_ORIGINS"):
        Settings(cors_origins=origins)


def test_the_page_can_be_switched_off() -> None:
    client = create_app(Settings(page=False)).test_client()
    for path in ("/", "/web/main.js", "/web/texts/en.js"):
        check_problem(client.get(path), 404)
    assert client.get("/docs").status_code == 200


def test_the_document_can_be_switched_off() -> None:
    client = create_app(Settings(docs=False)).test_client()
    for path in ("/docs", "/docs/docs.css", "/docs/docs.js", "/openapi.json"):
        check_problem(client.get(path), 404)
    assert client.get("/v1/games").status_code == 200
