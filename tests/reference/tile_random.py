"""Random tile positions and refills made with the twin alone, each from a `random.Random`.

`opening` and `refill` are what a table would see; `anything` makes positions that games reach
seldom or never but the rules allow: odd heights, lone tiles, short and empty bags, shelves
filled in this very round.
"""

from random import Random
from typing import Any

from reference.tile import Json, bag, rule, tiles
from reference.tile_data import CARDS, COLUMNS, ROWS, TILES_PER_TYPE, TYPES, in_play
from reference.tile_goals import GOALS


def opening(
    random: Random,
    players: int,
    rules: dict[str, str] | None = None,
    goals: int = 2,
    personal: bool = True,
) -> Json:
    """A position at the beginning of a game: the living room full, the shelves empty."""
    position: Json = {
        "players": players,
        "to_move": random.randrange(players),
        "first_player": 0,
        "board": ["." * 9] * 9,
        "shelves": [["." * COLUMNS] * ROWS for _ in range(players)],
        "common_goals": [
            {"goal": name, "claimed_by": []} for name in random.sample(list(GOALS), goals)
        ],
        "personal_goals": random.sample(list(CARDS), players) if personal else [],
        "end_token": None,
    }
    position["first_player"] = position["to_move"]
    if rules:
        position["rules"] = rules
    return {**position, "board": refill(random, position)}


def refill(random: Random, position: Json) -> list[str]:
    """The board after one random refill."""
    board = [list(row) for row in position["board"]]
    stock = list(bag(position).elements())
    if rule(position, "refill") == "return":
        stock += tiles(position["board"]).values()
        board = [["."] * 9 for _ in range(9)]
    random.shuffle(stock)
    free = [(r, c) for r, c in in_play(position["players"]) if board[r][c] == "."]
    random.shuffle(free)
    for (r, c), kind in zip(free, stock, strict=False):
        board[r][c] = kind
    return ["".join(row) for row in board]


def lopsided_bag(random: Random) -> list[str]:
    """All 132 tiles in a random order, sometimes with few types on top, so that goals occur."""
    kinds = random.sample(TYPES, len(TYPES))
    weights = random.choice([[1] * 6, [1] * 6, [20, 20, 1, 1, 1, 1], [9, 9, 9, 1, 1, 1]])
    order = [
        (random.random() ** (1 / weight), kind)
        for kind, weight in zip(kinds, weights, strict=True)
        for _ in range(TILES_PER_TYPE)
    ]
    return [kind for _, kind in sorted(order)]


def shelf_heights(random: Random, full: bool) -> list[int]:
    """Column heights of a shelf; a shelf that is not to be full keeps a free place."""
    if full:
        return [ROWS] * COLUMNS
    style = random.randrange(4)
    if style == 0:
        heights = random.choice([[1, 2, 3, 4, 5], [6, 5, 4, 3, 2], [0, 1, 2, 3, 4]])[:]
    elif style == 1:
        heights = [ROWS] * COLUMNS
    else:
        heights = [random.randint(0, ROWS) for _ in range(COLUMNS)]
    if sum(heights) == ROWS * COLUMNS:
        heights[random.randrange(COLUMNS)] -= random.randint(1, 3)
    return heights


def fill(heights: list[int], stock: list[str]) -> list[str]:
    """A shelf of these heights with tiles taken off the end of `stock`."""
    columns = [["."] * (ROWS - h) + [stock.pop() for _ in range(h)] for h in heights]
    return ["".join(column[row] for column in columns) for row in range(ROWS)]


def scatter(random: Random, players: int, stock: list[str]) -> list[str]:
    """A board on which anything from no tile to all places hold one; or the bag is emptied."""
    cells = in_play(players)
    random.shuffle(cells)
    count = random.choice([0, 3, 8, len(cells) // 2, len(cells), random.randint(0, len(cells))])
    if len(stock) <= len(cells) and random.random() < 0.5:
        count = len(stock)  # nothing stays in the bag
    board = [["."] * 9 for _ in range(9)]
    apart = random.random() < 0.25
    for r, c in cells:
        touches = any(
            board[y][x] != "."
            for y, x in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
            if 0 <= y < 9 and 0 <= x < 9
        )
        if count and stock and not (apart and touches):
            board[r][c] = stock.pop()
            count -= 1
    return ["".join(row) for row in board]


def anything(random: Random) -> Json:
    """A valid position of any kind."""
    players = random.choice([2, 3, 4, 4])
    first, to_move = random.randrange(players), random.randrange(players)
    over = random.random() < 0.15
    to_move = first if over else to_move
    in_turn = [(first + i) % players for i in range(players)]
    moved = in_turn if over else in_turn[: in_turn.index(to_move)]
    finished = {seat for seat in moved if random.random() < 0.4}
    if over and not finished:
        finished = {random.choice(in_turn)}
    stock = lopsided_bag(random)
    shelves = [fill(shelf_heights(random, seat in finished), stock) for seat in range(players)]
    personal: list[Any] = [
        card if random.random() < 0.8 else None for card in random.sample(list(CARDS), players)
    ]
    position: Json = {
        "players": players,
        "to_move": to_move,
        "first_player": first,
        "board": scatter(random, players, stock),
        "shelves": shelves,
        "common_goals": [
            {
                "goal": name,
                "claimed_by": random.sample(range(players), random.randint(0, players)),
            }
            for name in random.sample(list(GOALS), random.choice([1, 2, 2]))
        ],
        "personal_goals": personal if random.random() < 0.85 else [],
        "end_token": next((seat for seat in in_turn if seat in finished), None),
    }
    rules = {}
    if random.random() < 0.5:
        rules["refill"] = "keep"
    if random.random() < 0.5:
        rules["squares"] = "same"
    return {**position, "rules": rules} if rules else position


# --- shelves for goal tests, with little regard to how they could come about ---

Grid = list[list[str]]

# Squares, Xs and diagonals as steps between numbered places: numbered along columns of six and
# along rows of five. Put down anywhere, some are torn at the edge: near misses.
SHAPES = {
    ROWS: ((0, 1, 6, 7), (0, 2, 7, 12, 14), (0, 7, 14, 21, 28), (0, 5, 10, 15, 20)),
    COLUMNS: ((0, 1, 5, 6), (0, 2, 6, 10, 12), (0, 6, 12, 18, 24), (0, 4, 8, 12, 16)),
}


def loose_shelf(random: Random) -> list[str]:
    """A shelf of any density, of few or many types, often with the makings of a goal."""
    kinds = random.sample(TYPES, random.choice([1, 2, 2, 3, 3, 4, 6]))
    grid = [[random.choice(kinds) for _ in range(COLUMNS)] for _ in range(ROWS)]
    paint_blocks(random, grid, kinds)
    if random.random() < 0.3:
        paint_shapes(random, grid, random.sample(TYPES, 3))
    if random.random() < 0.15:
        paint_varied_lines(random, grid)
    heights = loose_heights(random)
    return [
        "".join(grid[r][c] if r >= ROWS - heights[c] else "." for c in range(COLUMNS))
        for r in range(ROWS)
    ]


def loose_heights(random: Random) -> list[int]:
    """Full columns, stairs of any start, or anything."""
    style = random.random()
    if style < 0.15:
        start = random.choice([0, 1, 2])
        return [min(ROWS, start + i) for i in range(COLUMNS)][:: random.choice([1, -1])]
    if style < 0.6:
        return [random.choice([ROWS, ROWS, ROWS, ROWS, 5]) for _ in range(COLUMNS)]
    return [max(random.randint(0, ROWS), random.randint(0, ROWS)) for _ in range(COLUMNS)]


def paint_blocks(random: Random, grid: Grid, kinds: list[str]) -> None:
    """Rectangles of one type."""
    for _ in range(random.choice([0, 0, 2, 4, 6])):
        r, c, kind = random.randrange(ROWS), random.randrange(COLUMNS), random.choice(kinds)
        high, wide = random.randint(1, 3), random.randint(1, 3)
        for y in range(r, min(ROWS, r + high)):
            for x in range(c, min(COLUMNS, c + wide)):
                grid[y][x] = kind


def paint_shapes(random: Random, grid: Grid, kinds: list[str]) -> None:
    """Up to three shapes, whole or torn."""
    for kind in kinds[: random.randint(1, 3)]:
        line = random.choice([ROWS, COLUMNS])
        shape = random.choice(SHAPES[line])
        start = random.randrange(ROWS * COLUMNS - shape[-1])
        for step in shape:
            i, j = divmod(start + step, line)
            row, column = (ROWS - 1 - j, i) if line == ROWS else (i, j)
            grid[row][column] = kind


def paint_varied_lines(random: Random, grid: Grid) -> None:
    """Rows or columns without a repeated type, now and then with one."""
    upright = random.random() < 0.5
    for i in random.sample(range(COLUMNS), random.choice([1, 2, 2, 3])):
        kinds = random.sample(TYPES, ROWS)
        if random.random() < 0.1:
            kinds[0] = kinds[1]
        for j, kind in enumerate(kinds):
            if upright:
                grid[j][i] = kind
            elif j < COLUMNS:
                grid[i][j] = kind
