"""What has to hold for whatever a position reader is given, checked for one input.

Raises AssertionError, or whatever the reader wrongly raised. Knows no fuzzer, so that the inputs
that fuzzing found are plain tests (tests/engine/test_found_by_fuzzing.py).
"""

import json
import math
from collections.abc import Callable
from typing import Any

from shelfie.api import json_text
from shelfie.api.refusals import Refused
from shelfie.engine import GAMES, InvalidPosition, Position, Rng
from shelfie.engine.errors import Fault

LONGEST_NOTATION = {"tile": 1000, "dice": 2000}


def check_json(game: str, data: bytes) -> Position | None:
    """A position as JSON text: the position, or None when it is refused as it should be."""
    try:
        value = json_text.loads(data)
    except Refused:
        return None
    return None if isinstance(value, str) else check_value(game, value)


def check_value(game: str, value: Any) -> Position | None:
    """A position as a JSON value."""
    before = json.dumps(value)
    try:
        position = GAMES[game].read(value)
    except InvalidPosition as error:
        check_faults(error, lambda fault: leads_somewhere(fault, value))
        return None
    finally:
        assert json.dumps(value) == before, "the reader changed what it read"
    check_kept(value, position.to_json())
    check_position(game, position)
    return position


def check_notation(game: str, data: bytes) -> Position | None:
    """A position as a line of notation."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    try:
        position = GAMES[game].read(text)
    except InvalidPosition as error:
        check_faults(error, lambda fault: True)
        return None
    check_position(game, position)
    return position


def check_faults(error: InvalidPosition, placed: Callable[[Fault], bool]) -> None:
    """Faults of a refusal: at least one, each with code, sentence, and a pointer to a place."""
    assert error.faults
    for fault in error.faults:
        assert fault.pointer == "" or fault.pointer.startswith("/")
        assert fault.code
        assert fault.detail
        assert placed(fault), fault
    assert isinstance(error.malformed, bool)
    assert str(error)


def leads_somewhere(fault: Fault, value: Any) -> bool:
    """Whether a pointer names a place of the value; a missing field is missing where it says."""
    for token in fault.pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            if name not in value:
                return fault.code == "missing-field"
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return False
    return fault.code != "missing-field"


def check_kept(given: Any, kept: Any) -> None:
    """What was read is what was sent: no value is converted, none is lost."""
    optional = {"rules", "sheet"}
    for name in (set(given) | set(kept)) - optional:
        sent, found = given[name], kept[name]
        if name == "dice" and sent is not None:
            sent, found = sorted(sent), sorted(found)
        assert json.dumps(sent, sort_keys=True) == json.dumps(found, sort_keys=True), name
    for name in optional & set(kept):
        for option, value in kept[name].items():
            assert json.dumps(given[name][option]) == json.dumps(value), (name, option)


def check_position(game: str, position: Position) -> None:
    """An accepted position: both its texts are read as itself, and the rules can work on it."""
    check_texts(game, position)
    check_texts(game, position.masked())
    moves = check_moves(position)
    check_scores(position)
    if position.node == "decision":
        position.redealt(Rng("fuzz"))
    for move in {*moves[:1], *moves[-1:]}:
        after, _ = position.apply(move, rng=Rng("fuzz"))
        check_texts(game, after)
        check_moves(after)
        check_scores(after)


def check_texts(game: str, position: Position) -> None:
    read = type(position).read
    line, value = position.notation(), position.to_json()
    assert len(line) <= LONGEST_NOTATION[game]
    assert "\n" not in line
    for twin in (read(line), read(value), read(json.loads(json.dumps(value)))):
        assert twin.notation() == line
        assert json.dumps(twin.to_json()) == json.dumps(value)
        assert twin.state_bytes() == position.state_bytes()
        assert twin.key == position.key
        assert twin == position
        assert hash(twin) == hash(position)


def check_moves(position: Position) -> list[str]:
    """Moves sorted, each once, at least one while the game lives, all of them readable."""
    moves = position.legal_moves()
    assert position.node in ("decision", "chance", "terminal")
    assert (moves == []) == (position.node == "terminal")
    assert moves == sorted(set(moves))
    assert len(moves) <= position.game.max_moves
    if position.node == "decision":
        packed = position.moves()
        assert len(packed) == len(moves)
        assert all(position.parse_move(text) in packed for text in moves[:: len(moves) // 8 + 1])
    assert 0 <= position.to_move < position.players
    return moves


def check_scores(position: Position) -> None:
    scores, winners = position.scores(), position.winners()
    assert len(scores) == position.players
    assert all(type(seat["total"]) is int for seat in scores)
    assert (winners is None) == (position.node != "terminal")
    assert winners is None or math.isclose(sum(winners), 1)
