"""The twelve common goals: smallest examples, random shelves against the twin, claims in play."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from reference import tile as twin
from reference import tile_goals, tile_random
from reference.tile_faults import faults

from shelfie.engine import GAMES
from shelfie.engine.tile.goals import achieved

TILE = GAMES["tile"]
every_goal = pytest.mark.parametrize("goal", tile_goals.GOALS)

# The fewest tiles that show each pattern; rows from the top, empty ones left out.
FEWEST = {
    "two_squares": "CC.BB CC.BB",
    "two_varied_columns": "CB... BG... GF... FT... TP... PC...",
    "four_quads": "CBGF. CBGF. CBGF. CBGF.",
    "six_pairs": "B.... B.... CGFTP CGFTP",
    "three_uniform_columns": "CBG.. BGF.. GFT.. CBG.. BGF.. GFT..",
    "two_varied_rows": "CBGFT BGFTP",
    "four_uniform_rows": "CBGCB BGFBG GFTGF FTPFT",
    "four_corners": "C...C B...G G...F F...T T...P C...C",
    "eight_alike": "CCC.. CCCCC",
    "x_shape": "C.C.. BCG.. CFC..",
    "diagonal": "C.... BC... GFC.. TPBC. GFTPC",
    "staircase": "C.... BG... FTP.. CBGF. TPCBG",
}


@every_goal
def test_the_fewest_tiles(goal: str) -> None:
    """Shown by so few tiles, in the mirror too, and no longer when any top tile is missing."""
    drawn = FEWEST[goal].split()
    for rows in (drawn, [row[::-1] for row in drawn]):
        shelf = ["....."] * (6 - len(rows)) + rows
        assert achieved(goal, shelf)
        for row, column in top_places(shelf):
            short = [list(line) for line in shelf]
            short[row][column] = "."
            assert not achieved(goal, ["".join(line) for line in short])


def test_every_place_of_the_shapes() -> None:
    """The twelve Xs and the four diagonals each alone on a full shelf, and with a gap."""
    xs = [
        [(r, c), (r - 1, c - 1), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c + 1)]
        for r in (1, 2, 3, 4)
        for c in (1, 2, 3)
    ]
    diagonals = [
        [(top + i, i if rising else 4 - i) for i in range(5)]
        for top in (0, 1)
        for rising in (True, False)
    ]
    for goal, shapes in (("x_shape", xs), ("diagonal", diagonals)):
        for places in shapes:
            grid = [list(row) for row in ("CBGFB", "GFCBG", "BGFCF", "FCBGC", "CBGFB", "GFCBG")]
            for r, c in places:
                grid[r][c] = "T"
            assert achieved(goal, ["".join(row) for row in grid])
            for r, c in places:
                grid[r][c] = "P"
                assert not achieved(goal, ["".join(row) for row in grid])
                grid[r][c] = "T"


def top_places(shelf: list[str]) -> list[tuple[int, int]]:
    """The topmost tile of each column that has one."""
    return [
        (next(r for r in range(6) if shelf[r][c] != "."), c) for c in range(5) if shelf[5][c] != "."
    ]


@every_goal
def test_goals_on_random_shelves(goal: str) -> None:
    """Four thousand shelves of all densities and few or many types: engine equals twin."""
    random, seen = Random(goal), Counter()
    for _ in range(4000):
        shelf = tile_random.loose_shelf(random)
        before = list(shelf)
        for squares in ("any", "same") if goal == "two_squares" else ("any",):
            expected = tile_goals.achieved(goal, shelf, squares)
            assert achieved(goal, shelf, squares) is expected, shelf
            seen[expected] += 1
        assert shelf == before
    assert min(seen[True], seen[False]) >= 10  # both answers were put to the test


@every_goal
def test_goals_are_claimed_in_play(goal: str) -> None:
    """The goal is claimed by the turn that completes it: checked on shelves one tile short."""
    random, claimed = Random(goal), 0
    while claimed < 12:
        shelf = tile_random.loose_shelf(random)
        tops = top_places(shelf)
        if not tops or not tile_goals.achieved(goal, shelf):
            continue
        row, column = random.choice(tops)
        kind = shelf[row][column]
        rows = [list(line) for line in shelf]
        rows[row][column] = "."
        value: dict[str, Any] = {
            "players": 2,
            "to_move": 1,
            "first_player": 0,
            "board": [*["." * 9] * 4, f"....{kind}{kind}...", *["." * 9] * 4],
            "shelves": [["....."] * 6, ["".join(line) for line in rows]],
            "common_goals": [{"goal": goal, "claimed_by": []}],
            "personal_goals": [],
            "end_token": None,
        }
        if faults(value):
            continue  # more than 22 of a type
        claimed += 1
        after, _ = TILE.read(value).apply(f"44>{column}")
        assert after.to_json() == twin.apply(value, f"44>{column}")
        assert after.to_json()["common_goals"][0]["claimed_by"] == [1]


@pytest.mark.parametrize(
    "rows", [[], ["....."] * 5, ["....."] * 7, ["....."] * 5 + ["...."], ["....x"] * 6]
)
def test_goals_of_what_is_no_shelf(rows: list[str]) -> None:
    with pytest.raises(ValueError, match=r"six rows of five|substring"):
        achieved("staircase", rows)
