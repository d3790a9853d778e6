"""The conformance vectors of the dice game, made by a separate slow implementation."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from vectors import load

from shelfie.engine.dice.position import DicePosition
from shelfie.engine.dice.tables import dice_index, dice_text, roll_probability
from shelfie.engine.errors import IllegalMove, InvalidPosition


def both_forms(case: dict[str, Any]) -> Iterator[DicePosition]:
    """The position read from JSON and from its notation."""
    yield DicePosition.read(case["position"])
    yield DicePosition.read(case["notation"])


def test_positions() -> None:
    """Node, legal moves, scores and winners of each position, in both forms."""
    for case in load("dice_positions"):
        for position in both_forms(case):
            assert position.to_json() == case["position"]
            assert list(position.to_json()) == list(case["position"])
            assert position.notation() == case["notation"]
            assert position.node == case["node"]
            moves = position.legal_moves()
            assert len(moves) == case["moves_total"]
            assert moves == case.get("legal_moves", moves)
            assert position.scores() == case["scores"]
            assert position.winners() == case["winners"]


def test_applies() -> None:
    """The position after each move."""
    for case in load("dice_applies"):
        for position in both_forms(case):
            after, outcome = position.apply(case["move"], case.get("outcome"))
            assert outcome == case.get("outcome")
            assert after.to_json() == case["result"]
            assert after.notation() == case["result_notation"]
            assert after.node == case["result_node"]


def test_illegal_moves_are_refused() -> None:
    """Each illegal move or impossible outcome, with the right field at fault."""
    for case in load("dice_illegal"):
        for position in both_forms(case):
            with pytest.raises(IllegalMove) as caught:
                position.apply(case["move"], case.get("outcome", None))
            if "outcome" in case:
                assert caught.value.field == "outcome"
            else:
                assert caught.value.field == "move"
            assert caught.value.detail


def test_invalid_positions_are_refused() -> None:
    """Every fault at once, each under its pointer."""
    for case in load("dice_invalid"):
        with pytest.raises(InvalidPosition) as caught:
            DicePosition.read(case["position"])
        pointers = [fault.pointer for fault in caught.value.faults]
        assert sorted(pointers) == case["pointers"], case["note"]
        assert all(fault.code and fault.detail for fault in caught.value.faults)


def test_chances() -> None:
    """The exact chance of every outcome of a keep, and no outcome more."""
    for case in load("dice_chances"):
        kept = dice_index(case["keep"].replace("-", ""))
        expected = {dice: float(Fraction(chance)) for dice, chance in case["outcomes"].items()}
        for full in range(462, 924):
            chance = expected.pop(dice_text(full), 0.0)
            assert roll_probability(kept, full) == pytest.approx(chance, rel=1e-14)
        assert not expected


def test_perft() -> None:
    """Keeps, marks by size and crosses over all 462 rolls."""
    for case in load("perft"):
        if case["game"] != "dice":
            continue
        start = DicePosition.read(case["position"])
        keeps = crosses = without = 0
        marks = [0, 0, 0, 0]
        for roll in range(462, 924):
            moves = start.apply("roll", dice_text(roll))[0].legal_moves()
            keeps += sum(move.startswith("keep:") for move in moves)
            crosses += sum(move.startswith("cross:") for move in moves)
            without += any(move.startswith("cross:") for move in moves)
            for move in moves:
                if move.startswith("mark:"):
                    marks[move.count(",") + 1] += 1
        assert keeps == case["keeps"]
        assert marks[1:] == [case["marks1"], case["marks2"], case["marks3"]]
        assert crosses == case["crosses"]
        assert without == case["rolls_without_mark"]
