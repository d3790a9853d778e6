"""The answers of a batch as a table."""

import json
from pathlib import Path
from typing import Any

import pytest
from batch_files import slow_items, write_items
from http_client import without_time
from sample_positions import DECISIONS

from shelfie.api.cli import main
from shelfie.api.offline.rows import COLUMNS

parquet = pytest.importorskip(
    "pyarrow.parquet", reason="the extra shelfie[parquet] is not installed"
)

ITEMS: list[Any] = [
    *slow_items(5, playouts=20),
    {"id": "m", "game": "dice", "op": "move", "request": {"position": DECISIONS["dice"]}},
    {
        "game": "tile",
        "op": "analysis",
        "request": {"position": DECISIONS["tile"], "limits": {"playouts": 30}, "top": 1},
    },
    {"game": "tile", "op": "legal-moves", "request": {"position": DECISIONS["tile"]}},
    {"game": "dice", "op": "new", "request": {"players": 9}},
    b"{",
]


def test_a_table_holds_what_the_lines_hold(tmp_path: Path) -> None:
    """A row an item, in order; values as columns, and the body as the line has it."""
    source = write_items(tmp_path / "in.jsonl", ITEMS)
    lines, table = tmp_path / "out.jsonl", tmp_path / "out.parquet"
    for out in (lines, table):
        options = ["--workers", "2", "--chunk-seconds", "0.01"]
        assert main(["batch", str(source), "--out", str(out), *options]) == 1
    found = parquet.read_table(table)
    assert found.column_names == list(COLUMNS)
    rows = found.to_pylist()
    told = [json.loads(line) for line in lines.read_bytes().splitlines()]
    for row, line in zip(rows, told, strict=True):
        assert row["index"] == line["index"]
        assert row["id"] == line.get("id")
        assert row["status"] == line["status"]
        whole = json.dumps(line.get("body", line.get("problem")), separators=(",", ":"))
        assert without_time(row["body"].encode()) == without_time(whole.encode())
    assert [row["op"] for row in rows[4:]] == [
        "evaluation", "move", "analysis", "legal-moves", None, None
    ]  # fmt: skip
    analysis, body = rows[6], told[6]["body"]
    assert analysis["game"] == "tile"
    assert analysis["outcome"] == "ok"
    assert analysis["move"] == body["chosen"]["move"] == body["moves"][0]["move"]
    assert analysis["win_probability"] == body["root"]["win_probability"]
    assert analysis["expected_score"] == body["root"]["expected_score"]
    assert analysis["standard_error"] == body["moves"][0]["standard_error"]
    assert analysis["playouts"] == 30
    assert analysis["seed"] == body["search"]["seed"]
    assert analysis["problem"] is None
    assert rows[5]["depth"] == told[5]["body"]["search"]["depth"]
    assert rows[8]["problem"] == "invalid-request"
    assert rows[9]["problem"] == "malformed-json"
    assert rows[9]["win_probability"] is None


def test_an_empty_batch_is_an_empty_table(tmp_path: Path) -> None:
    source, table = write_items(tmp_path / "in.jsonl", []), tmp_path / "out.parquet"
    assert main(["batch", str(source), "--out", str(table), "--workers", "1"]) == 0
    assert parquet.read_table(table).num_rows == 0
