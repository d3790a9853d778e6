"""Properties of dice positions, for positions met in random games and for any junk."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reference import dice as twin

from shelfie.engine import GAMES, Fault, IllegalMove, InvalidPosition, Rng
from shelfie.engine.errors import InvalidOption
from shelfie.engine.position import Position

DICE = GAMES["dice"]

SHEETS = st.none() | st.fixed_dictionaries(
    {
        "columns": st.lists(st.integers(1, 6), min_size=5, max_size=5),
        "values": st.lists(
            st.lists(st.integers(0, 1_000_000), min_size=5, max_size=5), min_size=5, max_size=5
        ),
    }
)


def refusal(error: type[Exception], call: Callable[[], Any]) -> Any:
    """The error that a call raises, or None; any other error passes through."""
    try:
        call()
    except error as refused:
        return refused
    return None


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position after some steps of a random game."""
    position = DICE.new(draw(st.integers(2, 4)), Rng(""), sheet=draw(SHEETS))
    random = Random(draw(st.integers(0, 2**32)))
    for step in range(draw(st.integers(0, 60))):
        moves = position.legal_moves()
        if not moves:
            break
        final = [move for move in moves if not move.startswith("keep")]
        position, _ = position.apply(random.choice(final), rng=Rng("steps", step))
    return position


@given(positions())
def test_both_forms_round_trip(position: Position) -> None:
    """JSON and notation read back to an equal position."""
    assert DICE.read(position.to_json()) == position
    assert DICE.read(position.notation()) == position
    assert DICE.read(json.loads(json.dumps(position.to_json()))).notation() == position.notation()
    assert hash(DICE.read(position.notation())) == hash(position)
    assert DICE.read(position.notation()).state_bytes() == position.state_bytes()


@given(positions(), st.data())
def test_moves_are_sorted_unique_and_legal(position: Position, data: st.DataObject) -> None:
    """Moves are sorted and unique, parse back, and never change the position they leave."""
    moves = position.legal_moves()
    assert moves == sorted(set(moves))
    assert bool(moves) == (position.node != "terminal")
    packed = position.moves()
    assert len(packed) == len(set(packed)) == (len(moves) if position.node == "decision" else 0)
    before = position.state_bytes()
    for move in moves and data.draw(st.lists(st.sampled_from(moves), max_size=5)):
        assert position.format_move(position.parse_move(move)) == move
        assert position.move_detail(position.parse_move(move))["type"] == move.partition(":")[0]
        after, _ = position.apply(move, rng=Rng("x"))
        assert after != position
        assert position.state_bytes() == before


@given(positions(), st.randoms(use_true_random=False))
def test_moves_read_in_any_order(position: Position, random: Any) -> None:
    """Dice and items of a move may come in any order."""
    for move in position.legal_moves()[:40]:
        kind, colon, rest = move.partition(":")
        parts = rest.split(",") if kind == "mark" else list(rest)
        random.shuffle(parts)
        shuffled = kind + colon + ("," if kind == "mark" else "").join(parts)
        assert position.parse_move(shuffled) == position.parse_move(move)


@given(positions(), st.text(max_size=12) | st.from_regex(r"(keep|mark|cross):[PGBTCJ0-9,]*"))
def test_any_text_is_legal_or_refused(position: Position, text: str) -> None:
    """A text is one of the legal moves or refused with a sentence."""
    refused = refusal(IllegalMove, lambda: position.parse_move(text))
    if refused is None:
        assert position.format_move(position.parse_move(text)) in position.legal_moves()
    else:
        assert refused.detail.endswith(".")
        assert text not in position.legal_moves()


@given(positions(), st.none() | st.booleans() | st.integers() | st.text(max_size=8))
def test_any_outcome_fits_or_is_refused(position: Position, outcome: Any) -> None:
    """An outcome that is not six dice with the kept ones among them is refused as such."""
    for move in position.legal_moves()[:3]:
        refused = refusal(IllegalMove, lambda move=move: position.apply(move, outcome))
        if refused is not None:
            assert refused.field == "outcome"
            continue
        after, echoed = position.apply(move, outcome)
        assert (echoed is None) == (outcome is None)
        assert after.dice == echoed


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
GOOD = {
    "players": 2,
    "to_move": 0,
    "first_player": 0,
    "boards": [["....."] * 5, ["ooo.."] * 5],
    "dice": "PPGGJJ",
    "rerolls_left": 1,
    "sheet": {"columns": [1, 2, 3, 4, 5], "values": [[1, 2, 3, 5, 9]] * 5},
}
PLACES: list[tuple[Any, ...]] = [
    *[(name,) for name in GOOD],
    ("boards", 0), ("boards", 1, 2), ("sheet", "columns"), ("sheet", "columns", 3),
    ("sheet", "values"), ("sheet", "values", 0), ("sheet", "values", 4, 4), ("new",),
    ("sheet", "new"),
]  # fmt: skip


def read_or_faults(value: Any) -> list[Fault]:
    """The faults of a value; none when it reads as a position. Nothing else may be raised."""
    refused = refusal(InvalidPosition, lambda: DICE.read(value))
    if refused is None:
        assert DICE.read(value).node in ("decision", "chance", "terminal")
        return []
    assert refused.faults
    for fault in refused.faults:
        assert fault.pointer == "" or fault.pointer[0] == "/"
        assert fault.code
        assert fault.detail.endswith(".")
    faults: list[Fault] = refused.faults
    return faults


@given(JSON)
def test_any_json_is_a_position_or_refused(value: Any) -> None:
    """No JSON value makes the reader fail in another way."""
    assert read_or_faults(value)


@given(st.sampled_from(PLACES), JSON)
@example(("players",), True)
@example(("to_move",), False)
@example(("rerolls_left",), 1.0)
@example(("dice",), "PPGG\ud800J")
@example(("sheet", "values", 0), [True] * 5)
@example(("sheet", "values", 4, 4), 1_000_001)
@example(("boards", 0), ["....."] * 4 + ["....\u0307"])
def test_one_wrong_field_is_named(place: tuple[Any, ...], junk: Any) -> None:
    """Junk in one place of a good position is refused at that place or below it, or it is fine."""
    value = json.loads(json.dumps(GOOD))
    target = value
    for name in place[:-1]:
        target = target[name]
    target[place[-1]] = junk
    pointer = "/" + "/".join(map(str, place))
    faults = read_or_faults(value)
    if place == ("players",) and type(junk) is int and junk in (3, 4):
        assert [fault.pointer for fault in faults] == ["/boards"]
    elif place == ("dice",) and junk is None:
        assert [fault.pointer for fault in faults] == ["/rerolls_left"]
    else:
        assert all((fault.pointer + "/").startswith(pointer + "/") for fault in faults)
    if type(junk) in (bool, float):
        assert faults


@given(st.text(alphabet="./|ox PGBTCJ-0123456789:,", max_size=120) | st.text(max_size=30))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    """No notation makes the reader fail in another way."""
    read_or_faults(text)


@given(positions(), st.data())
def test_damaged_notation(position: Position, data: st.DataObject) -> None:
    """One character changed: read as another position, or refused."""
    text = position.notation()
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from("./|ox PGBTCJ-0123456789:,é"))
    damaged = text[:at] + letter + text[at + 1 :]
    if not read_or_faults(damaged):
        DICE.read(damaged)


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("", ""),
        ("roll", ""),
        ("...../...../...../...../.....|...../...../...../...../.....  0 0 - 2", ""),
        ("...../...../...../...../.....|...../...../...../...../..... 0 0 - 2\n", "/rerolls_left"),
        ("...../...../...../...../.....|...../...../...../...../..... 2 0 - 2", "/to_move"),
        ("...../...../...../...../.....|...../...../...../...../..... 0 00 - 2", "/first_player"),
        ("...../...../...../...../.....|...../...../...../...../..... 0 0 PGBTC 2", "/dice"),
        ("...../...../...../...../.....|...../...../...../..... 0 0 - 2", "/boards/1"),
        ("...../...../...../...../..... 0 0 - 2", "/players"),
        ("...../...../...../...../.....|...../...../...../...../..... 0 0 - 2 1,2,3,4,5", ""),
        (
            "...../...../...../...../.....|...../...../...../...../..... 0 0 - 2 "
            "1,2,3,4,7:1,2,3,5,8/1,2,3,5,8/1,2,3,5,8/1,2,3,5,8/1,2,3,5,8",
            "/sheet/columns/4",
        ),
        ("x" * 1_000_000, ""),
    ],
)
def test_faults_of_notations(text: str, pointer: str) -> None:
    """The pointer names the place inside the decoded position."""
    assert [fault.pointer for fault in read_or_faults(text)] == [pointer]


def test_all_faults_of_one_stage_at_once() -> None:
    """Form faults come together; the rules are looked at only when the form is right."""
    value = {"players": True, "to_move": 9, "boards": [["ooooo"] * 5, [".."]], "dice": 1,
             "rerolls_left": 3, "sheet": {"columns": [], "x/y": 0}, "~": 1}  # fmt: skip
    with pytest.raises(InvalidPosition) as caught:
        DICE.read(value)
    assert caught.value.malformed
    assert sorted(fault.pointer for fault in caught.value.faults) == [
        "/boards/1", "/dice", "/first_player", "/players", "/rerolls_left", "/sheet/columns",
        "/sheet/values", "/sheet/x~1y", "/to_move", "/~0",
    ]  # fmt: skip
    twice = {**GOOD, "boards": [["ooooo"] + ["....."] * 4] * 2}
    with pytest.raises(InvalidPosition) as caught:
        DICE.read(twice)
    assert not caught.value.malformed


@given(JSON, JSON)
def test_any_option_of_a_new_game_is_fine_or_refused(players: Any, sheet: Any) -> None:
    """`new` names every option that it cannot take."""
    refused = refusal(InvalidOption, lambda: DICE.new(players, Rng("x"), sheet=sheet))
    if refused is None:
        assert DICE.new(players, Rng("x"), sheet=sheet).players == players
    else:
        assert {fault.pointer.split("/")[1] for fault in refused.faults} <= {"players", "sheet"}


@given(positions())
def test_scores_like_the_twin(position: Position) -> None:
    """The breakdown adds up and equals the twin's."""
    value = position.to_json()
    assert position.scores() == twin.scores(value)
    assert position.legal_moves() == twin.legal_moves(value)


@given(positions(), st.data())
def test_outcomes_are_all_and_sum_to_one(position: Position, data: st.DataObject) -> None:
    """The listed chances of a roll or keep: positive, in all 1, and every throw within them."""
    moves = [m for m in position.legal_moves() if m == "roll" or m.startswith("keep")]
    if not moves:
        return
    move = data.draw(st.sampled_from(moves))
    chances = position.outcomes(move)
    assert min(chances.values()) > 0
    assert abs(sum(chances.values()) - 1) < 1e-12
    exact = twin.outcomes(move.partition(":")[2].replace("-", ""))
    assert chances.keys() == exact.keys()
    assert all(abs(chances[dice] - float(exact[dice])) < 1e-15 for dice in exact)
    assert position.apply(move, rng=Rng("draw"))[1] in chances
