"""The console script: the same answers as the API, and faults instead of tracebacks."""

import io
import json
import subprocess
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_client import SCRIPTS
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api.build import version
from shelfie.api.cli import main
from shelfie.api.examples import request_example

GAMES = ["tile", "dice"]
Captured = pytest.CaptureFixture[str]


def answer(capsys: Captured, *arguments: str) -> Any:
    """What a command prints as JSON."""
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def faults(capsys: Captured, *arguments: str) -> list[str]:
    """The lines a refused command prints to standard error."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err.splitlines()


def small(game: str) -> list[str]:
    return ["--playouts", "50"] if game == "tile" else ["--depth", "1"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("operation", ["legal-moves", "score"])
def test_the_same_bytes_as_the_api(
    client: FlaskClient, capsys: Captured, game: str, operation: str
) -> None:
    for positions in (DECISIONS, CHANCES, OVER):
        assert main([operation, game, positions[game], "--json"]) == 0
        served = client.post(f"/v1/games/{game}/{operation}", json={"position": positions[game]})
        assert capsys.readouterr().out == served.get_data(as_text=True) + "\n"


@pytest.mark.parametrize("game", GAMES)
def test_apply_and_new_are_the_api_s(client: FlaskClient, capsys: Captured, game: str) -> None:
    request = {"position": CHANCES[game], "move": {"tile": "refill", "dice": "roll"}[game]}
    served = client.post(f"/v1/games/{game}/apply", json=request).get_json()
    assert answer(capsys, "apply", game, request["position"], request["move"]) == served
    (drawn,) = served["outcomes"]
    outcome = drawn["outcome"] if game == "dice" else "/".join(drawn["outcome"])
    told = answer(capsys, "apply", game, request["position"], request["move"], "--outcome", outcome)
    assert told["notation"] == served["notation"]
    new = {"players": 3, "seed": "abc"}
    served = client.post(f"/v1/games/{game}/new", json=new).get_json()
    assert answer(capsys, "new", game, "--players", "3", "--seed", "abc") == served


@pytest.mark.parametrize("game", GAMES)
def test_analyze_is_the_api_s(client: FlaskClient, capsys: Captured, game: str) -> None:
    limits = {"playouts": 50} if game == "tile" else {"depth": 1}
    request = {"position": DECISIONS[game], "limits": limits, "top": 3, "seed": "s"}
    served = client.post(f"/v1/games/{game}/analysis", json=request).get_json()
    found = answer(
        capsys, "analyze", game, DECISIONS[game], *small(game), "--top", "3", "--seed", "s"
    )
    served["search"].pop("time_ms")
    found["search"].pop("time_ms")
    assert found == served


def test_every_way_to_give_a_position(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notation = DECISIONS["tile"]
    expected = answer(capsys, "score", "tile", notation)
    as_object = json.dumps(answer(capsys, "legal-moves", "tile", notation)["position"])
    file = tmp_path / "position"
    for text in (notation, as_object):
        assert answer(capsys, "score", "tile", text) == expected
        file.write_text(text + "\n", encoding="utf-8")
        assert answer(capsys, "score", "tile", f"@{file}") == expected
        monkeypatch.setattr("sys.stdin", io.StringIO(text + "\n"))
        assert answer(capsys, "score", "tile", "-") == expected


def test_options_reach_the_request(capsys: Captured) -> None:
    options = ["--rules", "refill=keep;squares=same", "--common-goals", "1", "--no-personal-goals"]
    position = answer(capsys, "new", "tile", *options)["position"]
    assert position["rules"] == {"refill": "keep", "squares": "same"}
    assert len(position["common_goals"]) == 1
    assert position["personal_goals"] == []
    sheet = {"columns": [1, 2, 3, 4, 6], "values": [[1, 1, 1, 1, 1]] * 5}
    position = answer(capsys, "new", "dice", "--sheet", json.dumps(sheet))["position"]
    assert position["sheet"] == sheet


@pytest.mark.parametrize("game", GAMES)
def test_text_for_people(capsys: Captured, game: str) -> None:
    example = request_example(game, "apply")
    outcome = ["--outcome", example["outcome"]] if "outcome" in example else []
    for arguments, word in (
        (["new", game, "--seed", "s"], "seed s"),
        (["legal-moves", game, DECISIONS[game]], "decision node"),
        (["score", game, OVER[game]], "win shares"),
        (["apply", game, example["position"], example["move"], *outcome], "node, seat"),
        (["apply", game, CHANCES[game], {"tile": "refill", "dice": "roll"}[game]], "drawn with"),
        (["analyze", game, DECISIONS[game], *small(game), "--top", "2"], "plays "),
        (["analyze", game, OVER[game]], "finished"),
        (["perft", game, DECISIONS[game], "--depth", "1"], "nodes"),
    ):
        assert main(arguments) == 0
        out, err = capsys.readouterr()
        assert word in out
        assert err == ""


def test_faults_name_their_places(capsys: Captured) -> None:
    (line,) = faults(capsys, "analyze", "tile", "nonsense")
    assert line.startswith("shelfie: /position: ")
    text = json.dumps({"players": 2, "dice": 5})
    lines = faults(capsys, "legal-moves", "dice", text)
    assert any(line.startswith("shelfie: /position/boards: ") for line in lines)
    assert any(line.startswith("shelfie: /position/dice: ") for line in lines)
    (line,) = faults(capsys, "apply", "dice", DECISIONS["dice"], "mark:Z9")
    assert line.startswith("shelfie: /move: ")
    (line,) = faults(capsys, "analyze", "dice", DECISIONS["dice"], "--depth", "99")
    assert line.startswith("shelfie: /limits/depth: ")
    (line,) = faults(capsys, "analyze", "dice", DECISIONS["dice"], "--playouts", "5")
    assert line.startswith("shelfie: /limits/playouts: ")
    for number in ("nan", "inf", "-1"):
        (line,) = faults(capsys, "analyze", "tile", DECISIONS["tile"], f"--standard-error={number}")
        assert line.startswith("shelfie: /limits/standard_error: ")


def test_bad_input_never_shows_a_traceback(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for position in ('{"players": 2,', '{"a": NaN}', "", "@/nothing/there", f"@{binary}"):
        assert faults(capsys, "score", "tile", position)
    assert faults(capsys, "perft", "tile", DECISIONS["tile"], "--depth", "-1")
    assert faults(capsys, "new", "dice", "--players", "9")
    assert faults(capsys, "new", "dice", "--sheet", "5")
    assert faults(capsys, "new", "tile", "--sheet", "{}")
    assert faults(capsys, "new", "tile", "--seed", "\udcff")
    assert faults(capsys, "score", "tile", "\udcff")
    for agents in ("random", "random,nobody", "random,full:colour=3", "random,full:playouts=x",
                   "random,full:time_ms=99999999"):  # fmt: skip
        match = ["--game", "tile", "--agents", agents, "--games", "2", "--workers", "1"]
        assert faults(capsys, "arena", *match)
    assert faults(capsys, "arena", "--game", "dice", "--agents", "random,greedy", "--games", "0")
    monkeypatch.setenv("PORT", "many")
    assert faults(capsys, "serve")
    assert faults(capsys, "serve", "--port", "99999")


@pytest.mark.parametrize(
    "arguments", [[], ["nothing"], ["score", "chess", "x"], ["perft", "tile", "x"],
                  ["new", "tile", "--rules", "keep"], ["new", "tile", "--players", "two"]],
)  # fmt: skip
def test_a_bad_command_line_exits_with_2(capsys: Captured, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_perft_counts(capsys: Captured) -> None:
    found = answer(capsys, "perft", "tile", DECISIONS["tile"], "--depth", "1")
    moves = answer(capsys, "legal-moves", "tile", DECISIONS["tile"])
    assert found["nodes"] == moves["moves_total"]
    assert set(found) == {"nodes", "seconds", "nodes_per_second"}


@pytest.mark.parametrize("game", GAMES)
def test_arena_plays_every_rotation(capsys: Captured, game: str) -> None:
    arguments = ["arena", "--game", game, "--players", "2", "--agents", "random,greedy"]
    found = answer(capsys, *arguments, "--games", "3", "--workers", "1")
    assert found["games"] == 4
    assert sum(agent["win_share"] for agent in found["agents"]) == pytest.approx(1)
    assert main([*arguments, "--games", "2", "--workers", "1"]) == 0
    assert "greedy: win share" in capsys.readouterr().out


def test_the_script_itself() -> None:
    (script,) = entry_points(group="console_scripts", name="shelfie")
    assert script.load() is main
    shown = subprocess.run(
        [SCRIPTS / "shelfie", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == f"shelfie {version()}\n"
    bad = subprocess.run(
        [SCRIPTS / "shelfie", "analyze", "tile", "nonsense"], capture_output=True, text=True
    )
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "Traceback" not in bad.stderr
