"""The OpenAPI document is valid, complete and true; the capabilities agree with it."""

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api import answer_examples, vocabulary
from shelfie.api.examples import request_example
from shelfie.api.operations import OPERATIONS
from shelfie.api.problems import MEDIA_TYPE, PROBLEMS
from shelfie.engine import GAMES as GAMES_BY_ID
from shelfie.engine import Rng
from shelfie.search.agents import make
from shelfie.search.arena import walk
from shelfie.search.games import REASONS
from shelfie.search.review import FORCED, GRADES

GAMES = ["tile", "dice"]
CASES = [(game, name) for game in GAMES for name in OPERATIONS]
AS_JSON = {"Accept": "application/json"}
# Addresses for people and for tools, which the document does not describe.
UNDESCRIBED = {"/metrics", "/openapi.json", "/docs", "/docs/docs.css", "/docs/docs.js",
               "/", "/web/<path:name>"}  # fmt: skip


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
            expected = {"304", "400", "401", "403", "406", "408", "413", "415", "422", "429", "500"}
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


def same_shape(shown: Any, actual: Any, exact: bool, where: str = "") -> None:
    """The same fields with values of the same types; exact: the same values."""
    if exact:
        assert shown == actual, where
    elif isinstance(shown, dict):
        assert isinstance(actual, dict), where
        assert shown.keys() == actual.keys(), where
        for key, value in shown.items():
            same_shape(value, actual[key], exact, f"{where}/{key}")
    elif isinstance(shown, list):
        assert isinstance(actual, list), where
        assert bool(shown) == bool(actual), where
    elif isinstance(shown, int | float) and not isinstance(shown, bool):
        assert isinstance(actual, int | float), where
    else:
        assert type(shown) is type(actual), where


EXACT = ("/new", "/legal-moves", "/apply", "/score", "/v1/games", "z", "{kind}")


def test_every_answer_has_an_example_that_is_answered(
    client: FlaskClient, spec: dict[str, Any]
) -> None:
    """`python -m shelfie.api.answer_examples api/answer_examples.json` makes them anew."""
    actual = answer_examples.asked(client, spec)
    assert set(answer_examples.kept()) == set(actual)
    for _, path, operation in answer_examples.operations(spec):
        for media_type, content in operation["responses"]["200"]["content"].items():
            found = actual[operation["operationId"]][media_type]
            validator(spec, content["schema"]).validate(content["example"])
            same_shape(content["example"], found, path.endswith(EXACT), path)


def test_every_kind_of_problem_has_an_example(spec: dict[str, Any]) -> None:
    shown = set()
    for response in spec["components"]["responses"].values():
        for name, example in (
            response.get("content", {}).get(MEDIA_TYPE, {"examples": {}})["examples"].items()
        ):
            validator(spec, {"$ref": "#/components/schemas/Problem"}).validate(example["value"])
            shown.add(name)
    assert shown == {"", *PROBLEMS}


def test_words_are_explained(spec: dict[str, Any]) -> None:
    """Whatever an answer may say in one of several words, the document says what it means."""
    told = set()

    def look(part: Any, name: str) -> None:
        if isinstance(part, dict):
            if name in ("node", "status", "stopped_by", "grade", "goal") and "enum" in part:
                told.add(name)
                for word in part["enum"]:
                    assert f"`{word}`: " in part["description"], (name, word)
            for key, value in part.items():
                look(value, key)
        elif isinstance(part, list):
            for value in part:
                look(value, name)

    look(spec["components"]["schemas"], "")
    assert told == {"node", "status", "stopped_by", "grade", "goal"}
    assert set(vocabulary.GRADE_MEANINGS) == {*GRADES, FORCED}


@pytest.mark.parametrize("game", GAMES)
def test_kinds_of_moves_and_reasons_are_known(game: str) -> None:
    """All that come up in some games, and no word is explained that a rule does not say."""
    kinds, types = set(), set()
    for number in range(4):
        agents = [make("greedy", game)] * 2
        for position in walk(GAMES_BY_ID[game].new(2, Rng(f"words {number}")), agents, "words"):
            if position.node == "chance":
                kinds.add(position.chance_move)
            for move in position.moves()[:40]:
                kinds.add(position.move_detail(move)["type"])
                types.update(reason["type"] for reason in REASONS[game](position, move))
    assert kinds <= set(vocabulary.MOVE_KINDS[game])
    assert types <= set(vocabulary.REASONS[game])
    assert len(types) >= 6
    source = Path(inspect.getfile(REASONS[game])).read_text(encoding="utf-8")
    assert set(re.findall(r'"type": "(\w+)"', source)) == set(vocabulary.REASONS[game])
