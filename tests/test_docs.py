"""What README and docs show is run: requests, answers, commands, notations, links."""

import itertools
import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_client import CHECKOUT, SCRIPTS

from shelfie.api.app import create_app
from shelfie.api.cli import main
from shelfie.api.problems import PROBLEMS
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w[^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SEARCHES = ("/analysis", "/move", "/evaluation", "/review")


def blocks(path: Path) -> list[tuple[str, str]]:
    """Language and text of each fenced block."""
    return BLOCK.findall(path.read_text(encoding="utf-8"))


def requests_of(path: Path) -> list[tuple[str, dict[str, str], str, Any]]:
    """Each curl call of a page that shows its answer: address, headers, body, and the answer.

    Those without an answer are run in tests/service/test_examples.py, as are these.
    """
    found = []
    parts = [*blocks(path), ("", "")]
    for (language, text), (next_language, next_text) in itertools.pairwise(parts):
        if language == "sh" and text.startswith("curl") and next_language == "json":
            words = shlex.split(text)
            address = next(word for word in words if word.startswith("http://127.0.0.1:8000/"))
            headers = dict(
                value.split(": ", 1) for flag, value in itertools.pairwise(words) if flag == "-H"
            )
            found.append((address.removeprefix("http://127.0.0.1:8000"), headers,
                          words[words.index("-d") + 1], json.loads(next_text)))  # fmt: skip
    return found


REQUESTS = [(page.name, *request) for page in PAGES for request in requests_of(page)]
COMMANDS = [
    (page.name, line)
    for page in PAGES
    for language, text in blocks(page)
    if language == "sh"
    for line in text.splitlines()
    if line.startswith("shelfie ")
]


SESSIONS = [
    (page.name, text)
    for page in PAGES
    for language, text in blocks(page)
    if language == "sh session"
]


def check_shown(shown: Any, actual: Any, exact: bool, where: str = "") -> None:
    """An answer as shown against the real one: shown fields exist and agree, "…" is anything.

    exact: whether numbers must be equal; the search's may change with its model.
    """
    if shown == "…":
        return
    assert type(shown) is type(actual), where
    if isinstance(shown, dict):
        for key, value in shown.items():
            assert key in actual, f"{where}/{key}"
            check_shown(value, actual[key], exact, f"{where}/{key}")
    elif isinstance(shown, list):
        listed = [value for value in shown if value != "…"]
        assert len(listed) <= len(actual), where
        for index, value in enumerate(listed):
            check_shown(value, actual[index], exact, f"{where}/{index}")
    elif exact or isinstance(shown, str | bool):
        assert shown == actual, where


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings()).test_client()


@pytest.mark.parametrize(("page", "address", "headers", "body", "shown"), REQUESTS)
def test_requests(
    client: FlaskClient, page: str, address: str, headers: dict[str, str], body: str, shown: Any
) -> None:
    answer = client.post(address, data=body, headers=headers)
    assert answer.status_code == shown.get("status", 200) or isinstance(shown["status"], str)
    assert answer.status_code in (200, 422)
    check_shown(shown, answer.get_json(), exact=not address.endswith(SEARCHES))


def test_batches(client: FlaskClient) -> None:
    """A batch as shown, and its answer as shown after it; lines come in any order."""
    found = 0
    for page in PAGES:
        parts = [(lang, text) for lang, text in blocks(page) if lang.startswith("ndjson ")]
        assert [lang for lang, _ in parts] == ["ndjson request", "ndjson answer"] * (
            len(parts) // 2
        )
        for (_, request), (_, shown) in zip(parts[::2], parts[1::2], strict=True):
            answer = client.post("/v1/batch", data=request, content_type="application/x-ndjson")
            *lines, summary = map(json.loads, answer.get_data(as_text=True).splitlines())
            actual = [*sorted(lines, key=lambda line: line["index"]), summary]
            check_shown([json.loads(line) for line in shown.splitlines()], actual, exact=True)
            found += 1
    assert found


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_commands(capsys: pytest.CaptureFixture[str], page: str, line: str) -> None:
    assert main(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize(("page", "text"), SESSIONS)
def test_sessions(tmp_path: Path, page: str, text: str) -> None:
    """Commands that build on each other, in an empty folder."""
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert done.stderr.count("Traceback") == 0, done.stderr


def test_notations() -> None:
    found = [
        (language.split()[1], line)
        for page in PAGES
        for language, text in blocks(page)
        if language.startswith("notation ")
        for line in text.splitlines()
    ]
    assert {game for game, _ in found} == set(GAMES)
    for game, line in found:
        assert GAMES[game].read(line).notation() == line


def test_links_inside_the_project() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_what_pages_name_exists() -> None:
    """Tests and sources that a page names; every answer of docs/service.md names a test."""
    tests = re.compile(r"`([\w/]+\.py)::(\w+)`")
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for path, name in tests.findall(text):
            source = (CHECKOUT / "tests" / path).read_text(encoding="utf-8")
            assert f"\ndef {name}(" in source, f"{page.name}: {path}::{name}"
        for path in re.findall(r"`((?:api|search|engine|tests|loadtests)/[\w/]+\.\w+)`", text):
            assert (CHECKOUT / path).exists(), f"{page.name}: {path}"
    service = (CHECKOUT / "docs" / "service.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|.*$", service, re.MULTILINE)
    assert [int(number) for number in rows] == list(range(1, 26))
    assert all(tests.search(line) for line in service.splitlines() if re.match(r"\| \d", line))


def test_everything_is_documented() -> None:
    """Every address, kind of problem, and command has its place in docs/api.md."""
    text = (CHECKOUT / "docs" / "api.md").read_text(encoding="utf-8")
    for rule in create_app(Settings()).url_map.iter_rules():
        path = re.sub(r"^/v1/games/(tile|dice)", "/v1/games/{game}", rule.rule)
        path = path.replace("<kind>", "{kind}")
        assert f"{path}`" in text or path.startswith(("/docs/", "/web/")), path
    for kind in PROBLEMS:
        assert f"`{kind}`" in text
    for command in ("serve", "config", "new", "legal-moves", "apply", "score", "analyze", "review",
                    "batch", "positions", "perft", "bench", "arena", "train", "key"):  # fmt: skip
        assert f"`{command}`" in text
