"""Random playouts: repeatable, and as random as playing the listed moves at random."""

from random import Random
from statistics import fmean, stdev

import pytest

from shelfie.engine import GAMES, Rng
from shelfie.engine.dice.playout import random_playouts

DICE = GAMES["dice"]
SHEET = {"columns": [1, 2, 2, 3, 6], "values": [[1, 2, 3, 4, 5]] * 5}


def slow_game(random: Random, stream: int, sheet: object) -> tuple[int, int]:
    """One game of uniformly random listed moves: its turns, and the points of seat 0."""
    position = DICE.new(2, Rng(""), sheet=sheet)
    turns = step = 0
    while position.node != "terminal":
        move = random.choice(position.legal_moves())
        turns += move.partition(":")[0] in ("mark", "cross", "pass")
        step += 1
        position, _ = position.apply(move, rng=Rng(str(stream), step))
    return turns, position.scores()[0]["total"]


@pytest.mark.parametrize("sheet", [None, SHEET])
def test_like_listed_moves_at_random(sheet: object) -> None:
    """Mean length and mean points agree within four standard errors of the slow games."""
    random, games = Random(1), 400
    slow = [slow_game(random, game, sheet) for game in range(games)]
    fast = random_playouts(DICE.new(2, Rng(""), sheet=sheet), 40_000, "seed")
    for sample, mean in (
        ([turns for turns, _ in slow], fast["turns"] / fast["playouts"]),
        ([points for _, points in slow], fast["score"][0]),
    ):
        assert abs(fmean(sample) - mean) < 4 * stdev(sample) / games**0.5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_repeatable(players: int) -> None:
    """Equal seeds give equal sums; win shares sum to 1; other seeds give others."""
    position = DICE.new(players, Rng(""))
    first = random_playouts(position, 300, "a")
    assert first == random_playouts(position, 300, "a")
    assert first != random_playouts(position, 300, "b")
    assert sum(first["win"]) == pytest.approx(1)


def test_from_the_end_and_before_a_pass() -> None:
    """A finished game is its own result; a player without open items passes."""
    over = DICE.read("oooxx/xxxxx/...../...../.....|...../...../...../...../..... 0 0 - 2")
    assert random_playouts(over, 2, "a") == {
        "playouts": 2, "turns": 0, "win": [1.0, 0.0], "score": [6.0, 0.0],
    }  # fmt: skip
    closed = "oxxxx/xoxxx/xxoxx/xxxox/xxxxo"
    before = DICE.read(f"{closed}|...../...../...../...../..... 0 0 - 2")
    assert before.node == "terminal"
    passing = DICE.read(f"...../...../...../...../.....|{closed} 1 0 - 2")
    assert random_playouts(passing, 1, "a")["turns"] == 1
