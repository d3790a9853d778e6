"""Whole games played by the engine and by the twin side by side, compared after every step."""

import json
from random import Random
from typing import Any

import pytest
from reference import dice as twin

from shelfie.engine import GAMES, Rng
from shelfie.engine.position import Position

DICE = GAMES["dice"]
SHEETS = [
    None,
    {"columns": [1, 2, 2, 3, 6], "values": [[1, 2, 3, 4, 5]] * 4 + [[0, 0, 0, 0, 9]]},
    {"columns": [5, 1, 1, 5, 2], "values": [[r * c for c in range(5)] for r in range(5)]},
    {"columns": [2, 2, 2, 2, 2], "values": [[7, 0, 1, 0, 7]] * 5},
    {"columns": [6, 6, 1, 6, 6], "values": [[1, 1, 1, 1, 1000000]] * 5},
]
TURNS_AT_MOST = 25  # of one player: every turn closes an item, or a player without one passes


def agree(position: Position, expected: dict[str, Any]) -> None:
    """Everything that both can say about a position."""
    assert json.dumps(position.to_json()) == json.dumps(expected)
    assert position.node == twin.node(expected)
    assert position.to_move == expected["to_move"]
    assert position.legal_moves() == twin.legal_moves(expected)
    assert position.scores() == twin.scores(expected)
    assert position.winners() == twin.winners(expected)
    assert DICE.read(position.notation()) == position
    assert DICE.read(position.to_json()) == position


def pick(random: Random, moves: list[str]) -> str:
    """A move of a kind drawn first, so that the few final moves come up as often as keeps."""
    kind = random.choice(sorted({move.partition(":")[0] for move in moves}))
    return random.choice([move for move in moves if move.startswith(kind)])


def play(random: Random, expected: dict[str, Any], stream: str) -> int:
    """Play to the end; half of the dice are rolled by the engine, half by the twin."""
    position, turns, rolls = DICE.read(expected), 0, 0
    agree(position, expected)
    while position.node != "terminal":
        move = pick(random, position.legal_moves())
        outcome = None
        if move == "roll" or move.startswith("keep"):
            rolls += 1
            kept = move.partition(":")[2].replace("-", "")
            outcome = twin.in_order(kept + "".join(random.choices("PGBTCJ", k=6 - len(kept))))
            if rolls % 2:
                position, outcome = position.apply(move, rng=Rng(stream, rolls))
                assert not twin.Counter(kept) - twin.Counter(outcome)
            else:
                position, echoed = position.apply(move, outcome[::-1])
                assert echoed == outcome
        else:
            turns += 1
            position, nothing = position.apply(move)
            assert nothing is None
        expected = twin.apply(expected, move, outcome)
        agree(position, expected)
        assert turns <= TURNS_AT_MOST * expected["players"]
    return turns


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games(players: int, sheet: dict[str, Any] | None) -> None:
    """From the opening, for every number of players and several sheets."""
    random = Random(f"{players}{sheet}")
    for game in range(3):
        first = game % players
        start = {
            "players": players,
            "to_move": first,
            "first_player": first,
            "boards": [["....."] * 5] * players,
            "dice": None,
            "rerolls_left": 2,
        }
        if sheet is not None:
            start["sheet"] = sheet
        assert play(random, start, f"{players}{game}") >= 2


def test_new_games_are_the_opening() -> None:
    """`new` gives open sheets, seat 0 first, before the first roll."""
    for players in (2, 3, 4):
        position = DICE.new(players, Rng("x"), sheet=SHEETS[1])
        assert position.to_json() == {
            "players": players,
            "to_move": 0,
            "first_player": 0,
            "boards": [["....."] * 5] * players,
            "dice": None,
            "rerolls_left": 2,
            "sheet": SHEETS[1],
        }
        assert position.legal_moves() == ["roll"]
