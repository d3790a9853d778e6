"""The printed parts of the tile game, typed in from the board and the cards once more."""

TYPES = "CBGFTP"
TILES_PER_TYPE = 22
ROWS, COLUMNS = 6, 5

# For each cell of the living room the least number of players that use it; 0: never used.
ROOM = (
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

# Personal goal cards: row, column (both from 0, row 0 at the top) and the tile wanted there.
CARDS = {
    1: "00P 02F 14C 23B 31G 52T",
    2: "11P 20C 22G 34B 43T 54F",
    3: "10F 13G 22P 31C 34T 50B",
    4: "04G 20T 22F 33P 41B 42C",
    5: "11T 31F 32B 44P 50G 53C",
    6: "02T 04C 23B 41G 43F 50P",
    7: "00C 13F 21P 30T 44G 52B",
    8: "04F 11C 22T 30P 43B 53G",
    9: "02G 22C 34B 41T 44P 50F",
    10: "04T 11G 20B 33C 41F 53P",
    11: "02P 11B 20G 32F 44C 53T",
    12: "02B 11P 22F 33T 44G 50C",
}
PERSONAL_POINTS = (0, 1, 2, 4, 6, 9, 12)
TOKENS = {2: (8, 4), 3: (8, 6, 4), 4: (8, 6, 4, 2)}


def group_points(size: int) -> int:
    """Points for one group of `size` equal tiles."""
    return 0 if size < 3 else {3: 2, 4: 3, 5: 5}.get(size, 8)


def in_play(players: int) -> list[tuple[int, int]]:
    """The cells (row, column) used by this many players."""
    return [
        (row, column)
        for row, line in enumerate(ROOM)
        for column, least in enumerate(line)
        if least != "0" and int(least) <= players
    ]
