"""The OpenAPI document is valid, complete and true; the capabilities agree with it."""

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api.examples import request_example
from shelfie.api.operations import OPERATIONS
from shelfie.api.problems import MEDIA_TYPE, PROBLEMS

GAMES = ["tile", "dice"]
CASES = [(game, name) for game in GAMES for name in OPERATIONS]
AS_JSON = {"Accept": "application/json"}
# Addresses for people and for tools, which the document does not describe.
UNDESCRIBED = {"/metrics", "/openapi.json", "/docs", "/docs/docs.css", "/docs/docs.js"}


@pytest.fixture(scope="module")
def spec(app: Flask) -> dict[str, Any]:
    found: dict[str, Any] = app.test_client().get("/openapi.json").get_json()
    return found


def validator(spec: dict[str, Any], schema: dict[str, Any]) -> Draft202012Validator:
    """A validator of one of the document's schemas; references reach the components."""
    return Draft202012Validator({**schema, "components": spec["components"]})


def body_schema(spec: dict[str, Any], path: str) -> dict[str, Any]:
    content = spec["paths"][path]["post"]["requestBody"]["content"]
    assert list(content) == ["application/json"]
    schema: dict[str, Any] = content["application/json"]["schema"]
    return schema


def answer_schema(spec: dict[str, Any], path: str, method: str = "post") -> dict[str, Any]:
    content = spec["paths"][path][method]["responses"]["200"]["content"]
    schema: dict[str, Any] = content["application/json"]["schema"]
    return schema


def test_the_same_bytes_each_time(client: FlaskClient) -> None:
    assert client.get("/openapi.json").data == client.get("/openapi.json").data


def test_every_address_is_described(app: Flask, spec: dict[str, Any]) -> None:
    described = {
        (path.replace("{kind}", "<kind>"), method.upper())
        for path, item in spec["paths"].items()
        for method in item
        if method in ("get", "post")
    }
    served = {
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule not in UNDESCRIBED
    }
    assert described == served
    assert spec["openapi"] == "3.1.0"


def test_every_reference_resolves_and_every_schema_is_one(spec: dict[str, Any]) -> None:
    def references(part: Any) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if "$ref" in part else []
            return own + [r for value in part.values() for r in references(value)]
        return [r for value in part for r in references(value)] if isinstance(part, list) else []

    for reference in references(spec):
        found = spec
        for key in reference.removeprefix("#/").split("/"):
            found = found[key]
    for schema in spec["components"]["schemas"].values():
        validator(spec, schema)


def test_errors_are_problem_details(spec: dict[str, Any]) -> None:
    for path, item in spec["paths"].items():
        for method, operation in item.items():
            if method not in ("get", "post"):
                continue
            for status, response in operation["responses"].items():
                if status == "200":
                    continue
                name = response["$ref"].rpartition("/")[2]
                if status == "304":
                    assert "content" not in spec["components"]["responses"][name]
                    continue
                assert list(spec["components"]["responses"][name]["content"]) == [MEDIA_TYPE], path
            expected = {"304", "400", "401", "403", "406", "413", "415", "422", "429", "500"}
            if path == "/v1/batch":
                expected.remove("304")
            if path.endswith(("/batch", "/analysis", "/move", "/evaluation", "/review")):
                expected.add("503")
            if method == "post":
                assert set(operation["responses"]) == {"200"} | expected
    kinds = spec["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]
    assert kinds == ["about:blank", *(f"/problems/{kind}" for kind in PROBLEMS)]


@pytest.mark.parametrize(("game", "operation"), CASES)
def test_examples_are_answered_as_described(
    client: FlaskClient, spec: dict[str, Any], game: str, operation: str
) -> None:
    path = f"/v1/games/{game}/{operation}"
    content = spec["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    example = content["example"]
    validator(spec, content["schema"]).validate(example)
    answer = client.post(path, json=example, headers=AS_JSON)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    validator(spec, answer_schema(spec, path)).validate(answer.get_json())


@pytest.mark.parametrize(("game", "operation"), [c for c in CASES if c[1] != "new"])
@pytest.mark.parametrize(
    "positions", [DECISIONS, CHANCES, OVER], ids=["decision", "chance", "over"]
)
def test_answers_at_every_kind_of_node(
    client: FlaskClient,
    spec: dict[str, Any],
    game: str,
    operation: str,
    positions: dict[str, str],
) -> None:
    path = f"/v1/games/{game}/{operation}"
    request: dict[str, Any] = {"position": positions[game]}
    if operation == "apply":
        moves = client.post(f"/v1/games/{game}/legal-moves", json=request).get_json()["moves"]
        if not moves:
            return
        request["move"] = moves[0]
    if operation == "review":
        request["moves"] = []
    answer = client.post(path, json=request, headers=AS_JSON)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    validator(spec, answer_schema(spec, path)).validate(answer.get_json())


@pytest.mark.parametrize("game", GAMES)
def test_positions_fit_their_schema(client: FlaskClient, spec: dict[str, Any], game: str) -> None:
    schema = {"$ref": f"#/components/schemas/{game.title()}Position"}
    check = validator(spec, schema)
    for players in (2, 3, 4):
        request = {"players": players, "seed": "schema"}
        position = client.post(f"/v1/games/{game}/new", json=request).get_json()["position"]
        check.validate(position)
        assert not check.is_valid({**position, "more": 1})
        assert not check.is_valid({**position, "players": 5})


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/tile", "/v1/games/dice", "/v1/version",
                                  "/livez", "/readyz"])  # fmt: skip
def test_gets_are_answered_as_described(
    client: FlaskClient, spec: dict[str, Any], path: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    validator(spec, answer_schema(spec, path, "get")).validate(answer.get_json())
    assert client.head(path).status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_models_and_build_are_named(client: FlaskClient, game: str) -> None:
    version = client.get("/v1/version").get_json()
    models = client.get(f"/v1/games/{game}").get_json()["models"]
    assert models == version["models"][game]
    assert models
    example = request_example(game, "analysis")
    engine = client.post(f"/v1/games/{game}/analysis", json=example).get_json()["engine"]
    assert engine["model"] in models
    assert engine["fingerprint"] == version["fingerprint"]
    assert engine["version"] == version["version"]


@pytest.mark.parametrize("game", GAMES)
def test_capabilities_agree_with_the_document(
    client: FlaskClient, spec: dict[str, Any], game: str
) -> None:
    found = client.get(f"/v1/games/{game}").get_json()
    assert [entry["level"] for entry in found["levels"]] == list(range(1, 11))
    for name in OPERATIONS:
        assert found["examples"][name] == request_example(game, name)
        assert found["links"][name] == f"/v1/games/{game}/{name}"
        schema = body_schema(spec, f"/v1/games/{game}/{name}")["$ref"].rpartition("/")[2]
        described = set(spec["components"]["schemas"][schema]["properties"]) - {"position"}
        options = found["options"][name]
        assert {option["name"].partition(".")[0] for option in options} == described
    limits = {o["name"]: o for o in found["options"]["analysis"] if o["name"].startswith("limits.")}
    own, other = ("playouts", "depth") if game == "tile" else ("depth", "playouts")
    assert limits[f"limits.{own}"]["max"] == {"playouts": 1_000_000, "depth": 3}[own]
    assert f"limits.{other}" not in limits
    assert limits["limits.time_ms"]["max"] == 30_000


def test_the_docs_page_needs_nothing_from_afar(client: FlaskClient) -> None:
    page = client.get("/docs")
    assert page.content_type == "text/html; charset=utf-8"
    text = page.get_data(as_text=True)
    for asset in ("/docs/docs.css", "/docs/docs.js"):
        assert f'"{asset}"' in text
        answer = client.get(asset)
        assert answer.status_code == 200
        text += answer.get_data(as_text=True)
    assert "//" not in text.replace("\n//", "").replace("  //", "")
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert json.loads(client.get("/openapi.json").data)["paths"]
