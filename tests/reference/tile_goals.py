"""The twelve common goals, each said as plainly as the card says it.

A shelf is a list of six strings of five letters, top row first; "." is an empty place.
"""

from collections.abc import Callable

from reference.tile_data import COLUMNS, ROWS, TYPES

Shelf = list[str]
PLACES = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]


def columns(shelf: Shelf) -> list[str]:
    """The five columns from top to bottom."""
    return ["".join(row[column] for row in shelf) for column in range(COLUMNS)]


def groups(shelf: Shelf) -> list[tuple[str, set[tuple[int, int]]]]:
    """Every maximal orthogonally connected set of equal tiles: (type, places)."""
    found: list[tuple[str, set[tuple[int, int]]]] = []
    seen: set[tuple[int, int]] = set()
    for start in PLACES:
        kind = shelf[start[0]][start[1]]
        if kind == "." or start in seen:
            continue
        group, waiting = set(), [start]
        while waiting:
            row, column = place = waiting.pop()
            if place not in PLACES or place in group or shelf[row][column] != kind:
                continue
            group.add(place)
            waiting += [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        seen |= group
        found.append((kind, group))
    return found


def full(line: str) -> bool:
    return "." not in line


def alike(shelf: Shelf, places: list[tuple[int, int]]) -> bool:
    """All these places hold one type."""
    kinds = {shelf[row][column] for row, column in places}
    return len(kinds) == 1 and "." not in kinds


def has_square(places: set[tuple[int, int]]) -> bool:
    return any(
        {(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)} <= places
        for row, column in places
    )


def two_squares(shelf: Shelf, squares: str = "any") -> bool:
    kinds = [kind for kind, places in groups(shelf) if has_square(places)]
    if squares == "same":
        return any(kinds.count(kind) >= 2 for kind in TYPES)
    return len(kinds) >= 2


def two_varied_columns(shelf: Shelf) -> bool:
    return sum(full(line) and len(set(line)) == 6 for line in columns(shelf)) >= 2


def four_quads(shelf: Shelf) -> bool:
    return sum(len(places) >= 4 for _, places in groups(shelf)) >= 4


def six_pairs(shelf: Shelf) -> bool:
    return sum(len(places) >= 2 for _, places in groups(shelf)) >= 6


def three_uniform_columns(shelf: Shelf) -> bool:
    return sum(full(line) and len(set(line)) <= 3 for line in columns(shelf)) >= 3


def two_varied_rows(shelf: Shelf) -> bool:
    return sum(full(line) and len(set(line)) == 5 for line in shelf) >= 2


def four_uniform_rows(shelf: Shelf) -> bool:
    return sum(full(line) and len(set(line)) <= 3 for line in shelf) >= 4


def four_corners(shelf: Shelf) -> bool:
    return alike(shelf, [(0, 0), (0, 4), (5, 0), (5, 4)])


def eight_alike(shelf: Shelf) -> bool:
    return any("".join(shelf).count(kind) >= 8 for kind in TYPES)


def x_shape(shelf: Shelf) -> bool:
    return any(
        alike(shelf, [(r, c), (r - 1, c - 1), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c + 1)])
        for r in range(1, 5)
        for c in range(1, 4)
    )


def diagonal(shelf: Shelf) -> bool:
    return any(
        alike(shelf, [(top + i, i) for i in range(5)])
        or alike(shelf, [(top + i, 4 - i) for i in range(5)])
        for top in (0, 1)
    )


def staircase(shelf: Shelf) -> bool:
    heights = [sum(place != "." for place in line) for line in columns(shelf)]
    stairs = [[1, 2, 3, 4, 5], [2, 3, 4, 5, 6]]
    return heights in stairs or heights[::-1] in stairs


GOALS: dict[str, Callable[[Shelf], bool]] = {
    "two_squares": two_squares,
    "two_varied_columns": two_varied_columns,
    "four_quads": four_quads,
    "six_pairs": six_pairs,
    "three_uniform_columns": three_uniform_columns,
    "two_varied_rows": two_varied_rows,
    "four_uniform_rows": four_uniform_rows,
    "four_corners": four_corners,
    "eight_alike": eight_alike,
    "x_shape": x_shape,
    "diagonal": diagonal,
    "staircase": staircase,
}


def achieved(goal: str, shelf: Shelf, squares: str = "any") -> bool:
    """Does this shelf show this goal's pattern?"""
    return two_squares(shelf, squares) if goal == "two_squares" else GOALS[goal](shelf)
