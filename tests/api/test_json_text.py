"""The JSON reader and writer by themselves."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shelfie.api.json_text import MAX_DEPTH, dumps, loads
from shelfie.api.refusals import Refused

NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(TEXTS, inside, max_size=4),
    max_leaves=12,
)


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@given(VALUES)
@settings(max_examples=200, derandomize=True)
def test_what_is_written_is_read_back(value: Any) -> None:
    assert loads(dumps(value)) == value


@given(st.binary(max_size=40))
@settings(max_examples=300, derandomize=True)
def test_any_bytes_are_a_value_or_refused(data: bytes) -> None:
    try:
        value = loads(data)
    except Refused:
        return  # nothing else may be raised
    assert json.loads(data) == value


def test_depth_is_bounded_exactly() -> None:
    assert loads(nested(MAX_DEPTH)) is not None
    with pytest.raises(Refused, match="Nested deeper"):
        loads(nested(MAX_DEPTH + 1))
    wide = "[" + ",".join(["[]"] * 1000) + "]"
    assert len(loads(wide)) == 1000


def test_one_text_per_value() -> None:
    assert dumps({"b": 1, "a": [1.5, "é", None]}) == '{"b":1,"a":[1.5,"é",null]}'.encode()
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="Out of range"):
            dumps(value)


def test_the_repeated_key_is_named() -> None:
    with pytest.raises(Refused, match='"b"'):
        loads('{"a": 1, "b": 2, "c": 3, "b": 4}')
