"""The dice game once more, slow and obvious: the twin that the engine is compared with.

A position is its JSON object. Dice are handled as lists of letters, boards as lists of texts;
what can be marked is found by handing out the dice.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

FACES = "PGBTCJ"
ICONS = "PGBTC"
DEFAULT_SHEET = {"columns": [1, 2, 3, 4, 5], "values": [[1, 2, 3, 5, 8]] * 5}

Json = dict[str, Any]
Item = tuple[int, int]


def in_order(dice: str | list[str]) -> str:
    """The letters in the order PGBTCJ."""
    return "".join(sorted(dice, key=FACES.index))


def board_of(position: Json) -> list[str]:
    return position["boards"][position["to_move"]]


def open_items(board: list[str]) -> list[Item]:
    return [(r, c) for r in range(5) for c in range(5) if board[r][c] == "."]


def sheet_of(position: Json) -> Json:
    return position.get("sheet", DEFAULT_SHEET)


def columns_of(board: list[str]) -> list[str]:
    return ["".join(row[c] for row in board) for c in range(5)]


# The end


def shelves_without_open_items(board: list[str]) -> int:
    return sum("." not in row for row in board)


def node(position: Json) -> str:
    """decision, chance or terminal."""
    triggered = any(shelves_without_open_items(board) >= 2 for board in position["boards"])
    if position["dice"] is None:
        if triggered and position["to_move"] == position["first_player"]:
            return "terminal"
        return "chance" if open_items(board_of(position)) else "decision"
    return "decision"


# Moves


def ways_to_mark(icon: str, need: int) -> list[Counter[str]]:
    """The dice that a combination of `need` dice may be made of."""
    plain = [Counter(icon * need)]
    return plain if need == 1 else [*plain, Counter(icon * (need - 1) + "J")]


def mark_sets(dice: str, items: list[Item], columns: list[int]) -> set[tuple[Item, ...]]:
    """Every set of one to three items that disjoint combinations of the dice can mark."""
    if dice == "JJJJJJ":
        return {(item,) for item in items}
    found: set[tuple[Item, ...]] = set()

    def hand_out(chosen: tuple[Item, ...], left: Counter[str]) -> None:
        if chosen:
            found.add(chosen)
        if len(chosen) == 3:
            return
        for r, c in items:
            if chosen and (r, c) <= chosen[-1]:
                continue
            for used in ways_to_mark(ICONS[r], columns[c]):
                if all(left[face] >= n for face, n in used.items()):
                    hand_out((*chosen, (r, c)), left - used)

    hand_out((), Counter(dice))
    return found


def keeps(dice: str) -> set[str]:
    """Every distinct choice of at most five of the dice."""
    return {in_order(list(kept)) for size in range(6) for kept in combinations(dice, size)}


def legal_moves(position: Json) -> list[str]:
    """Every legal move, sorted as text; ["roll"] at a chance node, none when over."""
    kind = node(position)
    if kind != "decision":
        return ["roll"] if kind == "chance" else []
    board = board_of(position)
    items = open_items(board)
    if not items:
        return ["pass"]
    moves = []
    if position["rerolls_left"] > 0:
        moves += [f"keep:{kept or '-'}" for kept in keeps(position["dice"])]
    marks = mark_sets(in_order(position["dice"]), items, sheet_of(position)["columns"])
    moves += ["mark:" + ",".join(f"{ICONS[r]}{c + 1}" for r, c in mark) for mark in marks]
    if not marks:
        moves += [f"cross:{ICONS[r]}" for r in range(5) if "." in board[r]]
    return sorted(moves)


def apply(position: Json, move: str, outcome: str | None = None) -> Json:
    """The position after a legal move; chance moves need their outcome."""
    after = {**position, "boards": [list(board) for board in position["boards"]]}
    kind, _, rest = move.partition(":")
    if kind == "roll":
        return after | {"dice": in_order(outcome)}
    if kind == "keep":
        return after | {"dice": in_order(outcome), "rerolls_left": position["rerolls_left"] - 1}
    board = after["boards"][after["to_move"]]
    if kind == "cross":
        r = ICONS.index(rest)
        board[r] = board[r].replace(".", "x")
    if kind == "mark":
        for name in rest.split(","):
            r, c = ICONS.index(name[0]), int(name[1]) - 1
            board[r] = board[r][:c] + "o" + board[r][c + 1 :]
        close_completed_lines(after)
    after["to_move"] = (after["to_move"] + 1) % after["players"]
    return after | {"dice": None, "rerolls_left": 2}


def close_completed_lines(position: Json) -> None:
    """Eliminate the opponents' open items in the mover's complete shelves and columns."""
    mine = board_of(position)
    for p, board in enumerate(position["boards"]):
        if p == position["to_move"]:
            continue
        for r in range(5):
            for c in range(5):
                complete = mine[r] == "ooooo" or columns_of(mine)[c] == "ooooo"
                if complete and board[r][c] == ".":
                    board[r] = board[r][:c] + "x" + board[r][c + 1 :]


@cache
def outcomes(dice: str) -> dict[str, Fraction]:
    """All six dice after rolling what `dice` lacks, with their exact chances."""
    rolled = 6 - len(dice)
    if rolled > 3:  # too many throws to write out: add one die to the outcomes of one more
        sums: dict[str, Fraction] = {}
        for face in FACES:
            for full, chance in outcomes(dice + face).items():
                sums[full] = sums.get(full, Fraction(0)) + chance / 6
        return sums
    throws = Counter(in_order(dice + "".join(throw)) for throw in product(FACES, repeat=rolled))
    return {full: Fraction(n, 6**rolled) for full, n in throws.items()}


def all_rolls() -> list[str]:
    """The 462 different rolls of six dice."""
    return ["".join(roll) for roll in combinations_with_replacement(FACES, 6)]


# Score


def score(board: list[str], values: list[list[int]]) -> Json:
    """The breakdown of one sheet."""
    shelves = [0] * 5
    columns = [0] * 5
    for i in range(5):
        shelf = [values[i][c] for c in range(5) if board[i][c] == "o"]
        column = [values[r][i] for r in range(5) if board[r][i] == "o"]
        shelves[i] = sum(shelf) if len(shelf) >= 3 else 0
        columns[i] = sum(column) if len(column) >= 3 else 0
    return {"shelves": shelves, "columns": columns, "total": sum(shelves) + sum(columns)}


def scores(position: Json) -> list[Json]:
    return [score(board, sheet_of(position)["values"]) for board in position["boards"]]


def winners(position: Json) -> list[float] | None:
    """Win share per seat when the game is over."""
    if node(position) != "terminal":
        return None
    totals = [entry["total"] for entry in scores(position)]
    best = totals.count(max(totals))
    return [1 / best if total == max(totals) else 0.0 for total in totals]
