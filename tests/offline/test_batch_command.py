"""`shelfie batch`: answers as in single calls, in order, in chunks of any size."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from batch_files import answers_in, run, slow_items, summary_of, write_items
from flask.testing import FlaskClient
from http_client import without_time
from sample_positions import CHANCES, DECISIONS, OVER

from shelfie.api.app import create_app
from shelfie.api.cli import main
from shelfie.api.examples import request_example
from shelfie.api.offline.source import LONGEST_LINE
from shelfie.api.operations import OPERATIONS
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

Captured = pytest.CaptureFixture[str]

GOOD: list[dict[str, Any]] = [
    {"game": game, "op": op, "request": request_example(game, op)}
    for game in GAMES
    for op in OPERATIONS
] + [
    {"id": f"{op}é", "game": game, "op": op, "request": {"position": positions[game]}}
    for positions in (CHANCES, OVER)
    for game in GAMES
    for op in ("legal-moves", "score", "analysis", "evaluation", "move")
]
BAD: list[Any] = [
    {"game": "tile", "op": "score", "request": {}},
    {"game": "dice", "op": "apply", "request": {"position": DECISIONS["dice"], "move": "roll"}},
    {"game": "tile", "op": "move", "request": {"position": DECISIONS["tile"], "level": 11}},
]
UNREADABLE = [b'{"id": "c", ', b" [1", b"\xff", b'{"id": NaN}', b"[]", b'{"id": "a"}\r']


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings()).test_client()


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Good and bad items, with lines between them that hold nothing."""
    folder = tmp_path_factory.mktemp("mixed")
    items: list[Any] = [item for pair in zip(GOOD, BAD * len(GOOD), strict=False) for item in pair]
    return write_items(folder / "in.jsonl", [*items[:9], b"", *items[9:], b"  ", *UNREADABLE])


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Good and bad items that take little time."""
    source = tmp_path_factory.mktemp("quick") / "in.jsonl"
    rules = [item for item in GOOD if not OPERATIONS[item["op"]].searches]
    return write_items(source, [*rules, *BAD, *slow_items(6, playouts=50), *UNREADABLE])


@pytest.fixture(scope="module")
def quick_answers(quick: Path) -> list[bytes]:
    """What one process makes of them in one chunk or a few."""
    out = quick.with_name("expected.jsonl")
    assert main(["batch", str(quick), "--out", str(out), "--workers", "1"]) == 1
    return answers_in(out)


def test_an_item_equals_the_single_call(
    client: FlaskClient, capsys: Captured, mixed: Path, tmp_path: Path
) -> None:
    """Byte for byte, `time_ms` aside, in the order of the input; status 1 as some fail."""
    out = tmp_path / "out.jsonl"
    assert main(["batch", str(mixed), "--out", str(out), "--workers", "2", "--json"]) == 1
    counts = summary_of(capsys.readouterr().out.encode())
    items = [line for line in mixed.read_bytes().split(b"\n") if line.strip()]
    found = answers_in(out)
    assert len(found) == len(items) == counts["items"]
    assert counts["ok"] == len(GOOD)
    assert counts["failed"] == len(items) - len(GOOD)
    assert counts["complete"] is True
    for index, (item, line) in enumerate(zip(items, found, strict=True)):
        if index < len(items) - len(UNREADABLE):
            assert line == expected_line(client, index, json.loads(item))
        else:
            told = json.loads(line)
            assert told["index"] == index
            assert told["status"] == told["problem"]["status"] in (400, 422)
            assert told["problem"]["request_id"] == f"item-{index}"


def expected_line(client: FlaskClient, index: int, item: dict[str, Any]) -> bytes:
    headers = {"X-Request-Id": f"item-{index}", "Accept": "application/json"}
    path = f"/v1/games/{item['game']}/{item['op']}"
    single = client.post(path, json=item["request"], headers=headers)
    name = f'"id":"{item["id"]}",' if "id" in item else ""
    content = "body" if single.status_code == 200 else "problem"
    start = f'{{"index":{index},{name}"status":{single.status_code},"{content}":'
    return without_time(start.encode() + single.data + b"}")


def test_a_broken_line_is_told_as_in_a_batch(client: FlaskClient, tmp_path: Path) -> None:
    """The same line as from POST /v1/batch, but for the request's id."""
    source = write_items(tmp_path / "in.jsonl", UNREADABLE)
    out = tmp_path / "out.jsonl"
    assert main(["batch", str(source), "--out", str(out), "--workers", "1"]) == 1
    answer = client.post("/v1/batch", data=source.read_bytes(), content_type="application/x-ndjson")
    *lines, _ = map(json.loads, answer.data.splitlines())
    for line in lines:
        line["problem"]["request_id"] = f"item-{line['index']}"
    lines.sort(key=lambda line: line["index"])
    assert [json.loads(line) for line in answers_in(out)] == lines


def test_chunks_and_workers_change_nothing(
    quick: Path, quick_answers: list[bytes], tmp_path: Path
) -> None:
    """Chunks of one item over three processes, and everything packed."""
    many, packed, pressed = (tmp_path / name for name in ("many", "packed.gz", "in.jsonl.gz"))
    pressed.write_bytes(gzip.compress(quick.read_bytes()))
    tiny = ("--workers", "3", "--chunk-seconds", "0.0001")
    assert main(["batch", str(quick), "--out", str(many), *tiny]) == 1
    assert main(["batch", str(pressed), "--out", str(packed), "--workers", "2"]) == 1
    assert answers_in(many) == quick_answers
    assert without_time(gzip.decompress(packed.read_bytes())).splitlines() == quick_answers
    assert {path.name for path in tmp_path.iterdir()} == {"many", "packed.gz", "in.jsonl.gz"}


def test_standard_streams(quick: Path, quick_answers: list[bytes]) -> None:
    """Answers on standard output, in order; the summary beside them; no bar where nobody looks."""
    small = ("--workers", "2", "--chunk-seconds", "0.001", "--json")
    status, answers, said = run("-", *small, data=quick.read_bytes())
    assert status == 1
    assert without_time(answers).splitlines() == quick_answers
    assert summary_of(said)["items"] == len(quick_answers)


def test_a_new_game_without_a_seed_has_one_from_its_place(tmp_path: Path) -> None:
    item = {"game": "dice", "op": "new", "request": {"players": 2}}
    source = write_items(tmp_path / "in.jsonl", [item] * 5)
    for name in ("first", "again"):
        assert main(["batch", str(source), "--out", str(tmp_path / name), "--workers", "1"]) == 0
    lines = (tmp_path / "first").read_bytes().splitlines()
    assert (tmp_path / "again").read_bytes().splitlines() == lines
    assert len({json.loads(line)["body"]["seed"] for line in lines}) == 5


def test_a_long_line_costs_only_itself(tmp_path: Path) -> None:
    """A line may have as many bytes as a single call; nothing of a longer one is kept."""
    item = json.dumps({"game": "tile", "op": "score", "request": {"position": DECISIONS["tile"]}})
    whole = item.encode() + b" " * (LONGEST_LINE - len(item))
    lines = [item.encode(), whole, whole + b" ", b" " * 3 * LONGEST_LINE, item.encode()]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(b"\n".join(lines))  # the last one without a line end
    assert main(["batch", str(source), "--out", str(out), "--workers", "1"]) == 1
    told = [json.loads(line) for line in answers_in(out)]
    assert [line["status"] for line in told] == [200, 200, 422, 422, 200]
    assert told[2]["problem"]["errors"][0]["maximum"] == LONGEST_LINE


def test_a_review_beyond_the_limit_is_refused_as_a_single_call(
    client: FlaskClient, tmp_path: Path
) -> None:
    request = request_example("tile", "review") | {"limits": {"playouts": 1_000_000}}
    request["moves"] = request["moves"] * 20
    item = {"game": "tile", "op": "review", "request": request}
    source, out = write_items(tmp_path / "in.jsonl", [item]), tmp_path / "out.jsonl"
    assert main(["batch", str(source), "--out", str(out), "--workers", "1"]) == 1
    assert answers_in(out) == [expected_line(client, 0, item)]
    assert json.loads(answers_in(out)[0])["problem"]["type"] == "/problems/limit-exceeded"


def test_no_items(capsys: Captured, tmp_path: Path) -> None:
    source, out = write_items(tmp_path / "in.jsonl", [b"", b" "]), tmp_path / "out.jsonl"
    assert main(["batch", str(source), "--out", str(out), "--workers", "1"]) == 0
    assert out.read_bytes() == b""
    assert "0 items, 0 failed" in capsys.readouterr().out


def refusal(capsys: Captured, *arguments: str | Path) -> str:
    assert main(["batch", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def test_what_cannot_end_well_is_refused_at_once(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_items(tmp_path / "in.jsonl", [GOOD[0]])
    out = tmp_path / "out.jsonl"
    assert "No such file" in refusal(capsys, tmp_path / "nothing", "--out", out)
    assert "no folder" in refusal(capsys, source, "--out", tmp_path / "nowhere" / "out")
    assert "not a file" in refusal(capsys, source, "--out", tmp_path)
    assert "the input" in refusal(capsys, source, "--out", source)
    assert "--workers" in refusal(capsys, source, "--out", out, "--workers", "0")
    assert "--chunk-seconds" in refusal(capsys, source, "--out", out, "--chunk-seconds", "nan")
    out.write_text("kept")
    assert "--overwrite" in refusal(capsys, source, "--out", out)
    assert out.read_text() == "kept"
    assert main(["batch", str(source), "--out", str(out), "--workers", "1", "--overwrite"]) == 0
    assert len(answers_in(out)) == 1
    assert capsys.readouterr().out.startswith("1 items, 0 failed")
    monkeypatch.setattr("shelfie.api.commands.batch.find_spec", lambda name: None)
    table = ("--out", tmp_path / "other.parquet")
    assert "pip install 'shelfie[parquet]'" in refusal(capsys, source, *table)
    away = ("--out", tmp_path / "other", "--scheduler", "tcp://127.0.0.1:1")
    assert "pip install 'shelfie[cluster]'" in refusal(capsys, source, *away)


def test_an_input_that_breaks_off_is_told(capsys: Captured, tmp_path: Path) -> None:
    whole = gzip.compress(json.dumps(GOOD[0]).encode() + b"\n")
    for number, data in enumerate((whole[:-9], b"no gzip at all")):
        source = tmp_path / f"{number}.gz"
        source.write_bytes(data)
        out = tmp_path / f"{number}.out"
        assert "cannot be read on" in refusal(capsys, source, "--out", out, "--workers", "1")
        assert not out.exists()
