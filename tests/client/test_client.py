"""The client against the real service: every method, several threads, one connection each."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from http_client import SCRIPTS, running
from sample_positions import CHANCES, DECISIONS

from shelfie.api.client import Client, Problem
from shelfie.api.client.client import Limits
from shelfie.api.examples import request_examples
from shelfie.engine import GAMES

COMMAND = [str(SCRIPTS / "shelfie"), "serve", "--workers", "2"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(COMMAND) as (port, _):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    with Client(url) as client:
        yield client


def test_it_can_be_used_alone() -> None:
    """Importing it loads no other part of the project, and no library."""
    code = (
        "import sys; before = set(sys.modules); import shelfie.api.client; "
        "print(*sorted({m.partition('.')[0] for m in set(sys.modules) - before "
        "if not m.startswith('shelfie.api.client')} - set(sys.stdlib_module_names))); "
        "print(*sorted(m for m in sys.modules if m.startswith('shelfie.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    libraries, modules = done.stdout.splitlines()
    assert libraries == "shelfie"
    assert [m for m in modules.split() if not m.startswith("shelfie.api.client")] == ["shelfie.api"]


def test_the_service_itself(client: Client) -> None:
    assert [game["id"] for game in client.games()["games"]] == list(GAMES)
    assert client.game("dice")["id"] == "dice"
    assert client.version()["name"] == "shelfie"
    assert client.ready() is True


@pytest.mark.parametrize("game", GAMES)
def test_rules(client: Client, game: str) -> None:
    start = client.new(game, 3, seed="x")
    assert start["position"]["players"] == 3
    position = DECISIONS[game]
    moves = client.legal_moves(game, position)["moves"]
    after = client.apply(game, position, moves[0], until="decision", seed="x")
    assert after["node"] in ("decision", "terminal")
    assert client.score(game, after["position"])["over"] is False


@pytest.mark.parametrize("game", GAMES)
def test_searches(client: Client, game: str) -> None:
    position = DECISIONS[game]
    found = client.analysis(game, position, level=2, top=1, id="t", include=["pv"])
    assert (found["id"], len(found["moves"])) == ("t", 1)
    assert client.move(game, position, level=2)["chosen"] == found["chosen"]
    root = client.evaluation(game, CHANCES[game], limits={"time_ms": 10})["root"]
    assert sum(root["win_probability"]) == pytest.approx(1)


@pytest.mark.parametrize("game", GAMES)
def test_lines_as_they_come(client: Client, game: str) -> None:
    request = request_examples(game)["review"]
    options = {name: value for name, value in request.items() if name not in ("position", "moves")}
    *moves, last = client.review(game, request["position"], request["moves"], **options)
    assert [line["index"] for line in moves] == list(range(len(request["moves"])))
    assert last["summary"]["complete"] is True
    limits: Limits = {"playouts": 600} if game == "tile" else {"depth": 2}
    *partial, whole = client.analysis_lines(game, DECISIONS[game], limits=limits, top=1)
    assert partial
    assert all(line.keys() == {"partial"} for line in partial)
    assert whole["chosen"]["move"]
    with pytest.raises(Problem, match="illegal-move"):
        next(client.review(game, DECISIONS[game], ["no"]))


def test_refusals(client: Client) -> None:
    with pytest.raises(Problem) as caught:
        client.apply("dice", DECISIONS["dice"], "cross:P")
    problem = caught.value
    assert (problem.status, problem.type) == (422, "/problems/illegal-move")
    assert problem.errors[0]["pointer"] == "/move"
    assert problem.request_id
    with pytest.raises(Problem, match="404"):
        client.game("chess")
    with pytest.raises(Problem, match="413"):
        client.score("tile", "9" * 3_000_000)
    assert client.ready() is True


def test_a_batch(client: Client) -> None:
    items = [
        {"id": f"{game} {op}", "game": game, "op": op, "request": request}
        for game in GAMES
        for op, request in request_examples(game).items()
    ]
    lines = list(client.batch([*items, {"id": "bad", "game": "tile", "op": "score"}]))
    assert sorted(line["index"] for line in lines) == list(range(len(items) + 1))
    assert {line["id"]: line["status"] for line in lines} == {
        **{item["id"]: 200 for item in items}, "bad": 422,
    }  # fmt: skip
    with pytest.raises(Problem, match="limit-exceeded"):
        list(client.batch([{}] * 1001))


def test_a_batch_may_be_left(client: Client) -> None:
    request = {"position": DECISIONS["tile"], "limits": {"playouts": 200}}
    lines = client.batch([{"game": "tile", "op": "analysis", "request": request}] * 50)
    assert next(lines)["status"] == 200
    lines.close()  # type: ignore[attr-defined]
    assert client.ready() is True


def test_kept_answers(url: str) -> None:
    """The second answer is the kept one, time and all: the service said 304."""
    with Client(url, cache={}) as client:
        first = client.analysis("tile", DECISIONS["tile"], top=1)
        assert client.analysis("tile", DECISIONS["tile"], top=1) == first


def test_threads_share_a_client(client: Client) -> None:
    def ask(players: int) -> int:
        found: int = client.new("tile", players, seed="x")["position"]["players"]
        return found

    wanted = [2, 3, 4] * 20
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ask, wanted)) == wanted
