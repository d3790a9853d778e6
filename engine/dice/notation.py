"""Texts of the dice game: moves, and the compact notation of a position."""

import re
from typing import Any

from shelfie.engine.dice.tables import FACES, dice_index, dice_text
from shelfie.engine.errors import Fault, IllegalMove, InvalidPosition

SHELVES = FACES[:5]
MAX_LENGTH = 2000  # characters of a notation; the longest sensible one has about 400

_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_ITEM = re.compile(r"([PGBTC])([1-5])")


# Moves


def item_text(item: int) -> str:
    """Name of item 5 * shelf + column, as in "P3"."""
    return f"{SHELVES[item // 5]}{item % 5 + 1}"


def items_of(mask: int) -> list[int]:
    """The items of a mask, by shelf, then column."""
    return [item for item in range(25) if mask >> item & 1]


def keep_text(dice: int) -> str:
    """A keep of the multiset with this lattice index."""
    return f"keep:{dice_text(dice) or '-'}"


def mark_text(mask: int) -> str:
    """A mark of the items of a mask."""
    return "mark:" + ",".join(map(item_text, items_of(mask)))


def read_keep(text: str) -> int:
    """Lattice index of the letters after "keep:", in any order; IllegalMove when unreadable."""
    if text == "-":
        return 0
    try:
        index = dice_index(text)
    except ValueError:
        index = 0
    if index == 0:
        raise IllegalMove("A keep names dice by the letters PGBTCJ, or none as 'keep:-'.")
    return index


def read_mark(text: str) -> int:
    """Mask of the items after "mark:", in any order; IllegalMove when unreadable."""
    mask = 0
    for name in text.split(","):
        match = _ITEM.fullmatch(name)
        if match is None:
            raise IllegalMove("A mark names items by shelf and column, such as 'mark:P1,C3'.")
        bit = 1 << (5 * SHELVES.index(match[1]) + int(match[2]) - 1)
        if mask & bit:
            raise IllegalMove(f"{name} is named twice.")
        mask |= bit
    return mask


def read_shelf(text: str) -> int:
    """Number of the shelf after "cross:"; IllegalMove when unreadable."""
    if len(text) != 1 or text not in SHELVES:
        raise IllegalMove("A cross names one shelf by its letter, such as 'cross:B'.")
    return SHELVES.index(text)


# Positions


def write_position(value: dict[str, Any]) -> str:
    """The compact notation of a position's JSON object, which must be valid."""
    fields = [
        "|".join("/".join(board) for board in value["boards"]),
        str(value["to_move"]),
        str(value["first_player"]),
        value["dice"] or "-",
        str(value["rerolls_left"]),
    ]
    if "sheet" in value:
        fields.append(write_sheet(value["sheet"]))
    return " ".join(fields)


def write_sheet(sheet: dict[str, Any]) -> str:
    """A sheet as `columns:values`."""
    rows = [sheet["columns"], *sheet["values"]]
    columns, *values = (",".join(map(str, row)) for row in rows)
    return f"{columns}:{'/'.join(values)}"


def read_position(text: str) -> dict[str, Any]:
    """The JSON object that a notation stands for, as far as it can be split into fields.

    Numbers that are none stay text, so that the check of the object names them. Raises
    InvalidPosition with pointer "" when the fields themselves cannot be told apart.
    """
    fields = text.split(" ") if len(text) <= MAX_LENGTH else []
    if len(fields) not in (5, 6):
        raise unreadable(
            "A notation has five or six fields with one space between them: "
            "boards, to_move, first_player, dice, rerolls_left, sheet."
        )
    boards = [board.split("/") for board in fields[0].split("|")]
    value: dict[str, Any] = {
        "players": len(boards),
        "to_move": _number(fields[1]),
        "first_player": _number(fields[2]),
        "boards": boards,
        "dice": None if fields[3] == "-" else fields[3],
        "rerolls_left": _number(fields[4]),
    }
    if len(fields) == 6:
        value["sheet"] = read_sheet(fields[5])
    return value


def read_sheet(text: str) -> dict[str, Any]:
    """The sheet that `columns:values` stands for; InvalidPosition without exactly one colon."""
    parts = text.split(":")
    if len(parts) != 2:
        raise unreadable("The sixth field is the sheet, written columns:values.")
    columns, values = parts
    return {
        "columns": [_number(n) for n in columns.split(",")],
        "values": [[_number(n) for n in row.split(",")] for row in values.split("/")],
    }


def unreadable(detail: str) -> InvalidPosition:
    return InvalidPosition([Fault("", "notation", detail)], malformed=True)


def _number(text: str) -> int | str:
    return int(text) if _NUMBER.fullmatch(text) else text
