"""An answer as one flat row, for tables: the values most asked for, and the whole as JSON text."""

from typing import Any

import orjson

from shelfie.api import json_text
from shelfie.api.batch import Line
from shelfie.api.batch_items import Item

# Column -> kind, in the order of the table.
COLUMNS = {
    "index": "int64",
    "id": "string",
    "game": "string",
    "op": "string",
    "status": "int16",
    "problem": "string",
    "detail": "string",
    "outcome": "string",
    "position_hash": "string",
    "to_move": "int8",
    "move": "string",
    "moves_total": "int32",
    "win_probability": "list<double>",
    "expected_score": "list<double>",
    "standard_error": "double",
    "method": "string",
    "playouts": "int64",
    "depth": "int8",
    "time_ms": "int64",
    "stopped_by": "string",
    "seed": "string",
    "model": "string",
    "body": "string",
}

Values = dict[str, Any]


def row_of(item: Item, line: Line) -> bytes:
    """The row of an item's line as JSON with a line end; a column without a value is null."""
    told = orjson.loads(line.text)
    whole = told.get("body", told.get("problem"))
    found = {
        "index": item.index,
        "id": item.id,
        "game": item.game or None,
        "op": item.op or None,
        "status": line.status,
        **(answered(whole) if line.status == 200 else refused(whole)),
        "body": json_text.dumps(whole).decode(),
    }
    return json_text.dumps({name: found.get(name) for name in COLUMNS}) + b"\n"


def answered(body: Values) -> Values:
    """Columns of an answer. move and standard_error are those of the move that was chosen."""
    search, root = body.get("search", {}), body.get("root", {})
    best = next(iter(body.get("moves", ())), None)
    return {
        "outcome": body.get("status"),
        "position_hash": body.get("position_hash"),
        "to_move": body.get("to_move"),
        "move": body.get("chosen", {}).get("move"),
        "moves_total": body.get("moves_total"),
        "win_probability": root.get("win_probability"),
        "expected_score": root.get("expected_score"),
        "standard_error": best.get("standard_error") if isinstance(best, dict) else None,
        **{n: search.get(n) for n in ("method", "playouts", "depth", "time_ms", "stopped_by")},
        "seed": search.get("seed", body.get("seed")),
        "model": body.get("engine", {}).get("model"),
    }


def refused(problem: Values) -> Values:
    """Columns of a problem."""
    return {"problem": problem["type"].rpartition("/")[2], "detail": problem["detail"]}
