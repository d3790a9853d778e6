"""Drawn outcomes have the distribution of the rules. Seeds are fixed, so nothing can flake.

Each bound is the 0.9999 quantile of its chi-square distribution or wider.
"""

from collections import Counter
from collections.abc import Mapping
from math import comb
from typing import Any

import pytest
from reference import tile as twin
from reference.tile_data import TYPES, in_play

from shelfie.engine import GAMES, Position, Rng

# Degrees of freedom -> chi-square value that a right generator exceeds once in 10,000 tries.
BOUND = {4: 23.5, 5: 25.7, 35: 74.9, 44: 87.7}
TRIES = 6000


def chi_square(seen: Mapping[Any, float], expected: Mapping[Any, float]) -> float:
    """Pearson's statistic of two mappings with the same keys."""
    assert set(seen) <= set(expected)
    return sum((seen.get(key, 0) - mean) ** 2 / mean for key, mean in expected.items())


def refills(position: Position) -> list[list[str]]:
    return [position.apply("refill", rng=Rng("chance", i))[1] for i in range(TRIES)]


def table(shelves: list[list[str]], board: list[str], refill: str, players: int = 2) -> Position:
    return GAMES["tile"].read(
        {
            "players": players,
            "to_move": 0,
            "first_player": 0,
            "board": board,
            "shelves": shelves,
            "common_goals": [{"goal": "staircase", "claimed_by": []}],
            "personal_goals": [],
            "end_token": None,
            "rules": {"refill": refill},
        }
    )


EMPTY_ROOM = ["." * 9] * 9
ONE_LEFT = [*["." * 9] * 4, "....C....", *["." * 9] * 4]
UNEVEN = [["....."] * 4 + ["CCCCC", "CCCCC"], ["....."] * 4 + ["CBBBB", "BBBGG"]]


@pytest.mark.parametrize("refill", ["return", "keep"])
def test_each_cell_gets_each_type_by_its_share_of_the_bag(refill: str) -> None:
    position = table(UNEVEN, ONE_LEFT, refill)
    boards = refills(position)
    bag = twin.bag(position.to_json())
    if refill == "return":
        bag["C"] += 1
    total = sum(bag.values())
    assert len(set(bag.values())) >= 3  # shares really differ
    expected = {kind: TRIES * bag[kind] / total for kind in TYPES}
    for row, column in in_play(2):
        if refill == "keep" and (row, column) == (4, 4):
            assert {board[4][4] for board in boards} == {"C"}
            continue
        seen = Counter(board[row][column] for board in boards)
        assert chi_square(seen, expected) < BOUND[5], (row, column)


def test_two_cells_are_drawn_without_putting_back() -> None:
    """The pair of two cells has the shares of drawing twice from one bag."""
    position = table([["....."] * 6] * 2, EMPTY_ROOM, "return")
    expected = {a + b: TRIES * 22 / 132 * (22 - (a == b)) / 131 for a in TYPES for b in TYPES}
    boards = refills(position)
    for (r1, c1), (r2, c2) in (((1, 3), (1, 4)), ((1, 3), (7, 5)), ((4, 4), (7, 4))):
        seen = Counter(board[r1][c1] + board[r2][c2] for board in boards)
        assert chi_square(seen, expected) < BOUND[35]


@pytest.mark.parametrize("refill", ["return", "keep"])
def test_a_short_bag_lands_on_every_cell_alike(refill: str) -> None:
    full = ["CBGFT", "BGFTP", "GFTPC", "FTPCB", "TPCBG", "PCBGF"]
    shelves = [[row[:4] + "." if r == 0 else row for r, row in enumerate(full)] for _ in range(4)]
    board = ["...P.....", *["." * 9] * 8]
    position = table(shelves, board, refill, players=4)
    boards = refills(position)
    cells = [cell for cell in in_play(4) if refill == "return" or cell != (0, 3)]
    tiles = sum(twin.bag(position.to_json()).values()) + (refill == "return")
    assert tiles == 15 + (refill == "return")
    seen = Counter((r, c) for b in boards for r, c in cells if b[r][c] != ".")
    assert sum(seen.values()) == TRIES * tiles
    # Counts of a sample without putting back vary less by 1 - tiles / cells: the bound is wide.
    mean = dict.fromkeys(cells, TRIES * tiles / len(cells))
    assert chi_square(seen, mean) < BOUND[44]


def test_a_roll_shows_each_face_one_time_in_six() -> None:
    position = GAMES["dice"].new(2, Rng("dice"))
    rolls = [position.apply("roll", rng=Rng("chance", i))[1] for i in range(TRIES)]
    faces = Counter("".join(rolls))
    assert chi_square(faces, dict.fromkeys("PGBTCJ", TRIES)) < BOUND[5]
    share = [comb(6, n) * 5 ** (6 - n) / 6**6 for n in range(7)]
    expected = {n: TRIES * share[n] for n in range(4)} | {4: TRIES * sum(share[4:])}
    for face in "PGBTCJ":  # and the dice are independent: their number is binomial
        numbers = Counter(min(roll.count(face), 4) for roll in rolls)
        assert chi_square(numbers, expected) < BOUND[4]


def test_kept_dice_stay_and_the_others_are_rolled() -> None:
    value = GAMES["dice"].new(2, Rng("dice")).to_json()
    position = GAMES["dice"].read({**value, "dice": "PPPPGJ", "rerolls_left": 2})
    rolled = Counter()
    for i in range(TRIES):
        _, outcome = position.apply("keep:PPJ", rng=Rng("chance", i))
        left = Counter(outcome) - Counter("PPJ")
        assert sum(left.values()) == 3
        rolled += left
    assert chi_square(rolled, dict.fromkeys("PGBTCJ", TRIES / 2)) < BOUND[5]
