"""Every vector of the tile game through the engine."""

import json
from typing import Any

import pytest
from vectors import Case, load

from shelfie.engine import GAMES, IllegalMove, InvalidPosition
from shelfie.engine.tile.goals import achieved

TILE = GAMES["tile"]


def same_json(left: Any, right: Any) -> bool:
    """Equal values in the same order of fields."""
    return json.dumps(left) == json.dumps(right)


@pytest.mark.parametrize("case", load("tile_positions"))
def test_position(case: Case) -> None:
    """Node, moves, scores, winners; JSON and notation, each read and written."""
    position = TILE.read(case["position"])
    assert position.node == case["node"]
    assert position.players == case["position"]["players"]
    assert position.to_move == case["position"]["to_move"]
    moves = position.legal_moves()
    assert len(moves) == case["moves_total"]
    assert moves == case.get("legal_moves", moves)
    assert position.scores() == case["scores"]
    assert position.winners() == case["winners"]
    assert position.notation() == case["notation"]
    assert same_json(position.to_json(), case["position"])
    again = TILE.read(case["notation"])
    assert same_json(again.to_json(), case["position"])
    assert again.state_bytes() == position.state_bytes()


@pytest.mark.parametrize("case", load("tile_applies"))
def test_apply(case: Case) -> None:
    position = TILE.read(case["position"])
    result, outcome = position.apply(case["move"], outcome=case.get("outcome"))
    assert same_json(result.to_json(), case["result"])
    assert result.node == case["result_node"]
    assert result.notation() == case["result_notation"]
    assert outcome == case.get("outcome")
    # A state reached by a move and the same state read from text are the same bytes.
    assert result.state_bytes() == TILE.read(case["result"]).state_bytes()


@pytest.mark.parametrize("case", load("tile_goals"))
def test_goal(case: Case) -> None:
    squares = case["rules"].get("squares", "any")
    assert achieved(case["goal"], case["shelf"], squares) is case["achieved"], case["note"]


@pytest.mark.parametrize("case", load("tile_illegal"))
def test_illegal(case: Case) -> None:
    position = TILE.read(case["position"])
    with pytest.raises(IllegalMove) as refused:
        position.apply(case["move"], outcome=case.get("outcome"))
    assert refused.value.field == ("outcome" if "outcome" in case else "move")
    assert refused.value.detail


@pytest.mark.parametrize("case", load("tile_invalid"))
def test_invalid(case: Case) -> None:
    with pytest.raises(InvalidPosition) as refused:
        TILE.read(case["position"])
    faults = refused.value.faults
    assert sorted(fault.pointer for fault in faults) == sorted(case["pointers"]), case["note"]
    assert all(fault.code and fault.detail for fault in faults)
    form_is_right = {
        "floating",
        "unused_cell",
        "goal_twice",
        "card_twice",
        "claimed_twice",
        "too_many_tiles",
        "token_not_full",
        "token_not_taken",
        "token_not_first",
        "full_before_turn",
    }
    assert refused.value.malformed is not (set(case["rules_broken"]) <= form_is_right)


@pytest.mark.parametrize("case", [c for c in load("perft") if c["game"] == "tile"])
def test_tree_counts(case: Case) -> None:
    """Move sequences of length one and two; on a difference the counts per first move."""
    position = TILE.read(case["notation"])
    below = {move: len(position.apply(move)[0].moves()) for move in position.legal_moves()}
    assert len(below) == case["perft1"]
    assert sum(below.values()) == case["perft2"], below
