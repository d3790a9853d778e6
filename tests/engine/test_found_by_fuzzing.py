"""What `make fuzz` checks, on fixed inputs: the vectors' positions, and changes of them."""

import json
from typing import Any

import pytest
from fuzz.invariants import check_json, check_notation, check_value
from fuzz.mutate import mutated
from vectors import load

from shelfie.engine import GAMES
from shelfie.engine.tile import reader

BOTH = pytest.mark.parametrize("game", GAMES)


def cases(name: str) -> list[dict[str, Any]]:
    """Every eighth case: the readers are tested on all of them elsewhere."""
    return load(name)[::8]


@BOTH
def test_good_positions(game: str) -> None:
    for case in cases(f"{game}_positions"):
        assert check_json(game, json.dumps(case["position"]).encode()) is not None
        assert check_notation(game, case["notation"].encode()) is not None


@BOTH
def test_bad_positions(game: str) -> None:
    for case in load(f"{game}_invalid"):
        assert check_value(game, case["position"]) is None


@BOTH
def test_changed_positions(game: str) -> None:
    """The fuzzer's own changes of values: most are refused, some are accepted."""
    accepted = refused = 0
    for case in cases(f"{game}_positions"):
        for seed in range(5):
            data = mutated(json.dumps(case["position"]).encode(), seed)
            assert data is not None
            found = check_json(game, data)
            accepted, refused = accepted + bool(found), refused + (not found)
    assert accepted > 10
    assert refused > 10


def test_a_wrong_reader_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that takes true for 1 does not get past the checks."""
    case = next(case for case in load("tile_positions") if case["position"]["to_move"] == 1)
    wrong = case["position"] | {"to_move": True}
    assert check_value("tile", wrong) is None
    monkeypatch.setattr(reader, "is_int", lambda value: isinstance(value, int))
    with pytest.raises(AssertionError, match="to_move"):
        check_value("tile", wrong)
