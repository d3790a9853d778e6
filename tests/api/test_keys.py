"""Keys: off by default; on, every operation wants one, and nothing tells them apart in time."""

import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from flask import g
from flask.testing import FlaskClient
from http_client import check_problem

from shelfie.api import keys
from shelfie.api.app import create_app
from shelfie.api.cli import main
from shelfie.api.examples import request_example
from shelfie.api.key_entries import digest_of, entry_of, new_key, read_keys
from shelfie.api.operations import OPERATIONS
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

KEYS = {"site": new_key(), "bot": new_key()}
ENTRIES = ",".join(entry_of(name, key) for name, key in KEYS.items())
OPEN = ["/livez", "/readyz", "/openapi.json", "/docs", "/docs/docs.css", "/problems/draining",
        "/", "/web/main.js"]  # fmt: skip
CLOSED = [
    ("GET", "/v1/games", None),
    ("GET", "/v1/games/tile", None),
    ("GET", "/v1/games/dice", None),
    ("GET", "/v1/version", None),
    ("POST", "/v1/batch", []),
    *(
        ("POST", f"/v1/games/{game}/{operation}", request_example(game, operation))
        for game in GAMES
        for operation in OPERATIONS
    ),
]


@pytest.fixture(scope="module")
def closed() -> FlaskClient:
    """A service that asks for a key."""
    return create_app(Settings(keys=ENTRIES)).test_client()


def ask(client: FlaskClient, method: str, path: str, body: Any, **headers: str) -> Any:
    return client.open(path, method=method, json=body, headers=headers)


@pytest.mark.parametrize(("method", "path", "body"), CLOSED)
def test_every_operation_wants_a_key(
    closed: FlaskClient, method: str, path: str, body: Any
) -> None:
    refused = ask(closed, method, path, body)
    check_problem(refused, 401)
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="shelfie"'
    assert refused.headers["Cache-Control"] == "no-store"
    unknown = ask(closed, method, path, body, Authorization=f"Bearer {new_key()}")
    check_problem(unknown, 403)
    for key in KEYS.values():
        assert ask(closed, method, path, body, Authorization=f"Bearer {key}").status_code == 200


@pytest.mark.parametrize(("method", "path", "_body"), CLOSED)
def test_refusals_are_documented(client: FlaskClient, method: str, path: str, _body: Any) -> None:
    spec = client.get("/openapi.json").get_json()
    assert spec["security"] == [{}, {"key": []}]
    assert spec["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    operation = spec["paths"][path][method.lower()]
    assert {"401", "403"} <= set(operation["responses"])
    assert "security" not in operation


def test_every_address_is_listed_here() -> None:
    rules = create_app(Settings()).url_map.iter_rules()
    below = {rule.rule for rule in rules if rule.rule.startswith("/v1/")}
    assert below == {path for _, path, _ in CLOSED}


@pytest.mark.parametrize("path", OPEN)
def test_what_stays_open(closed: FlaskClient, path: str) -> None:
    assert closed.get(path).status_code == 200


def test_a_key_comes_before_everything_else(closed: FlaskClient) -> None:
    """Without one a caller learns neither what exists nor what is wrong with a body."""
    check_problem(closed.get("/v1/nothing"), 401)
    check_problem(closed.get("/v1/batch"), 401)
    check_problem(closed.post("/v1/games/tile/score", data="{"), 401)
    assert closed.options("/v1/games").status_code == 204


@pytest.mark.parametrize(
    "sent", ["", "Bearer", "Bearer ", "Basic abc", KEYS["bot"], "Token " + KEYS["bot"]]
)
def test_what_is_no_bearer_key(closed: FlaskClient, sent: str) -> None:
    check_problem(closed.get("/v1/games", headers={"Authorization": sent}), 401)


@pytest.mark.parametrize("sent", [KEYS["bot"] + "x", KEYS["bot"][:-1], "é", "x" * 5000,
                                  digest_of(KEYS["bot"]), "site"])  # fmt: skip
def test_what_is_no_known_key(closed: FlaskClient, sent: str) -> None:
    check_problem(closed.get("/v1/games", headers={"Authorization": f"Bearer {sent}"}), 403)


def test_the_scheme_is_read_in_any_case(closed: FlaskClient) -> None:
    for scheme in ("bearer", "BEARER", "Bearer "):
        header = {"Authorization": f"{scheme} {KEYS['bot']}"}
        assert closed.get("/v1/games", headers=header).status_code == 200


def test_the_caller_has_the_key_s_name(closed: FlaskClient) -> None:
    with closed:
        closed.get("/v1/games", headers={"Authorization": f"Bearer {KEYS['site']}"})
        assert g.caller == "site"


def test_none_is_asked_for_by_default(client: FlaskClient) -> None:
    for headers in ({}, {"Authorization": "Bearer whatever"}):
        assert client.get("/v1/games", headers=headers).status_code == 200


def test_all_keys_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared, compare = [], hmac.compare_digest

    def watched(a: str, b: str) -> bool:
        compared.append((a, b))
        return compare(a, b)

    monkeypatch.setattr(keys.hmac, "compare_digest", watched)  # type: ignore[attr-defined]
    known = {name: digest_of(key) for name, key in KEYS.items()}
    assert keys.caller_of(KEYS["site"], known) == "site"
    assert [b for _, b in compared] == list(known.values())


def test_entries_and_files(tmp_path: Path) -> None:
    known = {name: digest_of(key) for name, key in KEYS.items()}
    assert read_keys(ENTRIES) == known
    assert read_keys(ENTRIES.replace(",", "\n").upper().replace("SITE", "site")) != {}
    file = tmp_path / "keys"
    file.write_text("# callers\n" + ENTRIES.replace(",", "  # the site\n\n"), encoding="utf-8")
    assert read_keys(f"@{file}") == known
    assert read_keys("") == read_keys("  ,\n") == {}


@pytest.mark.parametrize(
    "text", ["site", "site:abc", ":" + "a" * 64, "a b:" + "a" * 64, "@/nothing/there",
             f"{ENTRIES},{ENTRIES}", "site:" + "g" * 64],
)  # fmt: skip
def test_wrong_keys_keep_the_service_from_starting(text: str) -> None:
    with pytest.raises(ValueError, match="SHELFIE_KEYS: ") as error:
        Settings(keys=text)
    assert "a" * 64 not in str(error.value)


def test_the_command_makes_a_key_that_works(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "bot.1", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert read_keys(made["entry"]) == {"bot.1": digest_of(made["key"])}
    client = create_app(Settings(keys=made["entry"])).test_client()
    header = {"Authorization": f"Bearer {made['key']}"}
    assert client.get("/v1/games", headers=header).status_code == 200
    assert main(["key", "bot"]) == 0
    assert "shelfie_" in capsys.readouterr().out
    assert main(["key", "a:b"]) == 2
    assert len({new_key() for _ in range(100)}) == 100
