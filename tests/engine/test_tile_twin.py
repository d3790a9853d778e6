"""Whole games played by the engine and by the twin side by side, compared after every step."""

import json
from itertools import product
from random import Random

import pytest
from reference import tile as twin
from reference import tile_random
from reference.tile import Json
from reference.tile_faults import faults
from reference.tile_notation import notation

from shelfie.engine import GAMES, Position, Rng
from shelfie.engine.errors import InvalidOption

TILE = GAMES["tile"]
ROUNDS_AT_MOST = 30  # every turn fills at least one of thirty places


def agree(position: Position, expected: Json) -> None:
    """Everything that both can say about a position."""
    assert json.dumps(position.to_json()) == json.dumps(expected)
    assert position.node == twin.node(expected)
    assert position.to_move == expected["to_move"]
    assert position.legal_moves() == twin.legal_moves(expected)
    assert position.scores() == twin.scores(expected)
    assert position.winners() == twin.winners(expected)
    assert position.notation() == notation(expected)


def other_order(random: Random, expected: Json, move: str) -> str:
    """The same take with its cells in another order that drops the same sequence, if any."""
    if move == "refill":
        return move
    text, column = move.split(">")
    cells = text.split(",")
    random.shuffle(cells)
    shuffled = f"{','.join(cells)}>{column}"
    same = twin.canonical_move(expected, shuffled) == move
    return shuffled if same else move


def play(random: Random, expected: Json, stream: object) -> None:
    """Play to the end; odd refills are drawn by the engine, even ones by the twin."""
    position, turns, refills = TILE.read(expected), 0, 0
    agree(position, expected)
    while position.node != "terminal":
        move = random.choice(position.legal_moves())
        outcome = None
        if position.node == "chance":
            refills += 1
            if refills % 2:
                position, outcome = position.apply(move, rng=Rng(f"{stream}", refills))
                assert twin.refill_possible(expected, outcome)
            else:
                outcome = tile_random.refill(random, expected)
                position, echoed = position.apply(move, outcome=outcome)
                assert echoed == outcome
        else:
            turns += 1
            position, nothing = position.apply(other_order(random, expected, move))
            assert nothing is None
        expected = twin.apply(expected, move, outcome)
        agree(position, expected)
        assert turns <= ROUNDS_AT_MOST * expected["players"]
    assert faults(expected) == set()


CASES = list(product((2, 3, 4), ("return", "keep"), ("any", "same"), (1, 2), (True, False)))


@pytest.mark.parametrize(("players", "refill", "squares", "goals", "personal"), CASES)
def test_whole_games(players: int, refill: str, squares: str, goals: int, personal: bool) -> None:
    """From the opening, under every combination of rules."""
    seed = f"{players}{refill}{squares}{goals}{personal}"
    random = Random(seed)
    switches = {"refill": refill, "squares": squares}
    start = tile_random.opening(random, players, switches, goals, personal)
    if personal and goals == 1:  # some cards unknown
        start["personal_goals"] = [
            card if random.random() < 0.5 else None for card in start["personal_goals"]
        ]
    play(random, twin.canonical(start), seed)


@pytest.mark.parametrize("seed", range(120))
def test_from_odd_positions(seed: int) -> None:
    """From positions that games seldom reach: short bags, lone tiles, last rounds."""
    random = Random(seed)
    play(random, tile_random.anything(random), seed)


@pytest.mark.parametrize("seed", range(12))
def test_new_games(seed: int) -> None:
    """An engine-made opening is an opening to the twin: full room, empty shelves, own cards."""
    random = Random(seed)
    players, goals, personal = random.choice([2, 3, 4]), random.choice([1, 2]), seed % 3 > 0
    rules = random.choice([None, {"refill": "keep"}, {"squares": "same", "refill": "return"}])
    position = TILE.new(
        players, Rng(f"new-{seed}"), common_goals=goals, personal_goals=personal, rules=rules
    )
    made = position.to_json()
    assert faults(made) == set()
    assert made["players"] == players
    assert made["to_move"] == made["first_player"]
    empty = {**made, "board": ["." * 9] * 9}
    assert twin.refill_possible(empty, made["board"])
    assert made["shelves"] == [["....."] * 6] * players
    assert len(made["common_goals"]) == goals
    assert all(card["claimed_by"] == [] for card in made["common_goals"])
    assert made["end_token"] is None
    assert None not in made["personal_goals"]
    assert len(set(made["personal_goals"])) == (players if personal else 0)
    for name in ("refill", "squares"):
        assert twin.rule(made, name) == twin.rule({"rules": rules or {}}, name)
    play(random, made, f"new-{seed}")


def test_new_games_differ_by_seed_and_repeat() -> None:
    openings = [TILE.new(4, Rng(f"{seed}")).notation() for seed in range(30)]
    assert len(set(openings)) == 30
    assert openings == [TILE.new(4, Rng(f"{seed}")).notation() for seed in range(30)]
    cards = {g["goal"] for text in openings for g in TILE.read(text).to_json()["common_goals"]}
    personal = {g for text in openings for g in TILE.read(text).to_json()["personal_goals"]}
    assert len(cards) == 12
    assert personal == set(range(1, 13))


@pytest.mark.parametrize(
    ("options", "pointers"),
    [
        ({"common_goals": 0}, ["/common_goals"]),
        ({"common_goals": 3}, ["/common_goals"]),
        ({"common_goals": True}, ["/common_goals"]),
        ({"personal_goals": 1}, ["/personal_goals"]),
        ({"rules": []}, ["/rules"]),
        ({"rules": {"refill": "never"}}, ["/rules/refill"]),
        ({"rules": {"re/fill": "keep"}}, ["/rules/re~1fill"]),
        ({"common_goals": 0, "personal_goals": None}, ["/common_goals", "/personal_goals"]),
    ],
)
def test_options_of_a_new_game_are_checked(options: Json, pointers: list[str]) -> None:
    with pytest.raises(InvalidOption) as refused:
        TILE.new(2, Rng("option"), **options)
    assert sorted(fault.pointer for fault in refused.value.faults) == pointers
