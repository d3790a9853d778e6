"""The tile game on its JSON position: every function takes a whole position and changes none.

Nothing is clever here. A move is judged by trying all lines and all orders; a turn rebuilds
the strings. Positions are taken as valid (`tile_faults` judges that).
"""

import re
from collections import Counter
from copy import deepcopy
from itertools import permutations
from typing import Any

from reference.tile_data import (
    CARDS,
    COLUMNS,
    PERSONAL_POINTS,
    ROWS,
    TILES_PER_TYPE,
    TOKENS,
    TYPES,
    group_points,
    in_play,
)
from reference.tile_goals import achieved, groups

Json = dict[str, Any]
Cell = tuple[int, int]
MOVE = re.compile(r"([0-8][0-8](?:,[0-8][0-8]){0,2})>([0-4])")


class Refused(Exception):
    """The move or the outcome is against the rules."""


def rule(position: Json, name: str) -> str:
    """A switch of the rules, its default when the position does not name it."""
    defaults = {"refill": "return", "squares": "any"}
    return position.get("rules", {}).get(name, defaults[name])


def canonical(position: Json) -> Json:
    """The same position with its fields in order and only rules that are not the default."""
    names = ("players", "to_move", "first_player", "board", "shelves", "common_goals")
    tidy = {name: deepcopy(position[name]) for name in (*names, "personal_goals", "end_token")}
    tidy["common_goals"] = [
        {"goal": card["goal"], "claimed_by": card["claimed_by"]} for card in tidy["common_goals"]
    ]
    rules = {}
    if rule(position, "refill") != "return":
        rules["refill"] = "keep"
    if rule(position, "squares") != "any":
        rules["squares"] = "same"
    return {**tidy, "rules": rules} if rules else tidy


# --- the living room and the bag ---


def tiles(board: list[str]) -> dict[Cell, str]:
    """The cells that hold a tile."""
    return {
        (row, column): letter
        for row, line in enumerate(board)
        for column, letter in enumerate(line)
        if letter != "."
    }


def neighbours(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def isolated(board: list[str]) -> bool:
    """No two tiles touch; true of an empty living room as well."""
    held = tiles(board)
    return not any(other in held for cell in held for other in neighbours(cell))


def bag(position: Json) -> Counter[str]:
    """What must be in the bag: 22 of each type less all tiles in sight."""
    seen = "".join(position["board"]) + "".join("".join(s) for s in position["shelves"])
    return Counter({kind: TILES_PER_TYPE - seen.count(kind) for kind in TYPES})


def is_full(shelf: list[str]) -> bool:
    return "." not in "".join(shelf)


def is_over(position: Json) -> bool:
    return position["end_token"] is not None and position["to_move"] == position["first_player"]


def node(position: Json) -> str:
    """Whose turn it is: a player's, the bag's, or nobody's any more."""
    if is_over(position):
        return "terminal"
    if isolated(position["board"]) and sum(bag(position).values()) > 0:
        return "chance"
    return "decision"


# --- taking tiles ---


def lines(position: Json) -> list[list[Cell]]:
    """Every set of cells that may be taken, each from top left to bottom right."""
    held = tiles(position["board"])
    free = {cell for cell in held if any(other not in held for other in neighbours(cell))}
    found = []
    for row, column in sorted(free):
        found.append([(row, column)])
        for length in (2, 3):
            across = [(row, column + i) for i in range(length)]
            down = [(row + i, column) for i in range(length)]
            found += [line for line in (across, down) if set(line) <= free]
    return found


def room(shelf: list[str], column: int) -> int:
    """Free places of a shelf column."""
    return sum(row[column] == "." for row in shelf)


def move_text(cells: tuple[Cell, ...], column: int) -> str:
    return ",".join(f"{r}{c}" for r, c in cells) + f">{column}"


def legal_moves(position: Json) -> list[str]:
    """The canonical moves, sorted as text."""
    kind = node(position)
    if kind != "decision":
        return ["refill"] if kind == "chance" else []
    board, shelf = position["board"], position["shelves"][position["to_move"]]
    moves = []
    for line in lines(position):
        for column in range(COLUMNS):
            if room(shelf, column) < len(line):
                continue
            best: dict[str, str] = {}  # type sequence -> its smallest text
            for order in permutations(line):
                dropped = "".join(board[r][c] for r, c in order)
                text = move_text(order, column)
                best[dropped] = min(best.get(dropped, text), text)
            moves += best.values()
    return sorted(moves)


def canonical_move(position: Json, move: str) -> str:
    """The listed move that drops the same tiles from the same cells."""
    text, column = move.split(">")
    cells = [(int(c[0]), int(c[1])) for c in text.split(",")]
    letters = [position["board"][r][c] for r, c in cells]
    orders = [
        order
        for order in permutations(cells)
        if [position["board"][r][c] for r, c in order] == letters
    ]
    return min(move_text(order, int(column)) for order in orders)


def apply(position: Json, move: str, outcome: Any = None) -> Json:
    """The position after a move; a refill needs its outcome. Raises Refused."""
    kind = node(position)
    if kind == "terminal":
        raise Refused("the game is over")
    if kind == "chance":
        if move != "refill":
            raise Refused("a refill is due")
        if not refill_possible(position, outcome):
            raise Refused("no such refill")
        return canonical({**position, "board": outcome})
    match = MOVE.fullmatch(move)
    if match is None:
        raise Refused("not a move")
    if outcome is not None:
        raise Refused("a take has no outcome")
    cells = [(int(text[0]), int(text[1])) for text in match[1].split(",")]
    return take(position, cells, int(match[2]))


def take(position: Json, cells: list[Cell], column: int) -> Json:
    """One turn: take, drop, claim, perhaps the end token, next player."""
    seat = position["to_move"]
    if sorted(cells) not in lines(position):
        raise Refused("these cells may not be taken")
    if room(position["shelves"][seat], column) < len(cells):
        raise Refused("no room")
    after = canonical(position)
    board = [list(row) for row in after["board"]]
    shelf = [list(row) for row in after["shelves"][seat]]
    for row, place in cells:
        lowest = max(r for r in range(ROWS) if shelf[r][column] == ".")
        shelf[lowest][column], board[row][place] = board[row][place], "."
    after["board"] = ["".join(row) for row in board]
    after["shelves"][seat] = ["".join(row) for row in shelf]
    for card in after["common_goals"]:
        shown = achieved(card["goal"], after["shelves"][seat], rule(position, "squares"))
        if shown and seat not in card["claimed_by"]:
            card["claimed_by"].append(seat)
    if after["end_token"] is None and is_full(after["shelves"][seat]):
        after["end_token"] = seat
    after["to_move"] = (seat + 1) % after["players"]
    return after


# --- the refill ---


def refill_possible(position: Json, outcome: Any) -> bool:
    """Can the living room look like this after the refill that is due?"""
    if not (isinstance(outcome, list) and len(outcome) == 9):
        return False
    if not all(isinstance(r, str) and len(r) == 9 and set(r) <= set(TYPES + ".") for r in outcome):
        return False
    before, after, cells = tiles(position["board"]), tiles(outcome), in_play(position["players"])
    if not set(after) <= set(cells):
        return False
    drawn, stock = Counter(after.values()), bag(position)
    if rule(position, "refill") == "keep":
        if any(after.get(cell) != kind for cell, kind in before.items()):
            return False
        drawn.subtract(Counter(before.values()))
        wanted = len(cells) - len(before)
    else:
        stock.update(before.values())
        wanted = len(cells)
    enough = all(drawn[kind] <= stock[kind] for kind in TYPES)
    return enough and sum(drawn.values()) == min(wanted, sum(stock.values()))


# --- points ---


def score(position: Json, seat: int) -> dict[str, int]:
    """One player's points as if the game ended now."""
    shelf, tokens = position["shelves"][seat], 0
    for card in position["common_goals"]:
        if seat in card["claimed_by"]:
            tokens += TOKENS[position["players"]][card["claimed_by"].index(seat)]
    card = position["personal_goals"][seat] if position["personal_goals"] else None
    wanted = CARDS[card].split() if card is not None else []
    hits = sum(shelf[int(w[0])][int(w[1])] == w[2] for w in wanted)
    points = {
        "tokens": tokens,
        "personal": PERSONAL_POINTS[hits],
        "adjacency": sum(group_points(len(places)) for _, places in groups(shelf)),
        "end": int(position["end_token"] == seat),
    }
    return {**points, "total": sum(points.values())}


def scores(position: Json) -> list[dict[str, int]]:
    return [score(position, seat) for seat in range(position["players"])]


def winners(position: Json) -> list[float] | None:
    """Win shares at the end: of those with most points the last in turn order has won alone."""
    if not is_over(position):
        return None
    players, first = position["players"], position["first_player"]
    totals = [s["total"] for s in scores(position)]
    in_turn = [(first + i) % players for i in range(players)]
    winner = [seat for seat in in_turn if totals[seat] == max(totals)][-1]
    return [float(seat == winner) for seat in range(players)]
