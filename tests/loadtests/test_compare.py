"""The dice tables of the comparison with OpenSpiel agree with the reference of these tests."""

import importlib.util
import random
from fractions import Fraction

import pytest
from http_client import CHECKOUT
from reference import dice as reference

spec = importlib.util.spec_from_file_location(
    "dice_tables", CHECKOUT / "loadtests" / "compare" / "dice_tables.py"
)
assert spec is not None
assert spec.loader is not None
tables = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tables)

SOME = [*random.Random(5).sample(tables.ROLLS, 40), (0, 0, 0, 0, 0, 6), (3, 0, 0, 0, 0, 3)]
EVERYTHING = [(r, c) for r in range(5) for c in range(5)]


@pytest.mark.parametrize("roll", SOME, ids=tables.text)
def test_keeps_and_marks(roll: tuple[int, ...]) -> None:
    letters = tables.text(roll)
    assert {tables.text(tables.KEEPS[n]) for n in tables.keeps_of(roll)} == reference.keeps(letters)
    marks = reference.mark_sets(letters, EVERYTHING, [1, 2, 3, 4, 5])
    assert set(tables.marks_of(roll)) == {tuple(5 * r + c for r, c in items) for items in marks}
    for items in tables.marks_of(roll):
        assert tables.mark_items(tables.mark_number(items)) == items


@pytest.mark.parametrize("kept", random.Random(6).sample(tables.KEEPS, 20), ids=tables.text)
def test_chances(kept: tuple[int, ...]) -> None:
    expected = reference.outcomes(tables.text(kept))
    found = {tables.text(tables.ROLLS[number]): chance for number, chance in tables.throws(kept)}
    assert set(found) == set(expected)
    for full, chance in found.items():
        assert chance == pytest.approx(float(Fraction(expected[full])), rel=1e-12)
