"""The twin alone against the vectors: what judges the engine is judged first."""

import pytest
from reference import tile as twin
from reference.tile_faults import faults
from reference.tile_goals import achieved
from reference.tile_notation import notation, read
from vectors import Case, load


@pytest.mark.parametrize("case", load("tile_positions"))
def test_positions(case: Case) -> None:
    """Node, moves, scores, winners and the notation both ways."""
    position = case["position"]
    assert faults(position) == set()
    assert twin.node(position) == case["node"]
    moves = twin.legal_moves(position)
    assert len(moves) == case["moves_total"]
    assert moves == case.get("legal_moves", moves)
    assert twin.scores(position) == case["scores"]
    assert twin.winners(position) == case["winners"]
    assert notation(position) == case["notation"]
    assert read(case["notation"]) == position
    assert list(twin.canonical(position)) == list(position)


@pytest.mark.parametrize("case", load("tile_applies"))
def test_applies(case: Case) -> None:
    result = twin.apply(case["position"], case["move"], case.get("outcome"))
    assert result == case["result"]
    assert twin.node(result) == case["result_node"]
    assert notation(result) == case["result_notation"]


@pytest.mark.parametrize("case", load("tile_goals"))
def test_goals(case: Case) -> None:
    squares = case["rules"].get("squares", "any")
    assert achieved(case["goal"], case["shelf"], squares) is case["achieved"], case["note"]


@pytest.mark.parametrize("case", load("tile_illegal"))
def test_illegal(case: Case) -> None:
    with pytest.raises(twin.Refused):
        twin.apply(case["position"], case["move"], case.get("outcome"))


@pytest.mark.parametrize("case", load("tile_invalid"))
def test_invalid(case: Case) -> None:
    assert sorted(faults(case["position"])) == sorted(case["pointers"]), case["note"]


@pytest.mark.parametrize("case", [c for c in load("perft") if c["game"] == "tile"])
def test_tree_counts(case: Case) -> None:
    position = case["position"]
    moves = twin.legal_moves(position)
    assert len(moves) == case["perft1"]
    below = [len(twin.legal_moves(twin.apply(position, move))) for move in moves]
    assert sum(below) == case["perft2"]
