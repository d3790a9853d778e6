"""The components of the tile game as data: living room, cards, tokens, point tables."""

import json
from functools import cache
from typing import Any

TYPES = "CBGFTP"
TYPE_NAMES = {
    "C": "cats",
    "B": "books",
    "G": "games",
    "F": "frames",
    "T": "trophies",
    "P": "plants",
}
TILES_PER_TYPE = 22
BOARD_SIZE = 9
SHELF_ROWS = 6
SHELF_COLUMNS = 5

# The least number of players for which a cell is in play; 0: never.
LIVING_ROOM = (
    "000340000",
    "000224000",
    "003222300",
    "042222223",
    "422222224",
    "322222240",
    "003222300",
    "000422000",
    "000043000",
)

# Card number -> one shelf of six rows, top row first, as printed on the card.
PERSONAL_GOALS = {
    1: ("P.F..", "....C", "...B.", ".G...", ".....", "..T.."),
    2: (".....", ".P...", "C.G..", "....B", "...T.", "....F"),
    3: (".....", "F..G.", "..P..", ".C..T", ".....", "B...."),
    4: ("....G", ".....", "T.F..", "...P.", ".BC..", "....."),
    5: (".....", ".T...", ".....", ".FB..", "....P", "G..C."),
    6: ("..T.C", ".....", "...B.", ".....", ".G.F.", "P...."),
    7: ("C....", "...F.", ".P...", "T....", "....G", "..B.."),
    8: ("....F", ".C...", "..T..", "P....", "...B.", "...G."),
    9: ("..G..", ".....", "..C..", "....B", ".T..P", "F...."),
    10: ("....T", ".G...", "B....", "...C.", ".F...", "...P."),
    11: ("..P..", ".B...", "G....", "..F..", "....C", "...T."),
    12: ("..B..", ".P...", "..F..", "...T.", "....G", "C...."),
}

# Ids in the order of the cards' numbers, 1 to 12.
COMMON_GOALS = (
    "two_squares",
    "two_varied_columns",
    "four_quads",
    "six_pairs",
    "three_uniform_columns",
    "two_varied_rows",
    "four_uniform_rows",
    "four_corners",
    "eight_alike",
    "x_shape",
    "diagonal",
    "staircase",
)

COMMON_GOAL_TEXTS = {
    "two_squares": "Two groups that each contain a 2x2 square.",
    "two_varied_columns": "Two full columns of six different types.",
    "four_quads": "Four groups of four or more equal tiles.",
    "six_pairs": "Six groups of two or more equal tiles.",
    "three_uniform_columns": "Three full columns of at most three types each.",
    "two_varied_rows": "Two full rows of five different types.",
    "four_uniform_rows": "Four full rows of at most three types each.",
    "four_corners": "One type in all four corners.",
    "eight_alike": "Eight tiles of one type.",
    "x_shape": "A place and its four diagonal neighbours of one type.",
    "diagonal": "Five equal tiles on a diagonal of length five.",
    "staircase": "Column heights 1 to 5 or 2 to 6, rising or falling.",
}

COMMON_TOKENS = {2: (8, 4), 3: (8, 6, 4), 4: (8, 6, 4, 2)}
PERSONAL_POINTS = (0, 1, 2, 4, 6, 9, 12)
ADJACENCY_POINTS = {3: 2, 4: 3, 5: 5, 6: 8}
END_TOKEN = 1
RULES = {"refill": ("return", "keep"), "squares": ("any", "same")}  # the first is the default


def in_play(players: int, row: int, column: int) -> bool:
    """Whether a cell of the living room is used by this number of players."""
    return 0 < int(LIVING_ROOM[row][column]) <= players


@cache
def unused_columns(players: int) -> tuple[tuple[int, ...], ...]:
    """For each row of the living room the columns that this number of players does not use."""
    return tuple(
        tuple(column for column in range(BOARD_SIZE) if not in_play(players, row, column))
        for row in range(BOARD_SIZE)
    )


def rules_data() -> dict[str, Any]:
    """The components as plain JSON values, for the capabilities document."""
    data = {
        "tile_types": TYPE_NAMES,
        "tiles_per_type": TILES_PER_TYPE,
        "living_room": LIVING_ROOM,
        "common_goals": [
            {"goal": goal, "number": number, "pattern": COMMON_GOAL_TEXTS[goal]}
            for number, goal in enumerate(COMMON_GOALS, 1)
        ],
        "common_tokens": COMMON_TOKENS,
        "personal_goals": PERSONAL_GOALS,
        "personal_points": PERSONAL_POINTS,
        "adjacency_points": ADJACENCY_POINTS,
        "end_token": END_TOKEN,
        "rules": {name: {"values": v, "default": v[0]} for name, v in RULES.items()},
    }
    copied: dict[str, Any] = json.loads(json.dumps(data))
    return copied
