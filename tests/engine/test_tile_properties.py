"""Properties of the tile engine over random positions, shelves and junk."""

import copy
import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import tile as twin
from reference import tile_data, tile_goals, tile_random
from reference.tile import Json
from reference.tile_data import TYPES
from reference.tile_faults import faults
from reference.tile_notation import notation

from shelfie.engine import GAMES, IllegalMove, InvalidPosition, Rng

TILE = GAMES["tile"]


def more(times: int) -> settings:
    """So many times the examples of the profile in force."""
    return settings(max_examples=times * settings.default.max_examples)


seeds = st.integers(0, 2**32)
positions = seeds.map(lambda seed: tile_random.anything(Random(seed)))


def pointers(value: Any) -> list[str]:
    """The engine's fault pointers for a would-be position; empty when it is accepted."""
    try:
        TILE.read(value)
    except InvalidPosition as refused:
        return sorted(fault.pointer for fault in refused.faults)
    return []


@given(positions)
def test_round_trips(value: Json) -> None:
    """JSON -> position -> JSON and notation -> position -> notation lose nothing."""
    before = copy.deepcopy(value)
    position = TILE.read(value)
    assert value == before
    assert json.dumps(position.to_json()) == json.dumps(twin.canonical(value))
    again = TILE.read(position.notation())
    assert again == position
    assert again.notation() == position.notation()
    assert again.state_bytes() == position.state_bytes()
    assert again.key == position.key
    assert hash(again) == hash(position)


@given(positions, seeds)
def test_moves_and_apply(value: Json, seed: int) -> None:
    """Moves are sorted and unique, apply leaves its input alone and makes a valid position."""
    position = TILE.read(value)
    before, text = position.state_bytes(), position.notation()
    moves = position.legal_moves()
    assert moves == sorted(set(moves)) == twin.legal_moves(value)
    assert bool(moves) is (position.node != "terminal")
    packed = position.moves()
    assert len(set(packed)) == len(packed)
    assert sorted(position.format_move(move) for move in packed) == (
        moves if position.node == "decision" else []
    )
    if not moves:
        return
    move = Random(seed).choice(moves)
    after, outcome = position.apply(move, rng=Rng(f"{seed}"))
    assert position.state_bytes() == before
    assert position.notation() == text
    result = after.to_json()
    assert faults(result) == set()
    assert result == twin.apply(value, move, outcome)
    repeated, _ = position.apply(move, outcome=outcome)
    assert repeated.state_bytes() == after.state_bytes()
    in_sight = Counter("".join(result["board"]) + "".join(map("".join, result["shelves"])))
    del in_sight["."]
    assert twin.bag(result) + in_sight == Counter(dict.fromkeys(TYPES, 22))


@given(positions, seeds)
def test_other_orders_of_a_take(value: Json, seed: int) -> None:
    """Any order of the cells is accepted and has the effect of the listed move."""
    position, random = TILE.read(value), Random(seed)
    if position.node != "decision":
        return
    for text in random.sample(position.legal_moves(), min(6, len(position.legal_moves()))):
        cells, column = text.split(">")
        shuffled = cells.split(",")
        random.shuffle(shuffled)
        other = f"{','.join(shuffled)}>{column}"
        packed = position.parse_move(other)
        assert position.format_move(packed) == other
        listed = position.canonical(packed)
        assert position.format_move(listed) == twin.canonical_move(value, other)
        assert position.apply(other)[0] == position.apply(position.format_move(listed))[0]
        detail = position.move_detail(packed)
        assert detail["cells"] == [[int(cell[0]), int(cell[1])] for cell in shuffled]
        assert detail["tiles"] == "".join(value["board"][r][c] for r, c in detail["cells"])
        assert (detail["type"], detail["column"]) == ("take", int(column))


@more(1)
@given(positions.filter(lambda value: twin.node(value) == "decision"), seeds)
def test_exactly_the_legal_takes_are_accepted(value: Json, seed: int) -> None:
    """Any two cells, and three close to each other or not, tried in any order."""
    position, random = TILE.read(value), Random(seed)
    held = sorted(twin.tiles(value["board"]))
    lines = {frozenset(line) for line in twin.lines(value)}
    rooms = [twin.room(value["shelves"][value["to_move"]], c) for c in range(5)]
    for _ in range(200):
        start = random.randrange(len(held))
        near = held[start : start + 4] if random.random() < 0.7 else held
        cells = random.sample(near, min(len(near), random.randint(1, 3)))
        if random.random() < 0.3 and cells[0][0] < 8:  # the cell below, whatever it holds
            cells.append((cells[0][0] + 1, cells[0][1]))
        column = random.randrange(5)
        legal = frozenset(cells) in lines and len(set(cells)) == len(cells) <= rooms[column]
        try:
            position.parse_move(twin.move_text(tuple(cells), column))
        except IllegalMove:
            assert not legal, (cells, column)
        else:
            assert legal, (cells, column)


@given(positions)
def test_what_the_mover_sees(value: Json) -> None:
    """Masked: the other players' cards are unknown, all else is as before."""
    position = TILE.read(value)
    mine = value["to_move"]
    seen = [c if seat == mine else None for seat, c in enumerate(value["personal_goals"])]
    assert position.masked().to_json() == twin.canonical({**value, "personal_goals": seen})
    assert position.hidden() is (seen != value["personal_goals"])
    assert position.bag() == {kind: twin.bag(value)[kind] for kind in TYPES}


def test_the_printed_parts() -> None:
    """Living room, cards and point tables of the engine equal those typed in for the twin."""
    data = TILE.rules_data()
    assert tuple(data["living_room"]) == tile_data.ROOM
    assert data["tiles_per_type"] == tile_data.TILES_PER_TYPE
    assert "".join(data["tile_types"]) == TYPES
    for number, card in data["personal_goals"].items():
        places = {(r, c, k) for r, row in enumerate(card) for c, k in enumerate(row) if k != "."}
        wanted = tile_data.CARDS[int(number)].split()
        assert places == {(int(w[0]), int(w[1]), w[2]) for w in wanted}
    assert tuple(data["personal_points"]) == tile_data.PERSONAL_POINTS
    assert {int(n): tuple(t) for n, t in data["common_tokens"].items()} == tile_data.TOKENS
    for size, points in data["adjacency_points"].items():
        assert tile_data.group_points(int(size)) == points
    assert [goal["goal"] for goal in data["common_goals"]] == list(tile_goals.GOALS)
    assert [goal["number"] for goal in data["common_goals"]] == list(range(1, 13))
    assert data["end_token"] == 1
    assert {name: rule["default"] for name, rule in data["rules"].items()} == {
        "refill": "return",
        "squares": "any",
    }


@given(positions.filter(lambda value: twin.node(value) == "chance"), seeds)
def test_refills(value: Json, seed: int) -> None:
    """Any refill the engine draws is possible, and it accepts exactly the possible ones."""
    random, position = Random(seed), TILE.read(value)
    drawn = position.apply("refill", rng=Rng(f"{seed}"))[1]
    assert twin.refill_possible(value, drawn)
    for board in (drawn, tile_random.refill(random, value)):
        tried = spoil(random, board)
        if twin.refill_possible(value, tried):
            assert position.apply("refill", outcome=tried)[1] == tried
        else:
            with pytest.raises(IllegalMove) as refused:
                position.apply("refill", outcome=tried)
            assert refused.value.field == "outcome"


def spoil(random: Random, board: list[str]) -> list[str]:
    """The board with up to three cells changed: often impossible after that, not always."""
    rows = [list(row) for row in board]
    for _ in range(random.randint(0, 3)):
        row, column = random.randrange(9), random.randrange(9)
        rows[row][column] = random.choice("CBGFTP...x")
    return ["".join(row) for row in rows]


# --- what must be refused ---

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["CBGFTP...", ".....", ".........", "staircase", "keep", "any"]),
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
FIELDS = (
    "players",
    "to_move",
    "first_player",
    "board",
    "shelves",
    "common_goals",
    "personal_goals",
    "end_token",
    "rules",
)


@more(3)
@given(json_values)
def test_junk_is_refused(value: Any) -> None:
    """Any JSON value gives InvalidPosition or a position, never another exception."""
    pointers(value)


@more(3)
@given(positions, st.dictionaries(st.sampled_from(FIELDS), json_values, min_size=1, max_size=2))
def test_junk_in_a_field_is_refused(value: Json, junk: Json) -> None:
    """Junk in a field of a valid position: refused, with exactly the twin's pointers there."""
    value = {**value, **junk}
    found = pointers(value)
    if "players" not in junk or not faults(value) - {"/players"}:
        assert found == sorted(faults(value))
    else:
        assert "/players" in found


@more(3)
@given(st.text(max_size=200) | st.text("CBGFTP./|0123456789 ,:?-;=", max_size=200))
def test_junk_notation_is_refused(text: str) -> None:
    pointers(text)


@more(3)
@given(positions, st.data())
def test_damaged_notation(value: Json, data: st.DataObject) -> None:
    """A notation with one character changed, dropped or added is refused or round-trips."""
    text = TILE.read(value).notation()
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(st.text("CBGFTPX./|0123456789 ,:?-;=é٣", max_size=2))
    damaged = text[:at] + put + text[at + data.draw(st.integers(0, 2)) :]
    try:
        position = TILE.read(damaged)
    except InvalidPosition:
        return
    assert faults(position.to_json()) == set()
    assert TILE.read(position.notation()) == position


@more(3)
@given(positions, st.text(max_size=20) | st.text("0123456789,>. +-", max_size=12))
def test_junk_moves_are_refused(value: Json, text: str) -> None:
    """A text that is no legal move is refused; if it is one, the twin accepts it too."""
    position = TILE.read(value)
    try:
        after, outcome = position.apply(text, rng=Rng("junk"))
    except IllegalMove:
        with pytest.raises(twin.Refused):
            twin.apply(value, text)
    else:
        assert after.to_json() == twin.apply(value, text, outcome)


def damage(random: Random, value: Json) -> Json:
    """One to four fields changed, each in one way; often at odds with the rules."""
    value = copy.deepcopy(value)
    n = value["players"]
    for field in random.sample(FIELDS[1:], random.randint(1, 4)):
        if field in ("to_move", "first_player"):
            value[field] = random.choice([*range(n), -1, n, True, 1.0, "0", None])
        elif field == "end_token":
            value[field] = random.choice([*range(n), None, -1, n, False, 0.0, "1", []])
        elif field == "board":
            r = random.randrange(9)
            value[field][r] = change_row(random, value[field][r])
        elif field == "shelves":
            seat = random.randrange(n)
            change_shelf(random, value[field][seat])
        elif field == "common_goals":
            change_card(random, random.choice(value[field]), n)
        elif field == "personal_goals":
            change_list(random, value[field], [0, 13, 7, None, True, 7.0, "7"])
        else:
            value[field] = random.choice(
                [{}, {"refill": "keep"}, {"refill": "Keep"}, {"squares": None}, {"x/y~": 1}, None]
            )
    return value


def change_row(random: Random, row: str) -> Any:
    """A letter replaced by another or by something that is none, or a wrong length."""
    at = random.randrange(len(row))
    put = random.choice(["C", "P", ".", ".", "c", " ", "", "..", "é"])
    return random.choice([row[:at] + put + row[at + 1 :]] * 6 + [None, 7, [row]])


def change_shelf(random: Random, shelf: list[Any]) -> None:
    """A floating tile, a bad row, or a row too many."""
    kind = random.randrange(4)
    if kind == 0:
        shelf.append(".....")
    elif kind == 1:
        r = random.randrange(6)
        shelf[r] = random.choice(["....", "......", "....x", None])
    elif kind == 2:
        r, c = random.randrange(6), random.randrange(5)
        shelf[r] = shelf[r][:c] + random.choice("CP") + shelf[r][c + 1 :]
    else:
        shelf[:] = ["CBGFT", "BGFTP", "GFTPC", "FTPCB", "TPCBG", "PCBGF"]  # full


def change_card(random: Random, card: Json, players: int) -> None:
    if random.random() < 0.5:
        change_list(random, card["claimed_by"], [*range(players), -1, players, True, 1.0, None])
    else:
        card[random.choice(["goal", "tokens"])] = random.choice(
            [*tile_goals.GOALS, "Staircase", 3, None]
        )


def change_list(random: Random, values: list[Any], choices: list[Any]) -> None:
    """One more, one less, or another element."""
    kind = random.randrange(3)
    if kind == 0 or not values:
        values.append(random.choice(choices))
    elif kind == 1:
        values.pop(random.randrange(len(values)))
    else:
        values[random.randrange(len(values))] = random.choice(choices)


@more(15)
@given(positions, seeds)
def test_faults_of_damaged_positions(value: Json, seed: int) -> None:
    """Exactly the twin's pointers for positions with several kinds of damage at once."""
    value = damage(Random(seed), value)
    assert pointers(value) == sorted(faults(value))


@more(8)
@given(positions, seeds)
def test_faults_of_damaged_notations(value: Json, seed: int) -> None:
    """A notation has the faults of the position it stands for, with the same pointers."""
    value = damage(Random(seed), value)
    if writable(value):
        assert pointers(notation(value)) == sorted(faults(value))


def writable(value: Json) -> bool:
    """Can this would-be position be written as a notation that stands for just this?"""
    seats = [value["to_move"], value["first_player"], value["end_token"]]
    seats += [seat for card in value["common_goals"] for seat in card.get("claimed_by", [])]
    rows = [*value["board"], *(row for shelf in value["shelves"] for row in shelf)]
    cards = value["common_goals"]
    return (
        all(type(seat) is int and 0 <= seat <= 9 for seat in seats if seat is not None)
        and None not in seats[:2] + seats[3:]
        and all(isinstance(row, str) and " " not in row for row in rows)
        and all(set(card) == {"goal", "claimed_by"} for card in cards)
        and all(isinstance(card["goal"], str) for card in cards)
        and all(type(card) in (int, type(None)) for card in value["personal_goals"])
        and value.get("rules") in ({"refill": "keep"}, {"squares": "same"}, {})
    )


def test_damage_hits_every_kind_of_fault() -> None:
    """The damage above is not idle: both stages, every field, and many still valid ones."""
    seen = Counter()
    for seed in range(3000):
        random = Random(seed)
        found = faults(damage(random, tile_random.anything(random)))
        seen.update({pointer.split("/")[1] if pointer else "" for pointer in found} or {"valid"})
    assert set(seen) >= {"valid", *FIELDS[1:]}
    assert min(seen.values()) >= 5, seen


# --- misuse from Python code: an exception, never a look into foreign memory ---


@pytest.mark.parametrize("player", [-1, 2, 3, 4, 10**8])
def test_shelf_of_nobody(player: int) -> None:
    with pytest.raises(IndexError):
        TILE.new(2, Rng("shelf")).shelf(player)


def test_very_long_lists_are_judged_element_by_element() -> None:
    """One fault an element, in a time that grows with the list and not with its square."""
    value = TILE.new(2, Rng("long")).to_json()
    claims = [{"goal": "staircase", "claimed_by": [0] * 100_000}]
    with pytest.raises(InvalidPosition) as refused:
        TILE.read({**value, "common_goals": claims})
    assert len(refused.value.faults) == 99_999
    with pytest.raises(InvalidPosition) as refused:
        TILE.read({**value, "players": 0, "personal_goals": [1] * 100_000})
    assert len(refused.value.faults) == 100_000
