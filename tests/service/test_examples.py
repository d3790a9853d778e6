"""The examples of docs/ against the real server: bots play whole games, shells run every line."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from http_client import CHECKOUT, SCRIPTS, ask, running
from stub_server import Handler, Step, answer, serving

from shelfie.api.app import create_app
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

COMMAND = [str(SCRIPTS / "shelfie"), "serve", "--workers", "2"]
EXAMPLES = CHECKOUT / "docs" / "examples"
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w[^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BOTS = {"python": [sys.executable, str(EXAMPLES / "bot.py")], "node": ["node", "bot.mjs"]}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running(COMMAND) as (port, _):
        yield port


def need(program: str) -> None:
    """Skips with the reason where a program is not installed; .ci/run installs both."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: the examples that need it did not run")
    if (
        program == "node"
        and subprocess.run(["node", "-e", "fetch"], capture_output=True).returncode
    ):
        pytest.skip("node is older than 18: the JavaScript bot did not run")


def blocks(language: str, begin: str = "") -> list[tuple[str, str]]:
    """Page and text of each block in this language that has `begin` in it."""
    return [
        (page.name, text)
        for page in PAGES
        for found, text in BLOCK.findall(page.read_text(encoding="utf-8"))
        if found == language and begin in text
    ]


# ---- bots


def game_of(bot: str, url: str, *arguments: str) -> list[str]:
    """The lines that a bot prints."""
    need(BOTS[bot][0])
    command = [*BOTS[bot], url, *arguments]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def check_game(lines: list[str], levels: list[str]) -> None:
    """Moves of every seat in turn, and a result for each, whose win shares add up."""
    *moves, last = lines[: -len(levels)], lines[-len(levels) :]
    for number, line in enumerate(moves[0], 1):
        found = re.fullmatch(rf"{number}\. seat (\d), level (\d+): \S+", line)
        assert found, line
        assert levels[int(found[1])] == found[2]
    results = [re.fullmatch(r"seat (\d): (\d+) points, win share ([01]\.\d\d)", x) for x in last]
    assert all(results)
    assert [int(found[1]) for found in results if found] == list(range(len(levels)))
    assert sum(float(found[3]) for found in results if found) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize(
    ("game", "levels"), [("tile", ["1", "2"]), ("dice", ["2", "1", "1"]), ("dice", ["1"] * 4)]
)
def test_bots_play_whole_games(port: int, game: str, levels: list[str]) -> None:
    """Both bots play to the end, and the same game for the same seed."""
    url = f"http://127.0.0.1:{port}"
    games = {bot: game_of(bot, url, game, *levels, "--seed=monday") for bot in BOTS}
    for lines in games.values():
        check_game(lines, levels)
    assert games["python"] == games["node"]


@pytest.mark.parametrize("bot", BOTS)
def test_bots_wait_where_the_service_is_busy(port: int, bot: str) -> None:
    """503 on the way costs the wait that was asked for and nothing else."""
    times: list[float] = []

    def noting(step: Step) -> Step:
        def both(handler: Handler) -> None:
            times.append(time.monotonic())
            step(handler)

        return both

    def forward(handler: Handler) -> None:
        _, _, body = handler.script.asked[-1]
        status, _, reply = ask(port, "POST", handler.path, body)
        answer(status, reply, Content_Type="application/json")(handler)

    problem = {"title": "Busy", "detail": "No slot.", "status": 503}
    busy = answer(503, problem, Retry_After="1", Content_Type="application/problem+json")
    steps = [busy, forward, forward, busy, busy, *[forward] * 1000]
    with serving(*map(noting, steps)) as script:
        lines = game_of(bot, script.url, "dice", "1", "1", "--seed=busy")
    check_game(lines, ["1", "1"])
    assert lines == game_of(bot, f"http://127.0.0.1:{port}", "dice", "1", "1", "--seed=busy")
    for refused in (0, 3, 4):
        assert times[refused + 1] - times[refused] > 0.9


@pytest.mark.parametrize("bot", BOTS)
def test_bots_tell_what_is_wrong(port: int, bot: str) -> None:
    need(BOTS[bot][0])
    command = [*BOTS[bot], f"http://127.0.0.1:{port}", "dice", "1", "11"]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=300)
    assert done.returncode != 0
    assert "levels are 1, 2" in done.stderr


# ---- shells

# Runs before a block: errors of the service fail it, and every address asked for is noted.
PRELUDE = """
curl() {
  printf '%s\\n' "$*" >> asked.txt
  command curl --silent --show-error --fail-with-body --max-time 60 "$@"
}
"""


def shell(text: str, port: int, folder: Path) -> subprocess.CompletedProcess[str]:
    """A block, run by a shell against the server on this port."""
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    return subprocess.run(
        ["sh", "-ec", PRELUDE + text], cwd=folder, capture_output=True, text=True, timeout=300
    )


@pytest.mark.parametrize(("page", "text"), blocks("sh", "curl "))
def test_curl_lines(port: int, page: str, text: str, tmp_path: Path) -> None:
    """Every line is answered, but for those that show an error."""
    need("curl")
    done = shell(text, port, tmp_path)
    if '"colour": "red"' in text:  # the one block that shows an error
        assert done.returncode == 22
        assert json.loads(done.stdout)["status"] == 422
    else:
        assert done.returncode == 0, done.stderr + done.stdout
        assert done.stdout


def test_curl_lines_cover_every_address(port: int, tmp_path: Path) -> None:
    """curl.md has a line for each address; conditional requests are answered 304."""
    need("curl")
    for page, text in blocks("sh", "curl "):
        if page == "curl.md":
            assert shell(text, port, tmp_path).returncode == 0
    asked = (tmp_path / "asked.txt").read_text()
    paths = set(re.findall(rf"http://127\.0\.0\.1:{port}(/[\w./-]*)", asked))
    for rule in create_app(Settings()).url_map.iter_rules():
        pattern = re.sub(r"<(\w+:)?\w+>", "[^/]+", rule.rule)
        if not rule.rule.startswith("/docs/"):  # parts of the page
            assert any(re.fullmatch(pattern, path) for path in paths), rule.rule
    assert {path.split("/")[3] for path in paths if path.startswith("/v1/games/")} == set(GAMES)
    held = next(text for page, text in blocks("sh", "etag-compare") if page == "curl.md")
    assert shell(held, port, tmp_path).stdout.endswith("304\n")


@pytest.mark.parametrize(("page", "text"), blocks("python"))
def test_python_blocks(port: int, page: str, text: str, tmp_path: Path) -> None:
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], cwd=tmp_path, capture_output=True, text=True,
        timeout=300, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "/problems/illegal-move" in done.stdout
