"""Loader of the conformance vectors: cases written by an implementation apart from ours."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

Case = dict[str, Any]
FOLDER = Path(__file__).parent / "data" / "vectors"


@cache
def load(name: str) -> list[Case]:
    """The cases of tests/data/vectors/<name>.jsonl.gz, one dict a line; treat as read-only."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
